// SPDX-License-Identifier: Apache-2.0
// As sitecustomize.py, for programs in Node.js: loaded by NODE_OPTIONS, it wraps the serializers that the SDK's stub hands to
// its channel.
"use strict";

const fs = require("fs");
const Module = require("module");

const file = process.env.KINGPOST_RECORD_REQUESTS;

function recording(method, serialize) {
    return (message) => {
        const body = serialize(message);
        const name = Buffer.from(method.slice(method.lastIndexOf("/") + 1));
        const sizes = Buffer.alloc(8);
        sizes.writeUInt32LE(name.length, 0);
        sizes.writeUInt32LE(body.length, 4);
        fs.appendFileSync(file, Buffer.concat([sizes, name, body]));
        return body;
    };
}

function wrap(client) {
    const original = client.prototype.makeUnaryRequest;
    client.prototype.makeUnaryRequest = function (method, serialize, ...more) {
        const ours = method.startsWith("/pulumirpc.ResourceMonitor/");
        return original.call(this, method, ours ? recording(method, serialize) : serialize, ...more);
    };
}

// gRPC keeps the method when it loads ./make-client, so it must have been wrapped before.
if (file) {
    const load = Module._load;
    const wrapped = new WeakSet();
    Module._load = function (request, parent, ...more) {
        if (request === "./make-client" && parent.filename.includes("@grpc/grpc-js")) {
            const { Client } = load.call(this, "./client", parent, ...more);
            if (!wrapped.has(Client)) {
                wrapped.add(Client);
                wrap(Client);
            }
        }
        return load.call(this, request, parent, ...more);
    };
}
