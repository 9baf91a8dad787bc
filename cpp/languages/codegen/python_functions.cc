// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/program_writer.h"

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

constexpr FunctionForm kPythonFunctions[] = {
    {"join", "$0.join($1)"},
    {"split", "$1.split($0)"},
    {kSplitByNothing, "list($1)", "list"},  // Python splits by something only
    {"select", "$1[$0]"},
    {"toJSON", "to_json($0)", "to_json", kPythonJson, {"decimal", "json", "re"}},
    {"toBase64", "base64.b64encode($0.encode()).decode()", "", "", {"base64"}},
    {"fromBase64", "base64.b64decode($0).decode()", "", "", {"base64"}},
    {"sha1", "hashlib.sha1($0.encode()).hexdigest()", "", "", {"hashlib"}},
    {"length", "len($0)", "len"},
    {kTextLength, "length_of($0)", "length_of", kPythonLength, {"regex"}},
    {"singleOrNone", "single_or_none($0)", "single_or_none", kPythonSingle},
    // Bytes: a text file would lose its line ends.
    {"readFile", "pathlib.Path($0).read_bytes().decode()", "", "", {"pathlib"}},
    {"filebase64", "base64.b64encode(pathlib.Path($0).read_bytes()).decode()", "", "", {"base64", "pathlib"}},
    {"filebase64sha256",
     "base64.b64encode(hashlib.sha256(pathlib.Path($0).read_bytes()).digest()).decode()",
     "",
     "",
     {"base64", "hashlib", "pathlib"}},
    {"secret", "pulumi.Output.secret($0)"},
    {"unsecret", "pulumi.Output.unsecret($0)"},
    {kAsText, "as_text($0)", "as_text", kPythonText},
    {"getOutput", "$0.get_output($1)"},
    {"cwd", "os.getcwd()", "", "", {"os"}},
    {"project", "pulumi.get_project()"},
    {"stack", "pulumi.get_stack()"},
    {"organization", "pulumi.get_organization()"},
    {"rootDirectory", "pulumi.get_root_directory()"},
    {kNoParent, "pulumi.ROOT_STACK_RESOURCE"},
    {"stringAsset", "pulumi.StringAsset($0)", "pulumi.StringAsset"},
    {"fileAsset", "pulumi.FileAsset($0)", "pulumi.FileAsset"},
    {"remoteAsset", "pulumi.RemoteAsset($0)", "pulumi.RemoteAsset"},
    {"assetArchive", "pulumi.AssetArchive($0)", "pulumi.AssetArchive"},
    {"fileArchive", "pulumi.FileArchive($0)", "pulumi.FileArchive"},
    {"remoteArchive", "pulumi.RemoteArchive($0)", "pulumi.RemoteArchive"},
};

constexpr const char* kPythonNames[] = {
    "abs",     "as_text",   "base64",         "decimal",    "dict",  "float",     "format", "hashlib", "int",
    "json",    "len",       "list",           "max",        "next",  "ord",       "os",     "pathlib", "range",
    "re",      "regex",     "repr",           "sorted",     "str",   "tuple",     "value",  "values",  "bool",
    "to_json", "length_of", "single_or_none", "isinstance", "found", "ValueError"};

}  // namespace

Functions PythonFunctions() { return {kPythonFunctions, kPythonNames}; }

}  // namespace kingpost::codegen
