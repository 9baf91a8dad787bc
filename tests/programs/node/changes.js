// SPDX-License-Identifier: Apache-2.0
"use strict";
const pulumi = require("@pulumi/pulumi");
const { Thing } = require("./thing");

// A chain a, b, c, d. 1: made. 2: the key of a changes: what takes its stamp as a key is replaced too, in the order
// create-replacement before delete. 3: a is deleted first, and its dependents before it.
exports.replacement = (step) => {
    const a = new Thing("a", "a", { deleteBeforeReplace: step === 3 }, { key: ["one", "two", "three"][step - 1] });
    const b = new Thing("b", "b", {}, { key: a.stamp });
    const c = new Thing("c", b.stamp);
    new Thing("d", "d", {}, { key: c.stamp });
    new Thing("e", "e", { dependsOn: [a] });
};

// ignoreChanges, replaceOnChanges, protect, retainOnDelete, deletedWith, additionalSecretOutputs, nested values.
exports.options = (step) => {
    const spec = { size: step, tags: ["red", `step ${step}`] };
    new Thing("ignoring", `step ${step}`, { ignoreChanges: ["value"] }, { spec });
    new Thing("deep", "same", { ignoreChanges: ["spec.tags[1]", "spec.size"] }, { spec });
    new Thing("replacing", "same", { replaceOnChanges: ["spec"] }, { spec });
    new Thing("protected", "same", { protect: step < 3 });
    if (step < 3) {
        const keeper = new Thing("keeper", "same", { retainOnDelete: true });
        new Thing("leaf", "same", { deletedWith: keeper });
    }
    const secretive = new Thing("secretive", "same", {
        additionalSecretOutputs: ["stamp"], customTimeouts: { create: "5m", delete: "1h" } });
    return { stamp: secretive.stamp, numbers: [1, 2.5, -0, 1e21], text: "<&> \u2028 é \u{1f600} \x7f" };
};

// 1: two things, one on the other. 2: the first fails to update. 3: a value that Check refuses. 4: all well again. 5: the
// program itself throws; what it throws has a stack of its own, because Node.js is slow to print some of the SDK's.
exports.failing = (step) => {
    const first = ["one", "two", "invalid", "four", "four"][step - 1];
    const apart = new Thing("apart", `step ${step}`);
    const a = new Thing("first", first, { dependsOn: [apart] }, { fail: step === 2 ? "update" : "" });
    new Thing("second", step === 3 ? "three" : first, { dependsOn: [a] });
    if (step === 5) {
        throw new pulumi.RunError("the program cannot go on");
    }
};

// 1: a value that the packs block. 2: it passes, one value draws a warning. 3: too many things.
exports.policed = (step) => {
    const brief = new Thing("brief", "no");
    new Thing("judged", step === 1 ? "forbidden" : "allowed", { dependsOn: [brief] });
    if (step === 3) {
        new Thing("third");
        new Thing("fourth");
    }
};
