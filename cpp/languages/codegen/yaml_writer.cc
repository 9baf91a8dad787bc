// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <set>

#include "languages/codegen/layout.h"
#include "languages/codegen/packages.h"
#include "languages/codegen/writers.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

// A value: what stands on the line of its key, and the lines below it.
struct YamlBlock {
  std::string head;
  std::vector<std::string> lines;
};
using YamlLines = std::vector<std::string>;

bool IsYamlWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '/' || c == '.' || c == '@';
}

// Stands without quotes, for every reader of YAML 1.1 and 1.2.
bool IsPlain(const std::string& text) {
  static const std::set<std::string> kOthers = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  if (text.empty() || !(IsIdentifier(text.substr(0, 1)) || text[0] == '/')) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool colon = text[i] == ':' && i + 1 < text.size() && IsYamlWord(text[i + 1]);
    const bool space = text[i] == ' ' && i + 1 < text.size() && IsYamlWord(text[i + 1]);
    if (!colon && !space && !IsYamlWord(text[i])) return false;
  }
  std::string small = text;
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
  return kOthers.count(small) == 0;
}

// "$" where it would begin an interpolation, or make another one plain.
std::string WithoutInterpolation(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = text[i] == '$' && i + 1 < text.size() && (text[i + 1] == '{' || text[i + 1] == '$');
    out += begins ? "$$" : std::string(1, text[i]);
  }
  return out;
}

bool FitsLiteralBlock(const std::string& text) {
  const bool clean = EscapedLines(text, "") == text && text.front() != ' ' && text.front() != '\n';
  const bool ends_once = text.size() < 2 || text.substr(text.size() - 2) != "\n\n";
  return IsProse(text) && clean && ends_once && text.find(" \n") == std::string::npos;
}

YamlBlock YamlText(const std::string& text) {
  const std::string escaped = WithoutInterpolation(text);
  if (!FitsLiteralBlock(escaped)) return {IsPlain(escaped) ? escaped : Quoted(escaped), {}};
  YamlBlock block{escaped.back() == '\n' ? "|" : "|-", {}};
  for (size_t at = 0; at < escaped.size();) {
    const size_t end = std::min(escaped.find('\n', at), escaped.size());
    block.lines.push_back(escaped.substr(at, end - at));
    at = end + 1;
  }
  return block;
}

std::string YamlKey(const std::string& name) {
  const std::string escaped = WithoutInterpolation(name);
  return IsPlain(escaped) && escaped.find(':') == std::string::npos ? escaped : Quoted(escaped);
}

YamlBlock YamlLiteral(const Value& value) {
  if (value.is_string()) return YamlText(value.as_string());
  if (value.is_bool()) return {value.as_bool() ? "true" : "false", {}};
  return {value.is_number() ? pcl::NumberText(value.as_number()) : "null", {}};
}

void AddEntry(const std::string& opening, const YamlBlock& block, YamlLines* lines) {
  lines->push_back(opening + (block.head.empty() ? "" : " " + block.head));
  for (const std::string& line : block.lines) lines->push_back(line.empty() ? "" : "  " + line);
}

std::string YamlType(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kText:
      return "string";
    case Setting::Kind::kBool:
      return "boolean";
    case Setting::Kind::kInteger:
      return "integer";
    case Setting::Kind::kNumber:
      return "number";
    case Setting::Kind::kObject:
    case Setting::Kind::kList:
      break;
  }
  return "object";
}

// ".name", "[0]", "[\"a key\"]"
std::string YamlStep(const Value& key) {
  if (!key.is_string()) return "[" + pcl::NumberText(key.as_number()) + "]";
  return IsIdentifier(key.as_string()) ? "." + key.as_string() : "[" + Quoted(key.as_string()) + "]";
}

class YamlWriter {
 public:
  explicit YamlWriter(const Program& program)
      : program_(program),
        variables_(NameAll(program, Identifiers(Identifiers::Style::kAsIs,
                                                [](const std::string& name) { return name == "pulumi"; }, {}))) {}

  std::string Write() {
    YamlLines lines;
    if (!program_.settings.empty()) AddEntry("configuration:", Settings(), &lines);
    YamlBlock variables;
    for (const Variable& variable : program_.variables) {
      AddEntry(YamlKey(variables_.variables.at(variable.name)) + ":", Text(*variable.value), &variables.lines);
    }
    if (!variables.lines.empty()) AddEntry("variables:", variables, &lines);
    YamlBlock resources;
    for (const Resource& resource : program_.resources) {
      if (resource.kind == Resource::Kind::kComponent) {
        resources.lines.push_back("# The component " + Quoted(resource.name) + " of the type " + resource.token +
                                  " has no form in YAML; its children are declared without it.");
      } else {
        AddEntry(YamlKey(variables_.resources.at(resource.key)) + ":", Declaration(resource), &resources.lines);
      }
    }
    if (!resources.lines.empty()) AddEntry("resources:", resources, &lines);
    if (!program_.outputs.empty()) AddEntry("outputs:", Fields(program_.outputs), &lines);
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }

 private:
  YamlBlock Settings() const {
    YamlBlock block;
    for (const Setting& setting : program_.settings) {
      const bool list = setting.kind == Setting::Kind::kList;
      const std::string type = list ? "list<" + YamlType(setting.element) + ">" : YamlType(setting.kind);
      YamlBlock declared{"", {"type: " + type}};
      if (setting.secret) declared.lines.push_back("secret: true");
      if (setting.default_value) AddEntry("default:", Text(*setting.default_value), &declared.lines);
      AddEntry(YamlKey(setting.name) + ":", declared, &block.lines);
    }
    return block;
  }

  bool IsLocal(const std::string& key) const {
    return std::any_of(program_.resources.begin(), program_.resources.end(), [&](const Resource& resource) {
      return resource.key == key && resource.kind == Resource::Kind::kComponent;
    });
  }

  YamlBlock Declaration(const Resource& resource) const {
    YamlBlock block;
    block.lines.push_back("type: " + YamlText(ShortToken(resource.token, program_.packages)).head);
    if (variables_.resources.at(resource.key) != resource.name) {
      block.lines.push_back("name: " + YamlText(resource.name).head);
    }
    if (resource.kind == Resource::Kind::kRead) {
      YamlBlock get;
      AddEntry("id:", resource.id_value ? Text(*resource.id_value) : YamlText(resource.id), &get.lines);
      if (!resource.inputs.empty()) AddEntry("state:", Fields(resource.inputs), &get.lines);
      AddEntry("get:", get, &block.lines);
    } else if (!resource.inputs.empty()) {
      AddEntry("properties:", Fields(resource.inputs), &block.lines);
    }
    if (const YamlBlock options = Options(resource); !options.lines.empty())
      AddEntry("options:", options, &block.lines);
    return block;
  }

  YamlBlock Options(const Resource& resource) const {
    YamlBlock block;
    for (const Field& option : resource.options) {
      const auto* reference = std::get_if<ResourceRef>(&option.value->node);
      if (reference && IsLocal(reference->key)) continue;
      AddEntry(option.name + ":", Text(*option.value), &block.lines);
    }
    // There is no SDK to tell the version.
    if (!resource.plugin_version.empty()) AddEntry("version:", {Quoted(resource.plugin_version), {}}, &block.lines);
    return block;
  }

  YamlBlock Fields(const std::vector<Field>& fields) const {
    YamlBlock block;
    for (const Field& field : fields) {
      const auto* place = std::get_if<PlaceOf>(&field.value->node);
      if (place && place->what == PlaceOf::What::kNoParent) {
        block.lines.push_back("noParent: true");
      } else {
        AddEntry(YamlKey(field.name) + ":", Text(*field.value), &block.lines);
      }
    }
    if (block.lines.empty()) block.head = "{}";
    return block;
  }

  YamlBlock Function(const std::string& name, const YamlBlock& argument) const {
    YamlBlock block;
    AddEntry("fn::" + name + ":", argument, &block.lines);
    return block;
  }

  YamlBlock Text(const Expression& expression) const {
    return std::visit([&](const auto& node) { return TextOf(node); }, expression.node);
  }

  YamlBlock TextOf(const Literal& literal) const { return YamlLiteral(literal.value); }
  YamlBlock TextOf(const ListOf& list) const {
    YamlBlock block;
    for (const ExpressionPtr& element : list.elements) {
      YamlBlock inner = Text(*element);
      if (inner.head.empty() && !inner.lines.empty()) {  // a list or an object begins beside the dash
        inner.head = inner.lines.front();
        inner.lines.erase(inner.lines.begin());
      }
      AddEntry("-", inner, &block.lines);
    }
    if (block.lines.empty()) block.head = "[]";
    return block;
  }
  YamlBlock TextOf(const ObjectOf& object) const { return Fields(object.fields); }
  // What stands in ${...}; "" if it is no path.
  std::string Path(const Expression& expression) const {
    const auto& node = expression.node;
    if (const auto* reference = std::get_if<ResourceRef>(&node)) return variables_.resources.at(reference->key);
    if (const auto* reference = std::get_if<PropertyRef>(&node)) {
      return variables_.resources.at(reference->key) + YamlStep(Value(reference->property));
    }
    if (const auto* reference = std::get_if<SettingRef>(&node)) return reference->name;
    if (const auto* reference = std::get_if<VariableRef>(&node)) return variables_.variables.at(reference->name);
    if (const auto* place = std::get_if<PlaceOf>(&node)) {
      static constexpr const char* kNames[] = {"cwd", "project", "stack", "organization", "rootDirectory"};
      return std::string("pulumi.") + kNames[static_cast<int>(place->what)];
    }
    const auto* call = std::get_if<CallOf>(&node);
    if (call && call->function == CallOf::Function::kText) return Path(*call->arguments[0]);
    const auto* part = std::get_if<PartOf>(&node);
    const std::string whole = part ? Path(*part->whole) : "";
    return whole.empty() ? "" : whole + YamlStep(part->key);
  }
  YamlBlock Reference(const Expression& expression) const { return {"${" + Path(expression) + "}", {}}; }
  YamlBlock TextOf(const ResourceRef& reference) const { return Reference(Expression{reference}); }
  YamlBlock TextOf(const PropertyRef& reference) const { return Reference(Expression{reference}); }
  YamlBlock TextOf(const SettingRef& reference) const { return Reference(Expression{reference}); }
  YamlBlock TextOf(const VariableRef& reference) const { return Reference(Expression{reference}); }
  YamlBlock TextOf(const PlaceOf& place) const { return Reference(Expression{place}); }
  YamlBlock TextOf(const PartOf& part) const {
    const auto* invoke = std::get_if<InvokeOf>(&part.whole->node);
    if (invoke && part.key.is_string()) return Invocation(*invoke, part.key.as_string());
    return Reference(Expression{part});
  }
  YamlBlock TextOf(const JoinedText& joined) const {
    std::string text;
    for (const ExpressionPtr& part : joined.parts) {
      const auto* literal = std::get_if<Literal>(&part->node);
      const bool plain = literal && literal->value.is_string();
      text += plain ? WithoutInterpolation(literal->value.as_string()) : "${" + Path(*part) + "}";
    }
    return {Quoted(text), {}};
  }
  YamlBlock TextOf(const CallOf& call) const {
    static constexpr const char* kNames[] = {"join",       "split",      "select",           "toJSON", "toBase64",
                                             "fromBase64", "sha1",       "length",           "length", "singleOrNone",
                                             "readFile",   "filebase64", "filebase64sha256", "secret", "unsecret"};
    if (call.function == CallOf::Function::kText) return Text(*call.arguments[0]);
    const std::string name = kNames[static_cast<int>(call.function)];
    return Function(name, call.arguments.size() == 1 ? Text(*call.arguments[0]) : TextOf(ListOf{call.arguments}));
  }
  YamlBlock TextOf(const InvokeOf& invoke) const { return Invocation(invoke, ""); }
  YamlBlock Invocation(const InvokeOf& invoke, const std::string& wanted) const {
    YamlBlock block;
    block.lines.push_back("function: " + YamlText(ShortToken(invoke.token, program_.packages)).head);
    if (!invoke.arguments.empty()) AddEntry("arguments:", Fields(invoke.arguments), &block.lines);
    if (!invoke.options.empty()) AddEntry("options:", Fields(invoke.options), &block.lines);
    if (!wanted.empty()) block.lines.push_back("return: " + YamlText(wanted).head);
    return Function("invoke", block);
  }
  YamlBlock TextOf(const AssetOf& asset) const {
    static constexpr const char* kNames[] = {"stringAsset", "fileAsset", "remoteAsset"};
    return Function(kNames[static_cast<int>(asset.kind)], Text(*asset.content));
  }
  YamlBlock TextOf(const ArchiveOf& archive) const {
    static constexpr const char* kNames[] = {"assetArchive", "fileArchive", "remoteArchive"};
    const bool holds = archive.kind == ArchiveData::Kind::kAssets;
    return Function(kNames[static_cast<int>(archive.kind)], holds ? Fields(archive.assets) : Text(*archive.content));
  }

  const Program& program_;
  const Variables variables_;
};

}  // namespace

std::string WriteYaml(const Program& program) { return YamlWriter(program).Write(); }

}  // namespace kingpost::codegen
