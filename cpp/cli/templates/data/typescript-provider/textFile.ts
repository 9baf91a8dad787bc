import * as fs from "fs";
import * as nodePath from "path";

import * as pulumi from "@pulumi/pulumi";

interface Inputs {
    path: string;
    content: string;
}

// What happens to a file when its resource is created, changed or deleted.
const provider: pulumi.dynamic.ResourceProvider<Inputs, Inputs> = {
    async create(inputs: Inputs) {
        const path = nodePath.resolve(inputs.path);
        fs.writeFileSync(path, inputs.content, { flag: "wx" }); // a file that is not ours is not overwritten
        return { id: path, outs: inputs };
    },

    async diff(id: string, olds: Inputs, news: Inputs) {
        return {
            changes: olds.path !== news.path || olds.content !== news.content,
            replaces: olds.path !== news.path ? ["path"] : [],
        };
    },

    async update(id: string, olds: Inputs, news: Inputs) {
        fs.writeFileSync(id, news.content);
        return { outs: news };
    },

    async read(id: string, props?: Inputs) {
        if (!fs.existsSync(id)) {
            return {}; // it is gone
        }
        return { id, props: { path: props?.path ?? id, content: fs.readFileSync(id, "utf8") } };
    },

    async delete(id: string) {
        fs.rmSync(id, { force: true });
    },
};

export interface TextFileArgs {
    path: pulumi.Input<string>;
    content: pulumi.Input<string>;
}

// A text file on this machine.
export class TextFile extends pulumi.dynamic.Resource {
    declare readonly path: pulumi.Output<string>;
    declare readonly content: pulumi.Output<string>;

    constructor(name: string, args: TextFileArgs, opts?: pulumi.CustomResourceOptions) {
        // The old file is deleted first, because the new one may have its path.
        super(provider, name, args, { deleteBeforeReplace: true, ...opts });
    }
}
