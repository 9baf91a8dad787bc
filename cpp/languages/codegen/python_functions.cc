// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/language_functions.h"

namespace kingpost::codegen {

namespace {

constexpr char kPythonText[] = R"(def as_text(value):
    """A value as it stands in a text of a program in YAML: true, 1000000, 1.5e+300."""
    if value is None or isinstance(value, bool):
        return {None: "<nil>", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "map[" + " ".join(f"{key}:{as_text(value[key])}" for key in sorted(value)) + "]"
    if isinstance(value, list):
        return "[" + " ".join(as_text(element) for element in value) + "]"
    if not isinstance(value, (int, float)):
        return str(value)
    number = float(value)
    digits = next(count for count in range(18) if float(f"{number:.{count}e}") == number)
    short = f"{number:.{digits}e}"
    exponent = int(short.partition("e")[2])
    return f"{number:.{max(digits - exponent, 0)}f}" if abs(number) < 2**53 else short
)";

constexpr char kPythonJson[] = R"(def to_json(value):
    """JSON as programs in YAML write it: keys in order, no spaces, whole numbers without a fraction."""
    if isinstance(value, dict):
        return "{" + ",".join(to_json(key) + ":" + to_json(value[key]) for key in sorted(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(to_json(element) for element in value) + "]"
    if isinstance(value, float) and (value == 0 or 1e-6 <= abs(value) < 1e21):
        return format(decimal.Decimal(repr(value)).normalize(), "f")
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):
        return text.replace("e-0", "e-")
    return re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)
)";

constexpr char kPythonSingle[] = R"(def single_or_none(values):
    if len(values) > 1:
        raise ValueError(f"expected a list of 0 or 1 elements, got {len(values)}")
    return values[0] if values else None
)";

constexpr char kPythonLength[] = R"(def length_of(value):
    """Characters as people count them, elements or entries."""
    return len(regex.findall(r"\X", value)) if isinstance(value, str) else len(value)
)";

}  // namespace

FunctionCode PythonCall(CallOf::Function function, const std::vector<std::string>& a) {
  using Function = CallOf::Function;
  switch (function) {
    case Function::kJoin:
      return {a[0] + ".join(" + a[1] + ")", "", "", {}};
    case Function::kSplit:  // Python splits by something only
      if (a[0] == "\"\"") return {"list(" + a[1] + ")", "", "list", {}};
      return {a[1] + ".split(" + a[0] + ")", "", "", {}};
    case Function::kSelect:
      return {a[1] + "[" + a[0] + "]", "", "", {}};
    case Function::kToJson:
      return {"to_json(" + a[0] + ")", kPythonJson, "to_json", {"decimal", "json", "re"}};
    case Function::kToBase64:
      return {"base64.b64encode(" + a[0] + ".encode()).decode()", "", "", {"base64"}};
    case Function::kFromBase64:
      return {"base64.b64decode(" + a[0] + ").decode()", "", "", {"base64"}};
    case Function::kSha1:
      return {"hashlib.sha1(" + a[0] + ".encode()).hexdigest()", "", "", {"hashlib"}};
    case Function::kLength:
      return {"len(" + a[0] + ")", "", "len", {}};
    case Function::kTextLength:
      return {"length_of(" + a[0] + ")", kPythonLength, "length_of", {"regex"}};
    case Function::kSingleOrNone:
      return {"single_or_none(" + a[0] + ")", kPythonSingle, "single_or_none", {}};
    case Function::kReadFile:  // bytes: a text file would lose its line ends
      return {"pathlib.Path(" + a[0] + ").read_bytes().decode()", "", "", {"pathlib"}};
    case Function::kFileBase64:
      return {"base64.b64encode(pathlib.Path(" + a[0] + ").read_bytes()).decode()", "", "", {"base64", "pathlib"}};
    case Function::kFileBase64Sha256:
      return {"base64.b64encode(hashlib.sha256(pathlib.Path(" + a[0] + ").read_bytes()).digest()).decode()",
              "",
              "",
              {"base64", "hashlib", "pathlib"}};
    case Function::kSecret:
      return {"pulumi.Output.secret(" + a[0] + ")", "", "", {}};
    case Function::kUnsecret:
      return {"pulumi.Output.unsecret(" + a[0] + ")", "", "", {}};
    case Function::kText:
    case Function::kNone:
      break;
  }
  return {"as_text(" + a[0] + ")", kPythonText, "as_text", {}};
}

std::set<std::string> PythonFunctionNames() {
  return {"abs",     "as_text",   "base64",         "decimal",    "dict",  "float",     "format", "hashlib", "int",
          "json",    "len",       "list",           "max",        "next",  "ord",       "os",     "pathlib", "range",
          "re",      "regex",     "repr",           "sorted",     "str",   "tuple",     "value",  "values",  "bool",
          "to_json", "length_of", "single_or_none", "isinstance", "found", "ValueError"};
}

}  // namespace kingpost::codegen
