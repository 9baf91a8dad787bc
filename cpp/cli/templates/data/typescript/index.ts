import * as pulumi from "@pulumi/pulumi";

// Make resources here. What is exported is shown after each update, and by `kingpost stack output`.
export const stack = pulumi.getStack();
