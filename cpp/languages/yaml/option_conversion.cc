// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/option_conversion.h"

#include "languages/yaml/expression_reader.h"
#include "languages/yaml/option_flags.h"
#include "languages/yaml/order.h"

namespace kingpost::yaml {

namespace {

using codegen::MakeText;
using pcl::Make;

class OptionConverter {
 public:
  explicit OptionConverter(ExpressionConverter* expressions) : expressions_(*expressions) {}

  std::vector<NamedExpression> Convert(const Body& body, const ResourceDecl& resource) {
    const ResourceOptions& o = resource.options;
    AddExpressions(o);
    const ResourceDecl* implied = DefaultProviderOf(body, schema::PackageOf(resource.type.value));
    if (implied && !o.provider && !IsProviderType(resource.type.value)) {
      options_.push_back({"provider", Make(pcl::ResourceRef{implied->key})});
    }
    AddTexts("additionalSecretOutputs", o.additional_secret_outputs);
    AddTexts("ignoreChanges", o.ignore_changes);
    AddTexts("replaceOnChanges", o.replace_on_changes);
    AddTexts("hideDiffs", o.hide_diffs);
    ForEachSpelledFlag([&](const auto& field) { AddFlag(field.program, o.spelled.*field.goal); });
    AddText("import", o.import_id);
    AddText("version", o.version);
    AddText("pluginDownloadURL", o.plugin_download_url);
    if (!o.aliases.empty()) options_.push_back({"aliases", Aliases(o.aliases)});
    if (!o.custom_timeouts.empty()) AddTimeouts(o.custom_timeouts);
    return std::move(options_);
  }

 private:
  void AddExpressions(const ResourceOptions& o) {
    const std::pair<const char*, pcl::ExpressionPtr> expressions[] = {{"parent", o.parent},
                                                                      {"dependsOn", o.depends_on},
                                                                      {"protect", o.protect},
                                                                      {"provider", o.provider},
                                                                      {"providers", o.providers},
                                                                      {"replaceWith", o.replace_with},
                                                                      {"deletedWith", o.deleted_with},
                                                                      {"replacementTrigger", o.replacement_trigger},
                                                                      {"envVarMappings", o.env_var_mappings}};
    for (const auto& [name, expression] : expressions) {
      if (expression) options_.push_back({name, expressions_.ConvertResources(expression)});
    }
  }

  void AddTexts(const char* name, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    pcl::TupleLiteral list;
    for (const std::string& text : texts) list.elements.push_back(MakeText(text));
    options_.push_back({name, Make(std::move(list))});
  }
  void AddFlag(std::string_view name, const std::optional<bool>& flag) {
    if (flag) options_.push_back({std::string(name), Make(pcl::Literal{Value(*flag)})});
  }
  void AddText(const char* name, const std::optional<Text>& text) {
    if (text) options_.push_back({name, MakeText(text->value)});
  }

  void AddTimeouts(const std::vector<NamedExpression>& timeouts) {
    pcl::ObjectLiteral object;
    for (const NamedExpression& timeout : timeouts) {
      object.Add(timeout.name, expressions_.Convert(timeout.value));
    }
    object.typed = true;
    options_.push_back({"customTimeouts", Make(std::move(object))});
  }

  pcl::ExpressionPtr Aliases(const std::vector<Alternative>& aliases) {
    pcl::TupleLiteral list;
    for (const Alternative& alias : aliases) {
      list.elements.push_back(alias.urn ? expressions_.Convert(alias.urn) : AliasOf(alias));
    }
    return Make(std::move(list));
  }

  pcl::ExpressionPtr AliasOf(const Alternative& alias) {
    pcl::ObjectLiteral object;
    for (const NamedExpression& field : alias.fields) {
      if (field.name == "urn") return expressions_.Convert(field.value);
      if (field.name != "noParent") {
        object.Add(field.name, expressions_.ConvertResources(field.value));
        continue;
      }
      const auto* literal = field.value->as<pcl::Literal>();
      const bool none = literal && literal->value.is_bool() && literal->value.as_bool();
      if (none) object.Add("parent", codegen::MakeCall(codegen::kNoParent));
    }
    return Make(std::move(object));
  }

  ExpressionConverter& expressions_;
  std::vector<NamedExpression> options_;
};

}  // namespace

std::vector<NamedExpression> ConvertOptions(const Body& body, const ResourceDecl& resource,
                                            ExpressionConverter* expressions) {
  return OptionConverter(expressions).Convert(body, resource);
}

}  // namespace kingpost::yaml
