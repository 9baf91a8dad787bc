// SPDX-License-Identifier: Apache-2.0
// The positions of a stack are worked out once, not for each resource that is registered from the same place.
//
// With each resource the SDK sends the positions of the whole stack. It formats the stack as a text for that, and source maps
// make this dear: a hook maps each frame, and the SDK parses the text. This is a quarter of the time of a program of a thousand
// resources.
//
// Equal because the frames before mapping decide the result. Here they are the key under which the SDK's own result is kept,
// as long as the hook is the same. A stack with code from eval is never kept, because such frames have no place of their own. No
// line of the file moves, so that the frames in it keep their places.
"use strict";

const { isKnown, part, withHelper } = require("./guard");

const BEGIN = "    static callsites() {\n";
const FIRST = "        const stackTraceLimit = Error.stackTraceLimit;\n";
const RESULT = "            return (stackTrace\n";

const LOOK = `        const stackTraceLimit = Error.stackTraceLimit; const kept = kingpostCallSites(stackTraceLimit); \
if (kept.result) return kept.result;\n`;
const KEEP = "            return kept.keep(stackTrace\n";

const HELPER = `
const kingpostStacks = new Map();
let kingpostHook;
function kingpostCallSites(limit) {
    const hook = Error.prepareStackTrace;
    if (hook !== kingpostHook || kingpostStacks.size > 1000) {
        kingpostStacks.clear();
        kingpostHook = hook;
    }
    let frames;
    try {
        Error.stackTraceLimit = Number.POSITIVE_INFINITY;
        Error.prepareStackTrace = (_, sites) => sites;
        frames = new Error().stack;
    } finally {
        if (hook === undefined) delete Error.prepareStackTrace;
        else Error.prepareStackTrace = hook;
        Error.stackTraceLimit = limit;
    }
    if (!Array.isArray(frames) || frames.some((frame) => frame.isEval())) {
        return { keep: (result) => result };
    }
    const place = (frame) => frame.getFileName() + ":" + frame.getLineNumber() + ":" + frame.getColumnNumber();
    const key = frames.slice(1).map(place).join("|");
    return { result: kingpostStacks.get(key), keep: (result) => (kingpostStacks.set(key, result), result) };
}`;

module.exports = {
    name: "call_sites",
    file: "resource.js",
    changeText(text) {
        if (!isKnown(part(text, BEGIN, "    static stackTrace("), ["c0d64741bde06fb0"])) {
            return null;
        }
        return withHelper(text.replace(FIRST, LOOK).replace(RESULT, KEEP), HELPER);
    },
};
