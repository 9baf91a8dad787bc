# SPDX-License-Identifier: Apache-2.0
"""A policy pack for tests: one policy blocks, one warns, one remediates, one looks at the whole stack."""

from pulumi_policy import (
    EnforcementLevel, PolicyPack, ReportViolation, ResourceValidationArgs, ResourceValidationPolicy,
    StackValidationArgs, StackValidationPolicy)


def forbidden(args: ResourceValidationArgs, report: ReportViolation) -> None:
    if args.resource_type == "things:index:Thing" and args.props.get("value") == "forbidden":
        report("the value 'forbidden' must not be used")


def short(args: ResourceValidationArgs, report: ReportViolation) -> None:
    if args.resource_type == "things:index:Thing" and len(str(args.props.get("value"))) < 3:
        report("the value is short")


def owned(args: ResourceValidationArgs):
    if args.resource_type == "things:index:Thing" and "owner" not in args.props:
        return {**args.props, "owner": "nobody"}
    return None


def few(args: StackValidationArgs, report: ReportViolation) -> None:
    if sum(1 for r in args.resources if r.resource_type == "things:index:Thing") > 3:
        report("a stack has three things at most")


PolicyPack("house-rules", enforcement_level=EnforcementLevel.MANDATORY, policies=[
    ResourceValidationPolicy("no-forbidden", "No forbidden values", forbidden),
    ResourceValidationPolicy("no-short", "Values should say something", short, EnforcementLevel.ADVISORY),
    ResourceValidationPolicy("owned", "Every thing has an owner", remediate=owned,
                             enforcement_level=EnforcementLevel.REMEDIATE),
    StackValidationPolicy("few", "Not too many things", few),
])
