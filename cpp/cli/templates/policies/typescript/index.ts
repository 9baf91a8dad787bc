// What each resource has to keep to: it is looked at before it is changed.
import { PolicyPack } from "@pulumi/policy";

new PolicyPack("policies", {
    policies: [{
        name: "names-are-short",
        description: "Names of resources have 60 characters at most.",
        enforcementLevel: "mandatory",
        validateResource: (args, reportViolation) => {
            if (args.name.length > 60) {
                reportViolation(`the name ${args.name} has more than 60 characters`);
            }
        },
    }],
});
