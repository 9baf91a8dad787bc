// SPDX-License-Identifier: Apache-2.0
// A Node.js that is started before its run is known: it loads the SDK, waits on its standard input for what the run is
// told, and becomes that run. The command starts it as `node -r preload.js -r standby.js MAIN`, and Node.js goes on to MAIN,
// the SDK's own launcher, when this file has been loaded. It loads nothing of the program's (cpp/runtimes/standby_program.h).
"use strict";

const fs = require("fs");
const { createRequire } = require("module");
const path = require("path");
const { isMainThread } = require("worker_threads");

// What the launcher loads before the program, in its order, and then the SDK itself. The launcher (cmd/run/index.js) and its
// run.js are left out: loading them is running them.
const WHAT_THE_LAUNCHER_LOADS = [
    "./instrumentation", "source-map-support/register", "../../log", "../../runtime/settings", "minimist",
    "../../runtime/closure/v8Hooks", "ini", "semver", "../../errors", "../../runtime/manifest", "../../runtime/stack",
    "../../tsutils", "./tracing", "./error", "../..",
];

// Older releases read their settings from the environment as they are loaded, before the run is known. This one reads them
// when they are first used.
function readsSettingsLater(load) {
    const [major, minor] = load("../../package.json").version.split(".").map(Number);
    return major > 3 || (major === 3 && minor >= 200);
}

// `main` is the launcher, from whose place its files are found.
function loadSdk(main) {
    const load = createRequire(main);
    if (!readsSettingsLater(load)) {
        return;
    }
    for (const name of WHAT_THE_LAUNCHER_LOADS) {
        try {
            load(name);
        } catch {
            // Another release of the SDK has other files. What is really missing the launcher tells.
        }
    }
    if (process.env.PULUMI_NODEJS_TYPESCRIPT === "true") {
        loadCompiler(load, main);
    }
}

// The program's TypeScript and ts-node, or those that come with the SDK, as the launcher would choose them.
function loadCompiler(load, main) {
    const vendor = path.join(path.dirname(main), "..", "..", "vendor");
    for (const name of ["typescript", "ts-node"]) {
        try {
            load(name);
        } catch {
            const copies = fs.existsSync(vendor) ? fs.readdirSync(vendor).filter((folder) => folder.startsWith(`${name}@`)) : [];
            copies.forEach((folder) => load(name === "typescript" ? `${vendor}/${folder}/typescript.js` : `${vendor}/${folder}`));
        }
    }
}

// The first look at process.stdin makes a stream of the input, which this file still has to read. The Automation API copies all
// properties of `process` as it is loaded, and never uses this one.
function withoutLookingAtStdin(act) {
    const stdin = Object.getOwnPropertyDescriptor(process, "stdin");
    Object.defineProperty(process, "stdin", { ...stdin, get: () => undefined });
    act();
    Object.defineProperty(process, "stdin", stdin);
}

function standBy() {
    const main = fs.realpathSync(require.resolve(process.argv[1]));
    withoutLookingAtStdin(() => loadSdk(main));
    const message = fs.readFileSync(0, "utf8");
    if (message === "") {
        process.exit(0);
    }
    fs.closeSync(0);
    fs.openSync("/dev/null", "r"); // takes the place of the standard input
    const run = JSON.parse(message);
    delete globalThis.globalStore; // the settings, if something has used them: they are not those of the run
    Object.assign(process.env, run.environment);
    process.argv.splice(2, Infinity, ...run.command.slice(run.shared + 1));
    // Processes that the program forks take over this list.
    process.execArgv.splice(process.execArgv.indexOf(__filename) - 1, 2);
}

if (isMainThread) {
    standBy();
}
