// SPDX-License-Identifier: Apache-2.0
"use strict";
const pulumi = require("@pulumi/pulumi");

// A thing is a file of the test provider; see tests/programs/things.
class Thing extends pulumi.CustomResource {
    constructor(name, value = "plain", opts = undefined, more = {}) {
        super("things:index:Thing", name, { value, ...more, stamp: undefined }, opts);
    }
}

// A box is a component with nothing but children.
class Box extends pulumi.ComponentResource {
    constructor(name, opts) {
        super("boxes:index:Box", name, {}, opts);
        this.registerOutputs({});
    }
}

module.exports = { Thing, Box };
