// SPDX-License-Identifier: Apache-2.0
// Which parts of the installed SDK are known to us, word for word: by the hash of a function's text, which stays the same
// through releases that do not touch it.
"use strict";

const crypto = require("crypto");

function hashOf(text) {
    return crypto.createHash("sha256").update(text).digest("hex").slice(0, 16);
}

// `text` from `begin` up to `end`; null if they do not follow each other there.
function part(text, begin, end) {
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    return from < 0 || to < 0 ? null : text.slice(from, to);
}

function isKnown(text, hashes) {
    return text !== null && hashes.includes(hashOf(text));
}

// The file without the comment that names its source map.
function codeOf(text) {
    const end = text.lastIndexOf("\n//# sourceMappingURL");
    return end < 0 ? text : text.slice(0, end);
}

// The text with `helper` below its code. No line above it moves.
function withHelper(text, helper) {
    const code = codeOf(text);
    return code + helper + text.slice(code.length);
}

module.exports = { codeOf, hashOf, isKnown, part, withHelper };
