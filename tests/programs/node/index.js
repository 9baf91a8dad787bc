// SPDX-License-Identifier: Apache-2.0
// The programs of tests/programs/rules once more, with the npm SDK: same resources, same steps. Runs the one that the
// configuration names, at the step that it names: `rules:program`, `rules:step`.
"use strict";
const pulumi = require("@pulumi/pulumi");

const programs = { ...require("./names"), ...require("./changes"), ...require("./callbacks") };
const config = new pulumi.Config();
module.exports = programs[config.require("program")](config.requireNumber("step"));
