// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "languages/codegen/program_writer.h"
#include "languages/codegen/writers.h"
#include "model/stack_reference.h"

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
    {kSplitByNothing, "list($1)", {}, "list"},  // Python splits by something only
    {"select", "$1[$0]"},
    {"toJSON", "to_json($0)", {"decimal", "json", "re"}, "to_json", kPythonJson},
    {"toBase64", "base64.b64encode($0.encode()).decode()", {"base64"}},
    {"fromBase64", "base64.b64decode($0).decode()", {"base64"}},
    {"sha1", "hashlib.sha1($0.encode()).hexdigest()", {"hashlib"}},
    {"length", "len($0)", {}, "len"},
    {kTextLength, "length_of($0)", {"regex"}, "length_of", kPythonLength},
    {"singleOrNone", "single_or_none($0)", {}, "single_or_none", kPythonSingle},
    // Bytes: a text file would lose its line ends.
    {"readFile", "pathlib.Path($0).read_bytes().decode()", {"pathlib"}},
    {"filebase64", "base64.b64encode(pathlib.Path($0).read_bytes()).decode()", {"base64", "pathlib"}},
    {"filebase64sha256",
     "base64.b64encode(hashlib.sha256(pathlib.Path($0).read_bytes()).digest()).decode()",
     {"base64", "hashlib", "pathlib"}},
    {"secret", "pulumi.Output.secret($0)"},
    {"unsecret", "pulumi.Output.unsecret($0)"},
    {kAsText, "as_text($0)", {}, "as_text", kPythonText},
    {"getOutput", "$0.get_output($1)"},
    {"cwd", "os.getcwd()", {"os"}},
    {"project", "pulumi.get_project()"},
    {"stack", "pulumi.get_stack()"},
    {"organization", "pulumi.get_organization()"},
    {"rootDirectory", "pulumi.get_root_directory()"},
    {kNoParent, "pulumi.ROOT_STACK_RESOURCE"},
    {"stringAsset", "pulumi.StringAsset($0)", {}, "pulumi.StringAsset"},
    {"fileAsset", "pulumi.FileAsset($0)", {}, "pulumi.FileAsset"},
    {"remoteAsset", "pulumi.RemoteAsset($0)", {}, "pulumi.RemoteAsset"},
    {"assetArchive", "pulumi.AssetArchive($0)", {}, "pulumi.AssetArchive"},
    {"fileArchive", "pulumi.FileArchive($0)", {}, "pulumi.FileArchive"},
    {"remoteArchive", "pulumi.RemoteArchive($0)", {}, "pulumi.RemoteArchive"},
};

constexpr const char* kPythonNames[] = {
    "abs",     "as_text",   "base64",         "decimal",    "dict",  "float",     "format", "hashlib", "int",
    "json",    "len",       "list",           "max",        "next",  "ord",       "os",     "pathlib", "range",
    "re",      "regex",     "repr",           "sorted",     "str",   "tuple",     "value",  "values",  "bool",
    "to_json", "length_of", "single_or_none", "isinstance", "found", "ValueError"};

// A text between quotes: of several lines, if it reads well as such. Quotes stand bare in it, unless they could end it.
std::string PythonText(const std::string& text) {
  if (!IsProse(text)) return Quoted(text);
  const bool ends_it = text.find("\"\"\"") != std::string::npos || text.back() == '"';
  return "\"\"\"" + Escaped(text, ends_it ? "\\\"" : "\\") + "\"\"\"";
}

std::string PythonKey(const std::string& name, bool typed) { return Quoted(typed ? PythonName(name) : name) + ": "; }

std::string PythonAttribute(const std::string& name, bool named) { return named ? "." + PythonName(name) : ""; }

std::string PythonAlias(const std::string& package) { return PythonName(package); }

std::string PythonFunction(const std::string& token) { return PythonFunctionName(token) + "_output"; }

constexpr Language kPython = {
    .notation = {PythonText, "True", "False", "None", PythonKey, PythonAttribute},
    .functions = {kPythonFunctions, kPythonNames},
    .names = Identifiers::Style::kSnake,
    .is_keyword = IsPythonKeyword,
    .sdk = PythonSdk,
    .alias = PythonAlias,
    .provider_function = PythonFunction,
    .declares = "",
    .ends = "\n",
    .constructs = "",
    .comment = "# ",
    .getters = {"", "_bool", "_int", "_float", "_object", "_object"},
    .secret_getter = "_secret",
    .with_default = "\nif $0 is None:\n    $0 = $1",
    .default_depth = 1,
    .wrap = "pulumi.Output.from_input($0)",
    .all = "pulumi.Output.all($0)",
    .of_parameter = "lambda value: ",
    .of_parameters = "lambda values: ",
};

// The constructor's name of an input.
std::string Parameter(const Resource& resource, const std::string& property) {
  return resource.token == kStackReferenceType && property == "name" ? "stack_name" : PythonParameter(property);
}

class PythonWriter final : public ProgramWriter {
 public:
  explicit PythonWriter(const Program& program) : ProgramWriter(program, kPython) {}

 private:
  std::string Head() const override {
    std::string text;
    for (const std::string& module : modules_) {
      if (module != "regex") text += "import " + module + "\n";
    }
    if (!text.empty()) text += '\n';
    text += "import pulumi\n";
    std::set<std::string> lines;
    for (const auto& [package, import] : imports_) {
      const std::string alias = PythonAlias(package);
      lines.insert("import " + import + (import == alias ? "" : " as " + alias) + "\n");
    }
    for (const std::string& line : lines) text += line;
    if (modules_.count("regex") > 0) text += "import regex\n";
    for (const std::string& helper : helpers_) text += "\n\n" + helper;
    return text + (helpers_.empty() ? "" : "\n");
  }

  std::string Export(const NamedExpression& output) const override {
    return "pulumi.export(" + Quoted(output.name) + ", " + Text(*output.value, 0) + ")";
  }

  std::string Arguments(const Resource& resource, const std::string& opening) const override {
    std::vector<std::string> arguments;
    if (resource.kind == Resource::Kind::kComponent) arguments.push_back(Quoted(resource.token));
    arguments.push_back(Quoted(resource.name));
    if (resource.kind == Resource::Kind::kRead) arguments.push_back(Text(*resource.id, 1));
    const auto parameter = [&](const std::string& name) { return Parameter(resource, name); };
    for (std::string& input : Assigned(resource.inputs, parameter, 1)) arguments.push_back(std::move(input));
    std::vector<std::string> options;
    for (const NamedExpression& option : resource.options) {
      options.push_back(PythonName(option.name) + "=" + OptionText(option, 2));
    }
    if (!options.empty()) arguments.push_back("opts=" + Bracketed("pulumi.ResourceOptions(", options, ")", 1));
    return Bracketed(opening, arguments, ")", 0, false, opening.size());
  }

  std::string OptionText(const NamedExpression& option, int depth) const {
    if (option.name == "customTimeouts") return Object("pulumi.CustomTimeouts(", *option.value, depth);
    if (option.name != "aliases") return Text(*option.value, depth);
    std::vector<std::string> aliases;
    for (const ExpressionPtr& alias : option.value->as<TupleLiteral>()->elements) {
      const bool object = alias->as<ObjectLiteral>() != nullptr;
      aliases.push_back(object ? Object("pulumi.Alias(", *alias, depth + 1) : Text(*alias, depth + 1));
    }
    return Bracketed("[", aliases, "]", depth);
  }

  std::string Object(const char* opening, const Expression& expression, int depth) const {
    const auto name_of = [](const std::string& name) { return name == "type" ? "type_" : name; };
    return Bracketed(opening, Assigned(FieldsOf(*expression.as<ObjectLiteral>()), name_of, depth + 1), ")", depth);
  }

  std::string Arguments(const Invocation& invocation, const std::string& opening, int depth) const override {
    std::vector<std::string> arguments = Assigned(invocation.arguments, PythonName, depth + 1);
    if (!invocation.options.empty()) {
      const std::vector<std::string> options = Assigned(invocation.options, PythonName, depth + 2);
      arguments.push_back("opts=" + Bracketed("pulumi.InvokeOutputOptions(", options, ")", depth + 1));
    }
    return Bracketed(opening, arguments, ")", depth);
  }

  std::vector<std::string> Assigned(const std::vector<NamedExpression>& given, const auto& name_of, int depth) const {
    std::vector<std::string> arguments;
    for (const NamedExpression& each : given) arguments.push_back(name_of(each.name) + "=" + Text(*each.value, depth));
    return arguments;
  }

  // An answer as a whole is an object of a class, with the names of Python: what is made of it has those of the schema.
  std::string Text(const Expression& expression, int depth) const override {
    const std::string text = Raw(expression, depth);
    const Call* invoke = FindCall(deferred_.ResolveValue(expression), kInvoke);
    if (!invoke) return text;
    std::vector<std::string> fields;
    for (const std::string& name : program_.functions.at(InvocationOf(*invoke).token).answers) {
      fields.push_back(Quoted(name) + ": value." + PythonName(name));
    }
    if (fields.empty()) return text;
    return text + ".apply(lambda value: {key: part for key, part in {" + Joined(fields, ", ") +
           "}.items() if part is not None})";
  }

  using ProgramWriter::TextOf;
  std::string TextOf(const Template& joined, int depth) const override {
    std::string form;
    std::vector<std::string> arguments;
    for (const ExpressionPtr& part : joined.parts) {
      if (const std::string* text = LiteralText(part)) {
        form += Doubled(*text, "{}");  // no fields of str.format
      } else {
        form += "{" + std::to_string(arguments.size()) + "}";
        arguments.push_back(Text(*part, depth + 1));
      }
    }
    if (!deferred_.HoldsAny(joined.parts)) return Bracketed(PythonText(form) + ".format(", arguments, ")", depth);
    arguments.insert(arguments.begin(), PythonText(form));
    return Bracketed("pulumi.Output.format(", arguments, ")", depth);
  }
};

}  // namespace

Functions PythonFunctions() { return {kPythonFunctions, kPythonNames}; }

std::string WritePython(const Program& program) { return PythonWriter(program).Write(); }

}  // namespace kingpost::codegen
