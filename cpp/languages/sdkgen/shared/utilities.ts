// SPDX-License-Identifier: Apache-2.0
// utilities.ts of every Node.js SDK: what its files share. A parameterized package adds getPackage to its end.

import * as pulumi from "@pulumi/pulumi";
import * as runtime from "@pulumi/pulumi/runtime";

/** The first of the variables that is set. */
export function getEnv(...names: string[]): string | undefined {
    return names.map((name) => process.env[name]).find((value) => !!value);
}

export function getEnvBoolean(...names: string[]): boolean | undefined {
    const value = getEnv(...names);
    if (value === undefined) {
        return undefined;
    }
    if (["1", "t", "T", "true", "TRUE", "True"].includes(value)) {
        return true;
    }
    return ["0", "f", "F", "false", "FALSE", "False"].includes(value) ? false : undefined;
}

export function getEnvNumber(...names: string[]): number | undefined {
    const number = parseFloat(getEnv(...names) ?? "");
    return isNaN(number) ? undefined : number;
}

export function getVersion(): string {
    const version: string = require("./package.json").version;
    return version.startsWith("v") ? version.slice(1) : version;
}

/** @internal */
export function resourceOptsDefaults(): any {
    return { version: getVersion()/*downloadUrl*/ };
}

/** Members that are loaded when they are first used. @internal */
export function lazyLoad(exports: any, names: string[], load: any) {
    for (const name of names) {
        Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });
    }
}

/** Calls a method and waits for its answer, which is no output. @internal */
export async function callAsync<T>(
    token: string,
    args: pulumi.Inputs,
    resource?: pulumi.Resource,
    options?: { property?: string },
    packageRef?: Promise<string | undefined>,
): Promise<T> {
    const output: any = runtime.call<T>(token, args, resource, packageRef);
    const value = await output.promise(true /*withUnknowns*/);
    const known = await output.isKnown;
    if (!known || (await output.isSecret)) {
        throw new Error(
            `Plain resource method "${token}" incorrectly returned ${known ? "a secret" : "an unknown"} value. ` +
                "This is an error in the provider, please report this to the provider developer.",
        );
    }
    return options?.property ? value[options.property] : value;
}
