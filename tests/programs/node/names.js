// SPDX-License-Identifier: Apache-2.0
"use strict";
const pulumi = require("@pulumi/pulumi");
const { Thing, Box } = require("./thing");

// 1: a box holds a thing. 2: both have new names. 3: the thing moves to the stack. 4: it moves below another box.
exports.aliases = (step) => {
    if (step === 1) {
        new Thing("thing", "plain", { parent: new Box("box") });
    } else if (step === 2) {
        const parent = new Box("crate", { aliases: [{ name: "box" }] });
        new Thing("item", "plain", { parent, aliases: [{ name: "thing" }] });
    } else if (step === 3) {
        new Thing("item", "plain", { aliases: [{ parent: new Box("crate") }] });
    } else {
        new Box("crate");
        new Thing("item", "plain", { parent: new Box("shelf"), aliases: [{ parent: pulumi.rootStackResource }] });
    }
};

// 1: a thing that exists already is imported with the values it has. 2: the option stays. 3: it goes. 4: another value.
exports.importing = (step) => {
    new Thing("adopted", step < 4 ? "found" : "changed", step < 3 ? { import: "found-1" } : {});
    new Thing("ordinary");
};

// 1: a thing made elsewhere is read with get. 2: the program manages it. 3: it is gone from the program. Plus an invoke.
exports.reading = async (step) => {
    const greeting = await pulumi.runtime.invoke("things:index:greet", { greeting: "Hello", name: "you" });
    new Thing("other");
    if (step === 2) {
        new Thing("found", "managed");
    }
    return { greeting: greeting.text, ...(step === 1 && { stamp: new Thing("found", undefined, { id: "found-1" }).stamp }) };
};

class Things extends pulumi.ProviderResource {
    constructor(name, region) {
        super("things", name, { region }, { version: "2.0.0" });
    }
}

// 1: things 1.0.0 by the version option. 2: things 2.0.0. 3: an explicit provider. 4: that provider with another region,
// which replaces it and all that it made.
exports.versions = (step) => {
    if (step <= 2) {
        new Thing("thing", "plain", { version: `${step}.0.0` });
        return;
    }
    const provider = new Things("mine", step === 3 ? "north" : "south");
    new Thing("thing", "plain", { version: "2.0.0" });
    new Thing("regional", "plain", { provider });
};
