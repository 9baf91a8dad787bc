// SPDX-License-Identifier: Apache-2.0
// The language that plugins of other languages write programs from.
#include <set>

#include "languages/codegen/deferred_values.h"
#include "languages/codegen/functions.h"
#include "languages/codegen/layout.h"
#include "languages/codegen/packages.h"
#include "languages/codegen/writers.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

// Both sequences that stand for something else in a text there.
std::string PclText(const std::string& text) {
  std::string quoted;
  const std::string plain = Quoted(text);
  for (size_t i = 0; i < plain.size(); ++i) {
    const bool begins = (plain[i] == '$' || plain[i] == '%') && i + 1 < plain.size() && plain[i + 1] == '{';
    quoted += begins ? std::string(2, plain[i]) : std::string(1, plain[i]);
  }
  return quoted;
}

std::string PclLiteral(const Value& value) {
  if (value.is_string()) return PclText(value.as_string());
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  return value.is_number() ? pcl::NumberText(value.as_number()) : "null";
}

const char* PclType(const Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kText:
      return "string";
    case Setting::Kind::kBool:
      return "bool";
    case Setting::Kind::kInteger:
      return "int";
    case Setting::Kind::kNumber:
      return "number";
    case Setting::Kind::kObject:
      return "map(any)";
    case Setting::Kind::kList:
      break;
  }
  return "list(any)";
}

bool IsPclWord(const std::string& name) {
  static const std::set<std::string> kWords = {"null", "true",  "false",   "for",   "in",
                                               "if",   "range", "options", "config"};
  return kWords.count(name) > 0;
}

// Options whose texts are paths into the resource, which stand there without quotes.
bool HoldsPaths(const std::string& option) {
  return option == "ignoreChanges" || option == "replaceOnChanges" || option == "additionalSecretOutputs" ||
         option == "hideDiffs";
}

class PclWriter {
 public:
  explicit PclWriter(const Program& program)
      : program_(program), variables_(NameAll(program, Identifiers(Identifiers::Style::kAsIs, IsPclWord, {}))) {}

  std::string Write() const {
    std::string text;
    for (const Setting& setting : program_.settings) text += Config(setting);
    for (const Statement& statement : StatementsOf(program_)) {
      text += text.empty() ? "" : "\n";
      if (statement.resource) {
        text += Declaration(*statement.resource);
      } else {
        text += variables_.variables.at(statement.variable->name) + " = " + Text(*statement.variable->value, 0) + "\n";
      }
    }
    for (const Field& output : program_.outputs) {
      text += "\noutput " + Quoted(output.name) + " {\n    value = " + Text(*output.value, 1) + "\n}\n";
    }
    return text;
  }

 private:
  std::string Config(const Setting& setting) const {
    std::string text = "config " + variables_.settings.at(setting.name) + " \"" + PclType(setting.kind) + "\" {\n";
    if (variables_.settings.at(setting.name) != setting.name) {
      text += "    __logicalName = " + PclText(setting.name) + "\n";
    }
    if (setting.default_value) text += "    default = " + Text(*setting.default_value, 1) + "\n";
    return text + "}\n";
  }

  std::string Declaration(const Resource& resource) const {
    const std::string& variable = variables_.resources.at(resource.key);
    std::string text = "resource " + variable + " " + PclText(resource.token) + " {\n";
    if (variable != resource.name) text += "    __logicalName = " + PclText(resource.name) + "\n";
    for (const Field& input : resource.inputs) {
      text += "    " + input.name + " = " + Text(*input.value, 1) + "\n";
    }
    if (!resource.options.empty()) {
      text += "    options {\n";
      for (const Field& option : resource.options) {
        text += "        " + option.name + " = " + OptionText(option) + "\n";
      }
      text += "    }\n";
    }
    return text + "}\n";
  }

  std::string OptionText(const Field& option) const {
    const auto* list = std::get_if<ListOf>(&option.value->node);
    if (!list || !HoldsPaths(option.name)) return Text(*option.value, 2);
    std::vector<std::string> paths;
    for (const ExpressionPtr& path : list->elements) {
      const auto* literal = std::get_if<Literal>(&path->node);
      paths.push_back(literal && literal->value.is_string() ? literal->value.as_string() : Text(*path, 3));
    }
    return Bracketed({"[", "]"}, paths, 2, false);
  }

  std::string Fields(const std::vector<Field>& fields, bool typed, int depth) const {
    std::vector<std::string> entries;
    for (const Field& field : fields) {
      const bool plain = typed && IsIdentifier(field.name);
      entries.push_back((plain ? field.name : PclText(field.name)) + " = " + Text(*field.value, depth + 1));
    }
    return Bracketed({"{", "}"}, entries, depth, true);
  }

  std::string Text(const Expression& expression, int depth) const {
    return std::visit([&](const auto& node) { return TextOf(node, depth); }, expression.node);
  }
  std::string Step(const Value& key) const {
    const bool plain = key.is_string() && IsIdentifier(key.as_string());
    return plain ? "." + key.as_string() : "[" + PclLiteral(key) + "]";
  }

  std::string TextOf(const Literal& literal, int) const { return PclLiteral(literal.value); }
  std::string TextOf(const ListOf& list, int depth) const {
    std::vector<std::string> elements;
    for (const ExpressionPtr& element : list.elements) elements.push_back(Text(*element, depth + 1));
    return Bracketed({"[", "]"}, elements, depth, false);
  }
  std::string TextOf(const ObjectOf& object, int depth) const { return Fields(object.fields, object.typed, depth); }
  std::string TextOf(const ResourceRef& reference, int) const { return variables_.resources.at(reference.key); }
  std::string TextOf(const PropertyRef& reference, int) const {
    return variables_.resources.at(reference.key) + Step(Value(reference.property));
  }
  // A setting is no secret there by itself.
  std::string TextOf(const SettingRef& reference, int) const {
    const std::string& name = variables_.settings.at(reference.name);
    for (const Setting& setting : program_.settings) {
      if (setting.name == reference.name && setting.secret) return "secret(" + name + ")";
    }
    return name;
  }
  std::string TextOf(const VariableRef& reference, int) const { return variables_.variables.at(reference.name); }
  std::string TextOf(const PartOf& part, int depth) const { return Text(*part.whole, depth) + Step(part.key); }
  std::string TextOf(const JoinedText& joined, int depth) const {
    std::string text;
    for (const ExpressionPtr& part : joined.parts) {
      const auto* literal = std::get_if<Literal>(&part->node);
      if (literal && literal->value.is_string()) {
        const std::string quoted = PclText(literal->value.as_string());
        text += quoted.substr(1, quoted.size() - 2);
      } else {
        text += "${" + Text(*part, depth) + "}";
      }
    }
    return "\"" + text + "\"";
  }
  std::string TextOf(const CallOf& call, int depth) const {
    static constexpr const char* kNames[] = {"join",       "split",      "element",          "toJSON", "toBase64",
                                             "fromBase64", "sha1",       "length",           "length", "singleOrNone",
                                             "readFile",   "filebase64", "filebase64sha256", "secret", "unsecret"};
    if (call.function == CallOf::Function::kText) return Text(*call.arguments[0], depth);
    std::vector<ExpressionPtr> arguments = call.arguments;
    if (call.function == CallOf::Function::kSelect) std::swap(arguments[0], arguments[1]);
    std::string text;
    for (const ExpressionPtr& argument : arguments) text += (text.empty() ? "" : ", ") + Text(*argument, depth);
    return std::string(kNames[static_cast<int>(call.function)]) + "(" + text + ")";
  }
  std::string TextOf(const InvokeOf& invoke, int depth) const {
    std::string text = "invoke(" + PclText(invoke.token) + ", " + Fields(invoke.arguments, true, depth);
    if (!invoke.options.empty()) text += ", " + Fields(invoke.options, true, depth);
    return text + ")";
  }
  std::string TextOf(const PlaceOf& place, int) const {
    static constexpr const char* kNames[] = {"cwd()",          "project()",       "stack()",
                                             "organization()", "rootDirectory()", "null"};
    return kNames[static_cast<int>(place.what)];
  }
  std::string TextOf(const AssetOf& asset, int depth) const {
    static constexpr const char* kNames[] = {"stringAsset", "fileAsset", "remoteAsset"};
    return std::string(kNames[static_cast<int>(asset.kind)]) + "(" + Text(*asset.content, depth) + ")";
  }
  std::string TextOf(const ArchiveOf& archive, int depth) const {
    static constexpr const char* kNames[] = {"assetArchive", "fileArchive", "remoteArchive"};
    const bool holds = archive.kind == ArchiveData::Kind::kAssets;
    return std::string(kNames[static_cast<int>(archive.kind)]) + "(" +
           (holds ? Fields(archive.assets, false, depth) : Text(*archive.content, depth)) + ")";
  }

  const Program& program_;
  const Variables variables_;
};

}  // namespace

Result<std::string> WritePcl(const Program& program) {
  for (const Resource& resource : program.resources) {
    if (resource.kind == Resource::Kind::kManaged) continue;
    const bool read = resource.kind == Resource::Kind::kRead;
    return Status(Code::kUnimplemented,
                  "the resource '" + resource.name + "' of the type " + resource.token +
                      (read ? " is looked up by its ID" : " is a component of the program itself") +
                      ", which has no form that plugins of languages understand");
  }
  return PclWriter(program).Write();
}

}  // namespace kingpost::codegen
