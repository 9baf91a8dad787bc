"use strict";

const fs = require("fs");
const nodePath = require("path");

const pulumi = require("@pulumi/pulumi");

// What happens to a file when its resource is created, changed or deleted.
const provider = {
    async create(inputs) {
        const path = nodePath.resolve(inputs.path);
        fs.writeFileSync(path, inputs.content, { flag: "wx" }); // a file that is not ours is not overwritten
        return { id: path, outs: inputs };
    },

    async diff(id, olds, news) {
        return {
            changes: olds.path !== news.path || olds.content !== news.content,
            replaces: olds.path !== news.path ? ["path"] : [],
        };
    },

    async update(id, olds, news) {
        fs.writeFileSync(id, news.content);
        return { outs: news };
    },

    async read(id, props) {
        if (!fs.existsSync(id)) {
            return {}; // it is gone
        }
        return { id, props: { ...props, content: fs.readFileSync(id, "utf8") } };
    },

    async delete(id) {
        fs.rmSync(id, { force: true });
    },
};

// A text file on this machine.
class TextFile extends pulumi.dynamic.Resource {
    constructor(name, args, opts) {
        // The old file is deleted first, because the new one may have its path.
        super(provider, name, args, { deleteBeforeReplace: true, ...opts });
    }
}

exports.TextFile = TextFile;
