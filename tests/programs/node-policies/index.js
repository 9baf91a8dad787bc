// SPDX-License-Identifier: Apache-2.0
// A policy pack for tests, with @pulumi/policy: one policy blocks a word that the configuration names, one warns, one
// remediates with a configured owner, one looks at the whole stack.
"use strict";
const { PolicyPack } = require("@pulumi/policy");

const isThing = (args) => args.type === "things:index:Thing";

new PolicyPack("house-rules", {
    enforcementLevel: "mandatory",
    policies: [
        {
            name: "no-forbidden",
            description: "No forbidden values",
            configSchema: { properties: { word: { type: "string", default: "forbidden", minLength: 3 } } },
            validateResource: (args, report) => {
                const { word } = args.getConfig();
                if (isThing(args) && args.props.value === word) {
                    report(`the value '${word}' must not be used`);
                }
            },
        },
        {
            name: "no-short",
            description: "Values should say something",
            enforcementLevel: "advisory",
            validateResource: (args, report) => {
                if (isThing(args) && `${args.props.value}`.length < 3) {
                    report("the value is short");
                }
            },
        },
        {
            name: "owned",
            description: "Every thing has an owner",
            enforcementLevel: "remediate",
            configSchema: { properties: { owner: { type: "string", default: "nobody" } } },
            remediateResource: (args) =>
                isThing(args) && args.props.owner === undefined
                    ? { ...args.props, owner: args.getConfig().owner }
                    : undefined,
        },
        {
            name: "few",
            description: "Not too many things",
            validateStack: (args, report) => {
                if (args.resources.filter(isThing).length > 3) {
                    report("a stack has three things at most");
                }
            },
        },
    ],
});
