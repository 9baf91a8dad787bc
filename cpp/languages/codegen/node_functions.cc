// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/language_functions.h"

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

}  // namespace

FunctionCode NodeCall(CallOf::Function function, const std::vector<std::string>& a) {
  using Function = CallOf::Function;
  switch (function) {
    case Function::kJoin:
      return {a[1] + ".join(" + a[0] + ")", "", "", {}};
    case Function::kSplit:  // by nothing, it would cut characters in two
      if (a[0] == "\"\"") return {"Array.from(" + a[1] + ")", "", "", {}};
      return {a[1] + ".split(" + a[0] + ")", "", "", {}};
    case Function::kSelect:
      return {a[1] + "[" + a[0] + "]", "", "", {}};
    case Function::kToJson:
      return {"toJson(" + a[0] + ")", kNodeJson, "toJson", {}};
    case Function::kToBase64:
      return {"Buffer.from(" + a[0] + ").toString(\"base64\")", "", "", {}};
    case Function::kFromBase64:
      return {"Buffer.from(" + a[0] + ", \"base64\").toString(\"utf8\")", "", "", {}};
    case Function::kSha1:
      return {"crypto.createHash(\"sha1\").update(" + a[0] + ").digest(\"hex\")", "", "", {"crypto"}};
    case Function::kLength:
    case Function::kTextLength:
      return {"lengthOf(" + a[0] + ")", kNodeLength, "lengthOf", {}};
    case Function::kSingleOrNone:
      return {"singleOrNone(" + a[0] + ")", kNodeSingle, "singleOrNone", {}};
    case Function::kReadFile:
      return {"fs.readFileSync(" + a[0] + ", \"utf8\")", "", "", {"fs"}};
    case Function::kFileBase64:
      return {"fs.readFileSync(" + a[0] + ", \"base64\")", "", "", {"fs"}};
    case Function::kFileBase64Sha256:
      return {"crypto.createHash(\"sha256\").update(fs.readFileSync(" + a[0] + ")).digest(\"base64\")",
              "",
              "",
              {"crypto", "fs"}};
    case Function::kSecret:
      return {"pulumi.secret(" + a[0] + ")", "", "", {}};
    case Function::kUnsecret:
      return {"pulumi.unsecret(" + a[0] + ")", "", "", {}};
    case Function::kText:
    case Function::kNone:
      break;
  }
  return {"asText(" + a[0] + ")", kNodeText, "asText", {}};
}

std::set<std::string> NodeFunctionNames() {
  return {"Array",  "Buffer", "Error", "Intl", "JSON",     "Number",       "Object", "String", "asText",
          "crypto", "found",  "fs",    "key",  "lengthOf", "singleOrNone", "toJson", "value",  "values"};
}

}  // namespace kingpost::codegen
