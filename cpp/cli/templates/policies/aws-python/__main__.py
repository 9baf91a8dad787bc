"""Rules for each resource. The engine checks them before it changes the resource."""

from pulumi_policy import EnforcementLevel, PolicyPack, ReportViolation, ResourceValidationArgs, ResourceValidationPolicy

WITH_ACL = (
    "aws:s3/bucket:Bucket",
    "aws:s3/bucketV2:BucketV2",
    "aws:s3/bucketAcl:BucketAcl",
    "aws:s3/bucketAclV2:BucketAclV2",
)


def check_acl(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    if args.resource_type in WITH_ACL and args.props.get("acl") in ("public-read", "public-read-write"):
        report_violation("everybody could read this bucket: its acl is " + args.props["acl"])


PolicyPack(
    name="aws-policies",
    enforcement_level=EnforcementLevel.MANDATORY,
    policies=[
        ResourceValidationPolicy(
            name="buckets-are-private",
            description="The acl of a bucket in S3 lets nobody read it who has no account.",
            validate=check_acl,
        ),
    ],
)
