"use strict";

const pulumi = require("@pulumi/pulumi");

// Make resources here. What is exported is shown after each update, and by `kingpost stack output`.
exports.stack = pulumi.getStack();
