// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/program_writer.h"

namespace kingpost::codegen {

namespace {

constexpr char kNodeText[] = R"(// A value as it stands in a text of a program in YAML: true, 1000000, 1.5e+300.
function asText(value: any): string {
    if (value === undefined || value === null) {
        return "<nil>";
    }
    if (Array.isArray(value)) {
        return `[${value.map(asText).join(" ")}]`;
    }
    if (typeof value === "object") {
        return `map[${Object.keys(value).sort().map(key => `${key}:${asText(value[key])}`).join(" ")}]`;
    }
    if (typeof value !== "number") {
        return String(value);
    }
    const [digits, exponent] = value.toExponential().split("e");
    if (Math.abs(value) < 2 ** 53) {
        const fraction = (digits.split(".")[1] ?? "").length - Number(exponent);
        return value.toFixed(Math.min(Math.max(fraction, 0), 100));
    }
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}
)";

constexpr char kNodeJson[] = R"(// JSON as programs in YAML write it: keys in order, no spaces.
function toJson(value: any): string {
    if (Array.isArray(value)) {
        return `[${value.map(toJson).join(",")}]`;
    }
    if (value !== null && typeof value === "object") {
        return `{${Object.keys(value).sort().map(key => `${toJson(key)}:${toJson(value[key])}`).join(",")}}`;
    }
    return JSON.stringify(value ?? null).replace(/[<>&\u2028\u2029]/g,
        found => "\\u" + found.charCodeAt(0).toString(16).padStart(4, "0"));
}
)";

constexpr char kNodeSingle[] = R"(function singleOrNone(values: any[]): any {
    if (values.length > 1) {
        throw new Error(`expected a list of 0 or 1 elements, got ${values.length}`);
    }
    return values[0] ?? null;
}
)";

constexpr char kNodeLength[] = R"(// Characters as people count them, elements or entries.
function lengthOf(value: any): number {
    return typeof value === "string" ? [...new (Intl as any).Segmenter().segment(value)].length : Object.keys(value).length;
}
)";

constexpr FunctionForm kNodeFunctions[] = {
    {"join", "$1.join($0)"},
    {"split", "$1.split($0)"},
    {kSplitByNothing, "Array.from($1)"},  // by nothing, it would cut characters in two
    {"select", "$1[$0]"},
    {"toJSON", "toJson($0)", "toJson", kNodeJson},
    {"toBase64", "Buffer.from($0).toString(\"base64\")"},
    {"fromBase64", "Buffer.from($0, \"base64\").toString(\"utf8\")"},
    {"sha1", "crypto.createHash(\"sha1\").update($0).digest(\"hex\")", "", "", {"crypto"}},
    {"length", "lengthOf($0)", "lengthOf", kNodeLength},
    {kTextLength, "lengthOf($0)", "lengthOf", kNodeLength},
    {"singleOrNone", "singleOrNone($0)", "singleOrNone", kNodeSingle},
    {"readFile", "fs.readFileSync($0, \"utf8\")", "", "", {"fs"}},
    {"filebase64", "fs.readFileSync($0, \"base64\")", "", "", {"fs"}},
    {"filebase64sha256",
     "crypto.createHash(\"sha256\").update(fs.readFileSync($0)).digest(\"base64\")",
     "",
     "",
     {"crypto", "fs"}},
    {"secret", "pulumi.secret($0)"},
    {"unsecret", "pulumi.unsecret($0)"},
    {kAsText, "asText($0)", "asText", kNodeText},
    {"getOutput", "$0.getOutput($1)"},
    {"cwd", "process.cwd()"},
    {"project", "pulumi.getProject()"},
    {"stack", "pulumi.getStack()"},
    {"organization", "pulumi.getOrganization()"},
    {"rootDirectory", "pulumi.getRootDirectory()"},
    {kNoParent, "pulumi.rootStackResource"},
    {"stringAsset", "new pulumi.asset.StringAsset($0)", "text => new pulumi.asset.StringAsset(text)"},
    {"fileAsset", "new pulumi.asset.FileAsset($0)", "text => new pulumi.asset.FileAsset(text)"},
    {"remoteAsset", "new pulumi.asset.RemoteAsset($0)", "text => new pulumi.asset.RemoteAsset(text)"},
    {"assetArchive", "new pulumi.asset.AssetArchive($0)", "content => new pulumi.asset.AssetArchive(content)"},
    {"fileArchive", "new pulumi.asset.FileArchive($0)", "content => new pulumi.asset.FileArchive(content)"},
    {"remoteArchive", "new pulumi.asset.RemoteArchive($0)", "content => new pulumi.asset.RemoteArchive(content)"},
};

constexpr const char* kNodeNames[] = {"Array",  "Buffer",   "Error",        "Intl",   "JSON",  "Number",
                                      "Object", "String",   "asText",       "crypto", "found", "fs",
                                      "key",    "lengthOf", "singleOrNone", "toJson", "value", "values"};

}  // namespace

Functions NodeFunctions() { return {kNodeFunctions, kNodeNames}; }

}  // namespace kingpost::codegen
