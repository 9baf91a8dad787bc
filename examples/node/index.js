// SPDX-License-Identifier: Apache-2.0
// A shelf of notes, each a file under ./notes, by a dynamic provider of the npm SDK. The index lists the others, and a
// secret note shows that what is secret stays so in outputs and state.
"use strict";
const pulumi = require("@pulumi/pulumi");

const noteProvider = {
    async check(olds, news) {
        const failures = news.text === "" ? [{ property: "text", reason: "a note says something" }] : [];
        return { inputs: news, failures };
    },
    async create(inputs) {
        const fs = require("fs");
        const path = require("path");
        fs.mkdirSync(path.dirname(inputs.path), { recursive: true });
        fs.writeFileSync(inputs.path, inputs.text + "\n");
        return { id: inputs.path, outs: { ...inputs, bytes: Buffer.byteLength(inputs.text) + 1 } };
    },
    async diff(id, olds, news) {
        const moved = olds.path !== news.path;
        return { changes: moved || olds.text !== news.text, replaces: moved ? ["path"] : [], deleteBeforeReplace: false };
    },
    async read(id, props) {
        const fs = require("fs");
        if (!fs.existsSync(id)) {
            return {};
        }
        const text = fs.readFileSync(id, "utf8").replace(/\n$/, "");
        return { id, props: { ...props, text, bytes: Buffer.byteLength(text) + 1 } };
    },
    async update(id, olds, news) {
        require("fs").writeFileSync(news.path, news.text + "\n");
        return { outs: { ...news, bytes: Buffer.byteLength(news.text) + 1 } };
    },
    async delete(id) {
        require("fs").rmSync(id, { force: true });
    },
};

class Note extends pulumi.dynamic.Resource {
    constructor(name, args, opts) {
        super(noteProvider, name, { ...args, bytes: undefined }, opts);
    }
}

class Shelf extends pulumi.ComponentResource {
    constructor(name, texts, opts) {
        super("notes:index:Shelf", name, {}, opts);
        this.notes = Object.entries(texts).map(
            ([title, text]) => new Note(title, { path: `notes/${title}.txt`, text }, { parent: this }));
        this.bytes = pulumi.all(this.notes.map(note => note.bytes)).apply(sizes => sizes.reduce((a, b) => a + b, 0));
        this.registerOutputs({ bytes: this.bytes });
    }
}

const config = new pulumi.Config();
const greeting = config.get("greeting") || "Hello";
const folder = config.get("folder") || "notes";
const shelf = new Shelf("shelf", { first: `${greeting}, reader`, second: "The tide is out" });
const index = new Note("index", {
    path: `${folder}/index.txt`,
    text: pulumi.interpolate`${shelf.notes.length} notes, ${shelf.bytes} bytes`,
}, { dependsOn: [shelf] });
const hidden = new Note("hidden", { path: "notes/hidden.txt", text: pulumi.secret("the spare key is under the mat") });

exports.bytes = shelf.bytes;
exports.index = index.text;
exports.hidden = hidden.text;
