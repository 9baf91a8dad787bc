// SPDX-License-Identifier: Apache-2.0
// Makes the Node.js SDK quicker, without touching the installed package. The launcher loads it with `node -r`, before
// anything else. Each measure is a file of its own: what it changes, why, and why the result is equal. A measure is left out
// where the SDK's code that it changes is not word for word what it was proved equal to (guard.js).
//
// KINGPOST_ACCELERATE_WITHOUT=lazy_stack,log_messages leaves some of them out; with KINGPOST_ACCELERATE=0 the launcher does
// not load this file at all.
"use strict";

const fs = require("fs");

// The launcher says this in the environment, because a preloaded file has no arguments.
const wantsDebugMessages = process.env.KINGPOST_WANTS_DEBUG_MESSAGES === "1";
delete process.env.KINGPOST_WANTS_DEBUG_MESSAGES;
const without = new Set((process.env.KINGPOST_ACCELERATE_WITHOUT || "").split(",").map((name) => name.trim()));
const report = [];

// A measure has `name`, `file` (the SDK's file that it is about) and `changeText(text)`, which answers the text to compile
// instead, or null if it does not know what it sees.
const byFile = new Map();
for (const measure of [require("./lazy_stack"), require("./call_sites"), require("./log_messages"), ...require("./lazy_modules")]) {
    if (without.has(measure.name.split(" ")[0])) {
        report.push(`${measure.name}: off, as KINGPOST_ACCELERATE_WITHOUT says`);
    } else if (measure.name === "log_messages" && wantsDebugMessages) {
        report.push("log_messages: off, the messages are asked for");
    } else {
        byFile.set(measure.file, measure);
    }
}

// "log/index.js" of a file of the SDK, wherever it is installed.
function nameInSdk(path) {
    const folder = "/@pulumi/pulumi/";
    const at = path.lastIndexOf(folder);
    return at < 0 ? "" : path.slice(at + folder.length);
}

function changedText(measure, text) {
    const changed = measure.changeText(text);
    report.push(changed === null ? `${measure.name}: off, this SDK has another ${measure.file}` : `${measure.name}: on`);
    return changed === null ? text : changed;
}

// Node.js reads a module with fs.readFileSync before it compiles it. A hook any further on would be a frame of the stacks
// that the SDK sends with each resource. It is gone when the last of the files has been read.
const readFileSync = fs.readFileSync;
fs.readFileSync = function (path, ...options) {
    const text = readFileSync.call(this, path, ...options);
    const name = typeof path === "string" && typeof text === "string" ? nameInSdk(path) : "";
    const measure = byFile.get(name);
    if (measure === undefined) {
        return text;
    }
    byFile.delete(name);
    if (byFile.size === 0) {
        fs.readFileSync = readFileSync;
        if (wantsDebugMessages) {
            tellWhatIsOn();
        }
    }
    return changedText(measure, text);
};

// The last of the files is read when the others have been loaded, and before the program is.
function tellWhatIsOn() {
    const loaded = Object.keys(require.cache).find((path) => nameInSdk(path) === "log/index.js");
    if (loaded) {
        process.nextTick(() => require(loaded).debug(`the SDK is accelerated: ${report.join("; ")}`));
    }
}
