// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/option_reader.h"

#include <algorithm>

#include "base/encoding.h"
#include "languages/pcl/request_parts.h"
#include "languages/yaml/order.h"
#include "model/output_values.h"

namespace kingpost::yaml {

namespace {

constexpr const char* kOptionsOfReads[] = {"parent",  "provider",         "dependsOn", "additionalSecretOutputs",
                                           "version", "pluginDownloadURL"};

Status Wrong(const std::string& what) { return Status(Code::kInvalidArgument, what); }

Status CheckProvider(const Value& value, const std::string& what) {
  auto provider = AsResource(value);
  if (!provider.ok() || IsProviderType(Urn(provider->urn).type())) return provider.status();
  return Wrong("resource passed as " + what + " was not a provider resource '" + provider->urn + "'");
}

Status CheckResources(const std::string& option, const Value& list) {
  const std::string what = "resource option " + option + " value must be a list of ";
  if (list.is_computed()) return Wrong(what + "resource, not an output");
  if (!list.is_array()) return Wrong(what + "resources");
  for (const Value& element : list.as_array()) KP_TRY(AsResource(element).status());
  if (option != "providers") return Status();
  for (const Value& element : list.as_array()) KP_TRY(CheckProvider(element, "provider"));
  return Status();
}

// What is wrong with the value of an option, in the words of the reference.
Status CheckOption(const std::string& option, const Value& value) {
  if (option == "protect" && !value.is_bool()) return Wrong("protect must be a boolean value");
  if (option == "provider") return CheckProvider(value, "Provider");
  if (option == "parent" || option == "deletedWith") return AsResource(value).status();
  if (option == "dependsOn" || option == "providers" || option == "replaceWith") return CheckResources(option, value);
  if (option != "envVarMappings") return Status();
  if (!value.is_object()) return Wrong("envVarMappings must be an object with string values");
  for (const auto& [key, text] : value.as_object()) {
    if (!text.is_string()) return Wrong("envVarMappings value for key " + Quote(key) + " must be a string");
  }
  return Status();
}

class OptionReader {
 public:
  OptionReader(pcl::Evaluator* evaluator, const pcl::Scope& scope) : evaluator_(*evaluator), scope_(scope) {}

  Status Read(const NamedExpression& option, RegisterResourceRequest* request) {
    if (option.name == "aliases") return ReadAliases(*option.value->as<pcl::TupleLiteral>(), &request->aliases);
    if (option.name == "customTimeouts") return ReadTimeouts(*option.value->as<pcl::ObjectLiteral>(), request);
    auto datum = evaluator_.Evaluate(*option.value, scope_);
    if (!datum.ok()) return datum.status();
    if (option.name == "replacementTrigger") {
      const Value value = pcl::Close(*datum);
      std::vector<Urn> waited_for;
      CollectOutputDependencies(value, &waited_for);
      for (const Urn& urn : waited_for) AddUnique(&request->dependencies, urn);
      request->replacement_trigger = FlattenOutputs(value);
      return Status();
    }
    Status set = CheckOption(option.name, datum->value);
    if (set.ok()) set = pcl::SetOption(option.name, datum->value, request);
    return set.ok() ? set : pcl::ErrorAt(option.value->at, set.message());
  }

 private:
  Status ReadTimeouts(const pcl::ObjectLiteral& given, RegisterResourceRequest* request) {
    PropertyMap timeouts;
    for (const auto& [key, value] : given.items) {
      auto text = ReadText(*value, "customTimeouts." + *LiteralText(key));
      if (!text.ok()) return text.status();
      timeouts.Set(*LiteralText(key), Value(*text));
    }
    return pcl::SetOption("customTimeouts", Value(std::move(timeouts)), request);
  }

  Status ReadAliases(const pcl::TupleLiteral& given, std::vector<Alias>* aliases) {
    for (const pcl::ExpressionPtr& each : given.elements) {
      Alias& alias = aliases->emplace_back();
      if (const auto* object = each->as<pcl::ObjectLiteral>()) {
        for (const auto& [key, value] : object->items) KP_TRY(ReadAliasField(*LiteralText(key), *value, &alias));
      } else {
        auto urn = ReadText(*each, "an alias");
        if (!urn.ok()) return urn.status();
        alias.urn = Urn(*urn);
      }
    }
    return Status();
  }

  Status ReadAliasField(const std::string& name, const pcl::Expression& given, Alias* alias) {
    if (name == "noParent" || name == "parent") {
      auto datum = evaluator_.Evaluate(given, scope_);
      if (!datum.ok()) return datum.status();
      const Value& value = datum->value;
      const auto parent = AsResource(value);
      if (name == "noParent") {
        if (!value.is_bool()) return pcl::ErrorAt(given.at, "noParent must be a boolean value");
        alias->no_parent = value.as_bool();
      } else if (value.is_string() || parent.ok()) {
        alias->parent_urn = Urn(parent.ok() ? parent->urn : value.as_string());
      } else {
        return pcl::ErrorAt(given.at, std::string("expected a resource or string, found ") + pcl::KindName(value));
      }
      return Status();
    }
    auto text = ReadText(given, name);
    if (!text.ok()) return text.status();
    if (name == "urn") alias->urn = Urn(*text);
    if (name == "name") alias->name = *text;
    if (name == "type") alias->type = *text;
    if (name == "stack") alias->stack = *text;
    if (name == "project") alias->project = *text;
    return Status();
  }

  Result<std::string> ReadText(const pcl::Expression& expression, const std::string& what) {
    auto datum = evaluator_.Evaluate(expression, scope_);
    if (!datum.ok()) return datum.status();
    if (datum->value.is_string()) return datum->value.as_string();
    return pcl::ErrorAt(expression.at, what + " must be a string, got " + pcl::KindName(datum->value));
  }

  pcl::Evaluator& evaluator_;
  const pcl::Scope& scope_;
};

}  // namespace

Result<pcl::ResourceHandle> AsResource(const Value& value) {
  const Value opened = pcl::Open(value).value;
  auto handle = pcl::ResourceIn(opened);
  if (handle.ok() && (opened.is_reference() || opened.as_object().Has("__type"))) return handle;
  return Wrong(std::string("expected resource, got ") + pcl::KindName(opened));
}

Status ReadOptions(const Declaration& declaration, pcl::Evaluator* evaluator, const pcl::Scope& scope,
                   RegisterResourceRequest* request) {
  const ResourceDecl& resource = declaration.resource;
  request->parent = declaration.parent;
  if (const ResourceDecl* implied = ImpliedProviderOf(declaration.body, resource)) {
    const pcl::Scope::Entry* known = scope.Find(implied->key);
    KP_ASSERT(known, "a resource comes after the default provider of its package");
    KP_TRY(pcl::SetOption("provider", known->datum.value, request));
  }
  OptionReader reader(evaluator, scope);
  for (const NamedExpression& option : resource.options) {
    const bool of_reads = std::ranges::find(kOptionsOfReads, option.name) != std::end(kOptionsOfReads);
    if (of_reads || !IsRead(resource)) KP_TRY(reader.Read(option, request));
  }
  // A component's own provider is that of what it makes, too.
  if (!request->remote || request->provider.empty()) return Status();
  const auto own = ProviderReference::Parse(request->provider);
  if (!own.ok()) return own.status();
  request->providers.try_emplace(schema::PackageOf(std::string(own->urn.type())), request->provider);
  return Status();
}

}  // namespace kingpost::yaml
