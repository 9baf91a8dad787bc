// SPDX-License-Identifier: Apache-2.0
// The stack of a tracked promise is formatted when somebody reads it.
//
// The SDK keeps the stack's text of every promise it makes, a dozen for each resource; source-map-support maps each frame to
// its TypeScript source at once: two fifths of the program's time. The text is read only in reports of promises that never
// settled.
//
// Equal because the error is made at the same place, in the same column of the same line, and its `stack`, which V8 formats
// when it is first read, is read when the promise's is. A frame that belongs to no source any more would read the same.
// A promise is tracked again where it is an input that is sent and then read back, as the text of an asset is: its stack can be
// replaced, as the SDK's own can.
"use strict";

const { isKnown, part, withHelper } = require("./guard");

const KNOWN = ["1fda1b2b3b3090df"];

const STATEMENT = 'Object.defineProperty(p, "_debugStackTrace", { writable: true, value: new Error().stack });';
const EAGER = "{ writable: true, value: new Error().stack }";
// As long as what stands before `new Error()` in the SDK, so that the error is made in the same column.
const LAZY = "kingpostLazy(".padEnd(EAGER.indexOf("new Error()")) + "new Error())";
const HELPER = `
function kingpostLazy(error) {
    const set = function (text) { Object.defineProperty(this, "_debugStackTrace", { writable: true, value: text }); };
    return { configurable: true, get: () => error.stack, set };
}`;

function changeText(text) {
    if (!isKnown(part(text, "function debuggablePromise(", "exports.debuggablePromise ="), KNOWN)) {
        return null;
    }
    return withHelper(text.replace(STATEMENT, STATEMENT.replace(EAGER, LAZY)), HELPER);
}

module.exports = { name: "lazy_stack", file: "runtime/debuggable.js", changeText };
