// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/conversion.h"

#include <algorithm>

#include "base/text.h"
#include "languages/yaml/expression_conversion.h"
#include "languages/yaml/expression_reader.h"
#include "languages/yaml/order.h"
#include "languages/yaml/resource_request.h"
#include "languages/yaml/type_inference.h"
#include "model/stack_reference.h"

namespace kingpost::yaml {

namespace {

using SettingKind = codegen::Setting::Kind;

SettingKind KindOf(const std::string& declared) {
  const std::string type = Lowered(declared);
  if (type == "boolean" || type == "bool") return SettingKind::kBool;
  if (type == "integer" || type == "int") return SettingKind::kInteger;
  if (type == "number") return SettingKind::kNumber;
  if (type == "object") return SettingKind::kObject;
  return type == "array" || type.starts_with("list<") ? SettingKind::kList : SettingKind::kText;
}

// The type of a default, where none is declared.
SettingKind KindOfDefault(const pcl::ExpressionPtr& value) {
  if (!value) return SettingKind::kText;
  if (value->as<pcl::TupleLiteral>()) return SettingKind::kList;
  if (value->as<pcl::ObjectLiteral>()) return SettingKind::kObject;
  const auto* literal = value->as<pcl::Literal>();
  if (literal && literal->value.is_number()) return SettingKind::kNumber;
  return literal && literal->value.is_bool() ? SettingKind::kBool : SettingKind::kText;
}

std::string NameOfSetting(const ConfigDecl& config, const std::string& project) {
  const std::string& name = config.name.empty() ? config.key : config.name;
  const std::string own = project + ":";
  return name.starts_with(own) ? name.substr(own.size()) : name;
}

// An alias is a text or an object of fields; a URN stands for itself.
pcl::ExpressionPtr ConvertAlias(const pcl::ExpressionPtr& alias, ExpressionConverter* expressions) {
  const auto* fields = alias->as<pcl::ObjectLiteral>();
  if (!fields) return expressions->Convert(alias);
  pcl::ObjectLiteral object;
  for (const auto& [key, value] : fields->items) {
    const std::string& name = *LiteralText(key);
    if (name == "urn") return expressions->Convert(value);
    if (name != "noParent") {
      object.Add(name, expressions->ConvertResources(value));
      continue;
    }
    const auto* literal = value->as<pcl::Literal>();
    const bool none = literal && literal->value.is_bool() && literal->value.as_bool();
    if (none) object.Add("parent", codegen::MakeCall(codegen::kNoParent));
  }
  return pcl::Make(std::move(object));
}

pcl::ExpressionPtr ConvertOption(const NamedExpression& option, ExpressionConverter* expressions) {
  if (IsComputedOption(option.name)) return expressions->ConvertResources(option.value);
  if (option.name == "aliases") {
    pcl::TupleLiteral list;
    for (const pcl::ExpressionPtr& alias : option.value->as<pcl::TupleLiteral>()->elements) {
      list.elements.push_back(ConvertAlias(alias, expressions));
    }
    return pcl::Make(std::move(list));
  }
  auto converted = expressions->Convert(option.value);
  if (option.name != "customTimeouts") return converted;
  pcl::ObjectLiteral timeouts = *converted->as<pcl::ObjectLiteral>();
  timeouts.typed = true;
  return pcl::Make(std::move(timeouts));
}

// With the names that TypeScript has for them.
std::vector<NamedExpression> ConvertOptions(const Body& body, const ResourceDecl& resource,
                                            ExpressionConverter* expressions) {
  std::vector<NamedExpression> options;
  for (const NamedExpression& option : resource.options) {
    options.push_back({option.name, ConvertOption(option, expressions)});
  }
  if (const ResourceDecl* implied = ImpliedProviderOf(body, resource)) {
    const auto spelled = std::ranges::find_if_not(options, IsComputedOption, &NamedExpression::name);
    options.insert(spelled, {"provider", pcl::Make(pcl::ResourceRef{implied->key})});
  }
  return options;
}

class ProgramConverter {
 public:
  ProgramConverter(ConversionSource source, Diagnostics* diagnostics)
      : source_(std::move(source)),
        body_(source_.program.body),
        diagnostics_(*diagnostics),
        expressions_(source_.program, source_.book, SettingNames(), diagnostics) {}

  codegen::Program Convert() {
    program_.packages = source_.book.packages();
    RefuseOthers();
    const std::vector<Step> order = OrderOf(body_, NamesOutside(), source_.program.name, &diagnostics_);
    if (!diagnostics_.has_errors()) CheckTypes(body_, source_.book, &diagnostics_);
    if (diagnostics_.has_errors()) return {};
    for (const Step& step : order) {
      if (step.kind == Step::Kind::kResource) {
        AddResource(body_.resources[step.index]);
      } else {
        const NamedExpression& variable = body_.variables[step.index];
        program_.variables.push_back({variable.name, expressions_.ConvertVariable(variable)});
        program_.resources_before.push_back(program_.resources.size());
      }
    }
    for (const NamedExpression& output : body_.outputs) {
      program_.outputs.push_back({output.name, expressions_.Convert(output.value)});
    }
    AddSettings();
    program_.functions = expressions_.functions();
    return std::move(program_);
  }

 private:
  std::map<std::string, std::string> SettingNames() const {
    std::map<std::string, std::string> names;
    for (const ConfigDecl& config : body_.config) names[config.key] = NameOfSetting(config, source_.program.name);
    return names;
  }

  void RefuseOthers() {
    for (const ComponentDecl& component : source_.program.components) {
      diagnostics_.Error(
          component.at, "the component " + component.name + " is not converted",
          "Keep it in a folder of its own with a PulumiPlugin.yaml, which programs in other languages use.");
    }
    if (body_.required_version && !LiteralText(body_.required_version)) {
      diagnostics_.Error(body_.required_version->at,
                         "a computed required version cannot be converted: write it as a text");
    }
  }

  // In other namespaces: the run shows whether the configuration has them.
  std::set<std::string> NamesOutside() const {
    std::vector<Text> names;
    for (const ResourceDecl& resource : body_.resources) {
      for (const pcl::ExpressionPtr& expression : ExpressionsOf(resource)) CollectNames(*expression, &names);
    }
    for (const NamedExpression& variable : body_.variables) CollectNames(*variable.value, &names);
    for (const NamedExpression& output : body_.outputs) CollectNames(*output.value, &names);
    std::set<std::string> outside;
    for (const Text& name : names) {
      if (name.value.find(':') != std::string::npos) outside.insert(name.value);
    }
    return outside;
  }

  void AddSettings() {
    std::set<std::string> declared;
    for (const ConfigDecl& config : body_.config) {
      const std::string name = NameOfSetting(config, source_.program.name);
      // The program does not ask for settings that the project makes for a provider.
      const bool asked = !config.is_value || expressions_.used_settings().count(name) > 0;
      if (declared.insert(name).second && asked) program_.settings.push_back(SettingOf(config, name));
    }
    for (const std::string& name : expressions_.used_settings()) {
      if (declared.count(name) > 0) continue;
      diagnostics_.Warning({0, 0}, "the setting '" + name + "' is taken to be a text",
                           "Declare it under `config` with its type, if it is another one.");
      program_.settings.push_back({.name = name, .secret = source_.secrets.count(name) > 0});
    }
  }

  codegen::Setting SettingOf(const ConfigDecl& config, const std::string& name) {
    codegen::Setting setting{.name = name};
    setting.secret = config.secret.value_or(false) || source_.secrets.count(name) > 0;
    if (config.default_value) setting.default_value = expressions_.Convert(config.default_value);
    const auto given = source_.values.find(name);
    const SettingKind undeclared = given == source_.values.end() ? KindOfDefault(config.default_value) : given->second;
    setting.kind = config.type ? KindOf(config.type->value) : undeclared;
    return setting;
  }

  void AddResource(const ResourceDecl& declared) {
    const auto resolved = source_.book.FindResource(UseOf(declared));
    if (!resolved.ok()) {
      diagnostics_.Error(declared.type.at, resolved.status().message());
      return;
    }
    const schema::Resource& schema = *resolved->schema;
    codegen::Resource resource;
    resource.key = declared.key;
    resource.variable = declared.key.starts_with(kImpliedPrefix) ? declared.name : declared.key;
    resource.name = declared.name;
    resource.token = schema.token;
    if (declared.get_id) {
      resource.kind = codegen::Resource::Kind::kRead;
      resource.id = expressions_.Convert(declared.get_id);
      resource.inputs = expressions_.ConvertInputs(declared.get_state, schema.outputs);
    } else if (declared.all_properties) {
      diagnostics_.Error(declared.all_properties->at, "properties that an expression makes are not converted",
                         "Write them out.");
    } else {
      resource.inputs = expressions_.ConvertInputs(declared.properties, schema.inputs);
    }
    if (declared.type.value == kStackReferenceType && resource.inputs.empty()) {
      resource.inputs.push_back({"name", codegen::MakeText(declared.key)});
    }
    resource.options = ConvertOptions(body_, declared, &expressions_);
    program_.resources.push_back(std::move(resource));
  }

  ConversionSource source_;
  const Body& body_;
  Diagnostics& diagnostics_;
  ExpressionConverter expressions_;
  codegen::Program program_;
};

}  // namespace

codegen::Program ConvertProgram(ConversionSource source, Diagnostics* diagnostics) {
  return ProgramConverter(std::move(source), diagnostics).Convert();
}

}  // namespace kingpost::yaml
