"""Rules for each resource. The engine checks them before it changes the resource."""

from pulumi_policy import EnforcementLevel, PolicyPack, ReportViolation, ResourceValidationArgs, ResourceValidationPolicy


def check_name(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    if len(args.name) > 60:
        report_violation(f"the name {args.name} has more than 60 characters")


PolicyPack(
    name="policies",
    enforcement_level=EnforcementLevel.MANDATORY,
    policies=[
        ResourceValidationPolicy(
            name="names-are-short",
            description="Names of resources have 60 characters at most.",
            validate=check_name,
        ),
    ],
)
