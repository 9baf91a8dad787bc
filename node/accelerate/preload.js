// Makes the Node.js SDK quicker, without touching the installed package. The launcher loads it with `node -r`, before
// anything else. Each measure is a file of its own: what it changes, why, and why the result is equal. A measure is left out
// where the SDK's code that it changes is not word for word what it was proved equal to (guard.js).
//
// KINGPOST_ACCELERATE_WITHOUT=lazy_stack,log_messages leaves some of them out; with KINGPOST_ACCELERATE=0 the launcher does
// not load this file at all.
"use strict";

const Module = require("module");

// The launcher says this in the environment, because a preloaded file has no arguments.
const wantsDebugMessages = process.env.KINGPOST_WANTS_DEBUG_MESSAGES === "1";
delete process.env.KINGPOST_WANTS_DEBUG_MESSAGES;
const without = new Set((process.env.KINGPOST_ACCELERATE_WITHOUT || "").split(",").map((name) => name.trim()));
const report = [];

// A measure has `name`, `file` (the SDK's file that it is about) and `changeText(text)`, which answers the text to compile
// instead, or null if it does not know what it sees.
const byFile = new Map();
for (const measure of [require("./lazy_stack"), require("./log_messages"), ...require("./lazy_modules")]) {
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

// The first message to the engine is preceded by ours. Later than that, all of the SDK is loaded.
function tellFirst(log) {
    const debug = log.debug;
    log.debug = (...message) => {
        log.debug = debug;
        log.debug(`the SDK is accelerated: ${report.join("; ")}`);
        return debug(...message);
    };
}

const compile = Module.prototype._compile;
Module.prototype._compile = function (text, path, ...more) {
    const name = nameInSdk(path);
    const measure = byFile.get(name);
    const result = compile.call(this, measure ? changedText(measure, text) : text, path, ...more);
    if (name === "log/index.js" && wantsDebugMessages) {
        tellFirst(this.exports);
    }
    return result;
};
