// What each resource has to keep to: it is looked at before it is changed.
import { PolicyPack } from "@pulumi/policy";

const withAcl = [
    "aws:s3/bucket:Bucket",
    "aws:s3/bucketV2:BucketV2",
    "aws:s3/bucketAcl:BucketAcl",
    "aws:s3/bucketAclV2:BucketAclV2",
];

new PolicyPack("aws-policies", {
    policies: [{
        name: "buckets-are-private",
        description: "The acl of a bucket in S3 lets nobody read it who has no account.",
        enforcementLevel: "mandatory",
        validateResource: (args, reportViolation) => {
            const acl: unknown = args.props.acl;
            if (withAcl.includes(args.type) && (acl === "public-read" || acl === "public-read-write")) {
                reportViolation(`everybody could read this bucket: its acl is ${acl}`);
            }
        },
    }],
});
