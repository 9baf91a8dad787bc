// SPDX-License-Identifier: Apache-2.0
// TypeScript, and JavaScript where no type has to be said.
#include "base/text.h"
#include "languages/codegen/program_writer.h"
#include "languages/codegen/writers.h"

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
    {"toJSON", "toJson($0)", {}, "toJson", kNodeJson},
    {"toBase64", "Buffer.from($0).toString(\"base64\")"},
    {"fromBase64", "Buffer.from($0, \"base64\").toString(\"utf8\")"},
    {"sha1", "crypto.createHash(\"sha1\").update($0).digest(\"hex\")", {"crypto"}},
    {"length", "lengthOf($0)", {}, "lengthOf", kNodeLength},
    {kTextLength, "lengthOf($0)", {}, "lengthOf", kNodeLength},
    {"singleOrNone", "singleOrNone($0)", {}, "singleOrNone", kNodeSingle},
    {"readFile", "fs.readFileSync($0, \"utf8\")", {"fs"}},
    {"filebase64", "fs.readFileSync($0, \"base64\")", {"fs"}},
    {"filebase64sha256",
     "crypto.createHash(\"sha256\").update(fs.readFileSync($0)).digest(\"base64\")",
     {"crypto", "fs"}},
    {"secret", "pulumi.secret($0)"},
    {"unsecret", "pulumi.unsecret($0)"},
    {kAsText, "asText($0)", {}, "asText", kNodeText},
    {"getOutput", "$0.getOutput($1)"},
    {"cwd", "process.cwd()"},
    {"project", "pulumi.getProject()"},
    {"stack", "pulumi.getStack()"},
    {"organization", "pulumi.getOrganization()"},
    {"rootDirectory", "pulumi.getRootDirectory()"},
    {kNoParent, "pulumi.rootStackResource"},
    {"stringAsset", "new pulumi.asset.StringAsset($0)", {}, "text => new pulumi.asset.StringAsset(text)"},
    {"fileAsset", "new pulumi.asset.FileAsset($0)", {}, "text => new pulumi.asset.FileAsset(text)"},
    {"remoteAsset", "new pulumi.asset.RemoteAsset($0)", {}, "text => new pulumi.asset.RemoteAsset(text)"},
    {"assetArchive", "new pulumi.asset.AssetArchive($0)", {}, "content => new pulumi.asset.AssetArchive(content)"},
    {"fileArchive", "new pulumi.asset.FileArchive($0)", {}, "content => new pulumi.asset.FileArchive(content)"},
    {"remoteArchive", "new pulumi.asset.RemoteArchive($0)", {}, "content => new pulumi.asset.RemoteArchive(content)"},
};

constexpr const char* kNodeNames[] = {"Array",  "Buffer",   "Error",        "Intl",   "JSON",  "Number",
                                      "Object", "String",   "asText",       "crypto", "found", "fs",
                                      "key",    "lengthOf", "singleOrNone", "toJson", "value", "values"};

// Between backquotes.
std::string NodeTemplatePart(const std::string& text) { return Replaced(Escaped(text, "`\\"), "${", "\\${"); }

std::string NodeText(const std::string& text) {
  return IsProse(text) ? "`" + NodeTemplatePart(text) + "`" : Quoted(text);
}

std::string NodeKey(const std::string& name, bool) {
  if (name == "__proto__") return "[\"__proto__\"]: ";  // else it would set the object's prototype
  return (IsIdentifier(name) ? name : Quoted(name)) + ": ";
}

std::string NodeAlias(const std::string& package) {
  const std::string alias = Replaced(Replaced(package, "-", "_"), ".", "_");
  return IsTypeScriptKeyword(alias) ? "_" + alias : alias;
}

std::string NodeFunction(const std::string& token) { return schema::NameOfToken(token) + "Output"; }

// An object's type is written out only where it is of use: the values are checked by who takes them.
Language NodeLanguage(ModuleKind modules) {
  const char* object_getter = modules == ModuleKind::kImport ? "Object<any>" : "Object";
  return {
      .notation = {NodeText, "true", "false", "null", NodeKey, PlainAttribute, /*spaced=*/true},
      .functions = {kNodeFunctions, kNodeNames},
      .names = Identifiers::Style::kAsIs,
      .is_keyword = IsTypeScriptKeyword,
      .sdk = NodeSdk,
      .alias = NodeAlias,
      .provider_function = NodeFunction,
      .declares = "const ",
      .ends = ";\n",
      .constructs = "new ",
      .comment = "// ",
      .getters = {"", "Boolean", "Number", "Number", object_getter, object_getter},
      .secret_getter = "Secret",
      .with_default = " ?? $1",
      .default_depth = 0,
      .wrap = "pulumi.output($0)",
      .all = "pulumi.all([$0])",
      .of_parameter = "value => ",
      .of_parameters = "values => ",
      .exports_are_names = true,
  };
}

class NodeWriter final : public ProgramWriter {
 public:
  NodeWriter(const Program& program, ModuleKind modules)
      : ProgramWriter(program, NodeLanguage(modules)), kind_(modules) {}

 private:
  std::string Import(const std::string& alias, const std::string& package) const {
    if (kind_ == ModuleKind::kRequire) return "const " + alias + " = require(" + Quoted(package) + ");\n";
    return "import * as " + alias + " from " + Quoted(package) + ";\n";
  }

  std::string Head() const override {
    std::string text;
    for (const std::string& module : modules_) text += Import(module, module);
    text += Import("pulumi", "@pulumi/pulumi");
    for (const auto& [package, import] : imports_) text += Import(NodeAlias(package), import);
    for (const std::string& helper : helpers_) text += "\n" + helper;
    return text;
  }

  std::string Export(const NamedExpression& output) const override {
    const std::string value = Text(*output.value, 0);
    const bool identifier = IsIdentifier(output.name) && !IsTypeScriptKeyword(output.name);
    if (kind_ == ModuleKind::kImport && identifier && taken_.count(output.name) == 0) {
      return "export const " + output.name + " = " + value;
    }
    return "exports" + (identifier ? "." + output.name : "[" + Quoted(output.name) + "]") + " = " + value;
  }

  // Inputs and options have a line each, as the reference writes them: programs compare the text with what they expect.
  std::string Arguments(const Resource& resource, const std::string& opening) const override {
    const bool has_inputs = !resource.inputs.empty(), has_options = !resource.options.empty();
    std::string text = opening;
    if (resource.kind == Resource::Kind::kComponent) text += Quoted(resource.token) + ", ";
    text += Quoted(resource.name);
    if (resource.kind == Resource::Kind::kRead) {
      text += ", " + Text(*resource.id, 0);
      if (has_inputs) text += ", " + Fields(resource.inputs, true, 0);
      if (!has_inputs && has_options) text += ", undefined";
    } else if (has_inputs || has_options) {
      text += ", " + Fields(resource.inputs, true, 0, kLineMax);
    }
    return text + (has_options ? ", " + Fields(resource.options, true, 0, kLineMax) : "") + ")";
  }

  std::string Arguments(const Invocation& invocation, const std::string& opening, int depth) const override {
    std::vector<std::string> arguments;
    if (program_.functions.at(invocation.token).takes_arguments) {
      arguments.push_back(Fields(invocation.arguments, true, depth));
    }
    if (!invocation.options.empty()) arguments.push_back(Fields(invocation.options, true, depth));
    return opening + Joined(arguments, ", ") + ")";
  }

  // The types say that what a schema does not promise may be missing; who takes it asks for a value.
  std::string TextOf(const PropertyRef& reference) const override {
    return ProgramWriter::TextOf(reference) + (reference.optional ? ".apply(value => value!)" : "");
  }

  // Parts of what comes later are asked for at once, when it has come: any of them may be missing ("?.name", "?.[0]").
  std::string PathText(const PathStep& step, int depth) const override {
    std::string path;
    const Expression* whole = nullptr;
    for (std::optional<PathStep> at = step; at; at = pcl::LastStepOf(*whole)) {
      whole = at->whole.get();
      const std::string next = Step(at->key, at->named);
      const char* may_miss = !deferred_.Is(*whole) ? "" : next.starts_with('.') ? "?" : "?.";
      path = may_miss + next + path;
    }
    const auto* property = whole->as<PropertyRef>();
    const std::string base = property ? TextOf(PropertyRef{property->key, property->property}) : Text(*whole, depth);
    return deferred_.Is(*whole) ? base + ".apply(value => value" + path + "!)" : base + path;
  }

  using ProgramWriter::TextOf;
  std::string TextOf(const Template& joined, int depth) const override {
    return (deferred_.HoldsAny(joined.parts) ? "pulumi.interpolate`" : "`") +
           Interpolated(joined, NodeTemplatePart, depth) + "`";
  }

  const ModuleKind kind_;
};

}  // namespace

Functions NodeFunctions() { return {kNodeFunctions, kNodeNames}; }

std::string WriteTypeScript(const Program& program, ModuleKind modules) { return NodeWriter(program, modules).Write(); }

}  // namespace kingpost::codegen
