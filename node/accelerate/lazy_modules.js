// SPDX-License-Identifier: Apache-2.0
// npm's arborist and the TypeScript compiler are loaded when they are first used.
//
// The SDK loads both with the code that serializes functions, for every program, though few programs serialize one: nearly a
// fifth of the time of a program of 300 resources.
//
// Equal because what stands for the module until then loads it at the first look at any of its properties, and hands that
// property on; the SDK uses the two in no other way.
"use strict";

const { codeOf, isKnown, withHelper } = require("./guard");

const HELPER = `
function kingpostLazyModule(load) {
    let module;
    const loaded = () => (module === undefined ? (module = load()) : module);
    return new Proxy({}, { get: (_, name) => loaded()[name], has: (_, name) => name in loaded() });
}`;

function lazily(file, hashes, statement, lazy) {
    return {
        name: `lazy_modules (${file})`,
        file,
        changeText(text) {
            return isKnown(codeOf(text), hashes) ? withHelper(text.replace(statement, lazy), HELPER) : null;
        },
    };
}

module.exports = [
    lazily(
        "runtime/closure/codePaths.js",
        ["656473cf881fa4f1"],
        'const arborist = __importStar(require("@npmcli/arborist"));',
        'const arborist = kingpostLazyModule(() => __importStar(require("@npmcli/arborist")));'),
    lazily(
        "runtime/closure/parseFunction.js",
        ["62b0799fb7189a8d"],
        'const ts = require("../../typescript-shim");',
        'const ts = kingpostLazyModule(() => require("../../typescript-shim"));'),
];
