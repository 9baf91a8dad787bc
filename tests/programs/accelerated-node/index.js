// SPDX-License-Identifier: Apache-2.0
// Runs the program that the configuration names: `accelerated:program`. Each is one that the accelerators of the SDK must
// treat as the SDK itself does.
"use strict";
const pulumi = require("@pulumi/pulumi");

class Thing extends pulumi.CustomResource {
    constructor(name, value = "plain", opts = undefined, more = {}) {
        super("things:index:Thing", name, { value, ...more, stamp: undefined }, opts);
    }
}

const programs = {
    plain() {
        new Thing("numbers", [0, 1, -1, 2 ** 40, 0.5, true, false]);
        new Thing("texts", ["", "ünïcödé ☃", "z".repeat(40000)]);
        new Thing("nothing", { none: null, empty: {}, list: [null, [], {}] });
        return { plain: { a: [1, "b"] } };
    },

    mixed() {
        const first = new Thing("first", "one");
        new Thing("output", first.stamp);
        new Thing("inside", { list: [first.stamp, "plain"], deep: { value: first.value } });
        new Thing("secret", pulumi.secret("hush"));
        new Thing("applied", first.stamp.apply((stamp) => ({ upper: String(stamp).toUpperCase() })));
        new Thing("all", pulumi.all([first.stamp, first.value]).apply((all) => all));
        new Thing("promise", Promise.resolve("in time"));
        new Thing("resource", first);
        const asset = new pulumi.asset.StringAsset("text");
        new Thing("asset", asset);
        new Thing("same asset", [asset, asset]);  // its text is a promise, which is tracked each time
        new Thing("after", "x", { dependsOn: [first], aliases: [{ name: "old" }], protect: false });
        return { stamp: first.stamp, secret: pulumi.secret("hush") };
    },

    layers() {
        let before = [];
        for (let layer = 0; layer < 4; layer++) {
            before = [0, 1, 2, 3, 4, 5].map((i) => new Thing(`thing-${layer}-${i}`, i, {}, before.length
                ? { dep0: before[i].stamp, dep1: before[(i + 1) % 6].stamp } : {}));
        }
    },

    // A function that is serialized: it takes the TypeScript compiler and npm's arborist.
    async closure() {
        const first = new Thing("first", "one");
        const greet = (name) => `hello ${name}`;
        const text = await pulumi.runtime.serializeFunction(() => greet("you"));
        new Thing("closure", text.text, { dependsOn: [first] });
        const paths = await pulumi.runtime.computeCodePaths({ extraExcludePackages: ["@pulumi/pulumi"] });
        new Thing("paths", [...paths.keys()].length);
    },

    leak() {
        new Thing("first", new Promise(() => {}));
    },

    refuse() {
        const first = new Thing("first", "one");
        return { never: first.urn.apply(() => { throw new pulumi.RunError("refused"); }) };
    },

    stop() {
        new Thing("first", "one");
        throw new pulumi.RunError("the program cannot go on");
    },
};

module.exports = programs[new pulumi.Config().require("program")]();
