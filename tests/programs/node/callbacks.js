// SPDX-License-Identifier: Apache-2.0
"use strict";
const fs = require("fs");
const pulumi = require("@pulumi/pulumi");
const { Thing, Box } = require("./thing");

// 1: a stack transform rewrites every thing, a transform of a box what is in it. 2: the same program again, other text.
exports.transforms = (step) => {
    const things = (change) => (args) =>
        args.type === "things:index:Thing" ? { props: { ...args.props, ...change(args.props) }, opts: args.opts } : undefined;
    pulumi.runtime.registerResourceTransform(things(() => ({ owner: `team ${step}` })));
    const box = new Box("box", { transforms: [things((props) => ({ value: `boxed ${props.value}` }))] });
    return { boxed: new Thing("inner", "text", { parent: box }).value, plain: new Thing("outer", "text").value };
};

const note = (line) => fs.appendFileSync("hooks.log", line + "\n");

// 1: created with hooks. 2: updated. 3: deleted, which needs its hooks to be known still. 4: an error hook retries a
// create.
exports.hooks = (step) => {
    const text = (inputs) => inputs?.value ?? "None";
    const on = (moment) => [new pulumi.ResourceHook(moment, async (args) =>
        note(`${moment} ${args.name} ${text(args.oldInputs)}>${text(args.newInputs)}`))];
    const hooks = {
        beforeCreate: on("before_create"), afterCreate: on("after_create"), beforeUpdate: on("before_update"),
        afterUpdate: on("after_update"), beforeDelete: on("before_delete"), afterDelete: on("after_delete"),
    };
    if (step !== 3) {
        new Thing("hooked", `step ${Math.min(step, 2)}`, { hooks });
    }
    if (step >= 4) {
        const again = new pulumi.ErrorHook("again", (args) => {
            note(`on_error ${args.name} ${args.failedOperation} ${args.errors.length}`);
            if (args.errors.length === 2) {
                fs.mkdirSync("things", { recursive: true });
                fs.writeFileSync(`things/flaky-${args.name}`, "");
            }
            return args.errors.length < 4;
        });
        new Thing("flaky", "try", { hooks: { onError: [again] } });
    }
};

// A shelf is a remote component of tests/programs/shelves.
class Shelf extends pulumi.ComponentResource {
    constructor(name, label, keyword, opts) {
        super("shelves:index:Shelf", name, { label, keyword, stamps: undefined }, opts, true);
    }
}

// A remote component with a secret, an option that reaches its children, and outputs that flow on.
exports.remote = (step) => {
    const source = new Thing("source", `label ${step}`);
    const shelf = new Shelf("shelf", source.stamp, pulumi.secret("hush"), { dependsOn: [source] });
    new Thing("after", shelf.stamps.apply((stamps) => stamps[stamps.length - 1]));
    return { stamps: shelf.stamps, keyword: shelf.keyword };
};
