// SPDX-License-Identifier: Apache-2.0
#include "workspace/yaml_writer.h"

#include <algorithm>

#include "languages/codegen/layout.h"
#include "languages/codegen/packages.h"
#include "languages/codegen/writers.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

using Document = nlohmann::ordered_json;

// "$" where it would begin an interpolation, or make another one plain.
std::string WithoutInterpolation(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = text[i] == '$' && i + 1 < text.size() && (text[i + 1] == '{' || text[i + 1] == '$');
    out += begins ? "$$" : std::string(1, text[i]);
  }
  return out;
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
    std::string text;
    if (!program_.settings.empty()) text += YamlEntry("configuration", Settings(), 0);
    Document variables;
    for (const Variable& variable : program_.variables) {
      variables[WithoutInterpolation(variables_.variables.at(variable.name))] = Text(*variable.value);
    }
    if (!variables.empty()) text += YamlEntry("variables", variables, 0);
    if (!program_.resources.empty()) text += "resources:\n";
    for (const Resource& resource : program_.resources) {
      if (resource.kind == Resource::Kind::kComponent) {
        text += "  # The component " + Quoted(resource.name) + " of the type " + resource.token +
                " has no form in YAML; its children are declared without it.\n";
      } else {
        text += YamlEntry(WithoutInterpolation(variables_.resources.at(resource.key)), Declaration(resource), 2);
      }
    }
    if (!program_.outputs.empty()) text += YamlEntry("outputs", Fields(program_.outputs), 0);
    return text;
  }

 private:
  Document Settings() const {
    Document settings;
    for (const Setting& setting : program_.settings) {
      const bool list = setting.kind == Setting::Kind::kList;
      Document& declared = settings[WithoutInterpolation(setting.name)];
      declared["type"] = list ? "list<" + YamlType(setting.element) + ">" : YamlType(setting.kind);
      if (setting.secret) declared["secret"] = true;
      if (setting.default_value) declared["default"] = Text(*setting.default_value);
    }
    return settings;
  }

  bool IsLocal(const std::string& key) const {
    return std::any_of(program_.resources.begin(), program_.resources.end(), [&](const Resource& resource) {
      return resource.key == key && resource.kind == Resource::Kind::kComponent;
    });
  }

  Document Declaration(const Resource& resource) const {
    Document declared;
    declared["type"] = ShortToken(resource.token, program_.packages);
    if (variables_.resources.at(resource.key) != resource.name) declared["name"] = WithoutInterpolation(resource.name);
    if (resource.kind == Resource::Kind::kRead) {
      Document& get = declared["get"];
      get["id"] = resource.id_value ? Text(*resource.id_value) : Document(WithoutInterpolation(resource.id));
      if (!resource.inputs.empty()) get["state"] = Fields(resource.inputs);
    } else if (!resource.inputs.empty()) {
      declared["properties"] = Fields(resource.inputs);
    }
    if (const Document options = Options(resource); !options.empty()) declared["options"] = options;
    return declared;
  }

  Document Options(const Resource& resource) const {
    Document options;
    for (const Field& option : resource.options) {
      const auto* reference = std::get_if<ResourceRef>(&option.value->node);
      if (!reference || !IsLocal(reference->key)) options[option.name] = Text(*option.value);
    }
    // There is no SDK to tell the version.
    if (!resource.plugin_version.empty()) options["version"] = resource.plugin_version;
    return options;
  }

  Document Fields(const std::vector<Field>& fields) const {
    Document object = Document::object();
    for (const Field& field : fields) {
      const auto* place = std::get_if<PlaceOf>(&field.value->node);
      const bool no_parent = place && place->what == PlaceOf::What::kNoParent;
      object[no_parent ? "noParent" : WithoutInterpolation(field.name)] =
          no_parent ? Document(true) : Text(*field.value);
    }
    return object;
  }

  static Document Function(const std::string& name, Document argument) {
    return Document{{"fn::" + name, std::move(argument)}};
  }

  Document Text(const Expression& expression) const {
    return std::visit([&](const auto& node) { return TextOf(node); }, expression.node);
  }

  Document TextOf(const Literal& literal) const {
    const Value& value = literal.value;
    if (value.is_string()) return WithoutInterpolation(value.as_string());
    if (value.is_bool()) return value.as_bool();
    return value.is_number() ? Document(value.as_number()) : Document();
  }
  Document TextOf(const ListOf& list) const {
    Document elements = Document::array();
    for (const ExpressionPtr& element : list.elements) elements.push_back(Text(*element));
    return elements;
  }
  Document TextOf(const ObjectOf& object) const { return Fields(object.fields); }
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
  Document Reference(const Expression& expression) const { return "${" + Path(expression) + "}"; }
  Document TextOf(const ResourceRef& reference) const { return Reference(Expression{reference}); }
  Document TextOf(const PropertyRef& reference) const { return Reference(Expression{reference}); }
  Document TextOf(const SettingRef& reference) const { return Reference(Expression{reference}); }
  Document TextOf(const VariableRef& reference) const { return Reference(Expression{reference}); }
  Document TextOf(const PlaceOf& place) const { return Reference(Expression{place}); }
  Document TextOf(const PartOf& part) const {
    const auto* invoke = std::get_if<InvokeOf>(&part.whole->node);
    if (invoke && part.key.is_string()) return Invocation(*invoke, part.key.as_string());
    return Reference(Expression{part});
  }
  Document TextOf(const JoinedText& joined) const {
    std::string text;
    for (const ExpressionPtr& part : joined.parts) {
      const auto* literal = std::get_if<Literal>(&part->node);
      const bool plain = literal && literal->value.is_string();
      text += plain ? WithoutInterpolation(literal->value.as_string()) : "${" + Path(*part) + "}";
    }
    return text;
  }
  Document TextOf(const CallOf& call) const {
    if (call.function == CallOf::Function::kText) return Text(*call.arguments[0]);
    const std::string name = pcl::NameOf(call.function);
    return Function(name, call.arguments.size() == 1 ? Text(*call.arguments[0]) : TextOf(ListOf{call.arguments}));
  }
  Document TextOf(const InvokeOf& invoke) const { return Invocation(invoke, ""); }
  Document Invocation(const InvokeOf& invoke, const std::string& wanted) const {
    Document call{{"function", ShortToken(invoke.token, program_.packages)}};
    if (!invoke.arguments.empty()) call["arguments"] = Fields(invoke.arguments);
    if (!invoke.options.empty()) call["options"] = Fields(invoke.options);
    if (!wanted.empty()) call["return"] = wanted;
    return Function("invoke", call);
  }
  Document TextOf(const AssetOf& asset) const {
    static constexpr const char* kNames[] = {"stringAsset", "fileAsset", "remoteAsset"};
    return Function(kNames[static_cast<int>(asset.kind)], Text(*asset.content));
  }
  Document TextOf(const ArchiveOf& archive) const {
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
