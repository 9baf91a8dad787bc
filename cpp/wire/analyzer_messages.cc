// SPDX-License-Identifier: Apache-2.0
#include "wire/analyzer_messages.h"

#include <google/protobuf/struct.pb.h>

#include "base/json_access.h"
#include "wire/convert.h"

namespace kingpost {

namespace {

using nlohmann::json;

WireOptions AnalyzeOptions(bool skip_internal_keys) {
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = true;
  options.keep_byte_strings = false;
  options.skip_internal_keys = skip_internal_keys;
  return options;
}

void FillOptions(const AnalyzerResource& resource, pulumirpc::AnalyzerResourceOptions* out) {
  out->set_protect(resource.protect);
  out->mutable_ignorechanges()->Add(resource.ignore_changes.begin(), resource.ignore_changes.end());
  out->set_deletebeforereplace(resource.delete_before_replace.value_or(false));
  out->set_deletebeforereplacedefined(resource.delete_before_replace.has_value());
  out->mutable_additionalsecretoutputs()->Add(resource.additional_secret_outputs.begin(),
                                              resource.additional_secret_outputs.end());
  for (const Alias& alias : resource.aliases) out->add_aliases(alias.urn.str());
  auto* timeouts = out->mutable_customtimeouts();
  timeouts->set_create(resource.custom_timeouts.create_s);
  timeouts->set_update(resource.custom_timeouts.update_s);
  timeouts->set_delete_(resource.custom_timeouts.delete_s);
  timeouts->set_read(resource.custom_timeouts.read_s);
  out->set_parent(resource.parent.str());
}

// The fields that both forms of a resource have.
template <class Wire>
Status FillResource(const AnalyzerResource& resource, bool skip_internal_keys, Wire* out) {
  out->set_urn(resource.urn.str());
  out->set_type(resource.type);
  out->set_name(resource.name);
  FillOptions(resource, out->mutable_options());
  Status status = ToStruct(resource.properties, AnalyzeOptions(skip_internal_keys), out->mutable_properties());
  if (!status.ok() || !resource.provider) return status;
  auto* provider = out->mutable_provider();
  provider->set_urn(resource.provider->urn.str());
  provider->set_type(resource.provider->type);
  provider->set_name(resource.provider->name);
  return ToStruct(resource.provider->properties, AnalyzeOptions(true), provider->mutable_properties());
}

void FillStruct(const json& object, google::protobuf::Struct* out);

void JsonToValue(const json& value, google::protobuf::Value* out) {
  switch (value.type()) {
    case json::value_t::boolean:
      return out->set_bool_value(BoolIn(value));
    case json::value_t::string:
      return out->set_string_value(TextIn(value));
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
    case json::value_t::number_float:
      return out->set_number_value(NumberIn(value));
    case json::value_t::object:
      return FillStruct(value, out->mutable_struct_value());
    case json::value_t::array:
      out->mutable_list_value();
      for (const json& element : value) JsonToValue(element, out->mutable_list_value()->add_values());
      return;
    default:
      out->set_null_value(google::protobuf::NULL_VALUE);
  }
}

void FillStruct(const json& object, google::protobuf::Struct* out) {
  for (auto it = object.begin(); it != object.end(); ++it) {
    JsonToValue(it.value(), &(*out->mutable_fields())[it.key()]);
  }
}

json ObjectToJson(const google::protobuf::Struct& wire);

json ValueToJson(const google::protobuf::Value& wire) {
  using Kind = google::protobuf::Value;
  switch (wire.kind_case()) {
    case Kind::kBoolValue:
      return wire.bool_value();
    case Kind::kNumberValue:
      return wire.number_value();
    case Kind::kStringValue:
      return wire.string_value();
    case Kind::kStructValue:
      return ObjectToJson(wire.struct_value());
    case Kind::kListValue: {
      json list = json::array();
      for (const auto& element : wire.list_value().values()) list.push_back(ValueToJson(element));
      return list;
    }
    default:
      return json();
  }
}

json ObjectToJson(const google::protobuf::Struct& wire) {
  json object = json::object();
  for (const auto& [key, value] : wire.fields()) object[key] = ValueToJson(value);
  return object;
}

}  // namespace

Status ToWireResource(const AnalyzerResource& resource, bool skip_internal_keys, pulumirpc::AnalyzeRequest* out) {
  return FillResource(resource, skip_internal_keys, out);
}

Status ToWireResource(const AnalyzerResource& resource, pulumirpc::AnalyzerResource* out) {
  out->set_parent(resource.parent.str());
  for (const Urn& urn : resource.dependencies) out->add_dependencies(urn.str());
  for (const auto& [property, urns] : resource.property_dependencies) {
    if (urns.empty()) continue;
    auto& list = (*out->mutable_propertydependencies())[property];
    for (const Urn& urn : urns) list.add_urns(urn.str());
  }
  return FillResource(resource, true, out);
}

Result<EnforcementLevel> FromWireLevel(pulumirpc::EnforcementLevel level) {
  if (!pulumirpc::EnforcementLevel_IsValid(level)) {
    return Status(Code::kUnknown, "invalid enforcement level " + std::to_string(level));
  }
  return static_cast<EnforcementLevel>(level);
}

std::string FromWireSeverity(pulumirpc::PolicySeverity severity) {
  switch (severity) {
    case pulumirpc::POLICY_SEVERITY_LOW:
      return "low";
    case pulumirpc::POLICY_SEVERITY_MEDIUM:
      return "medium";
    case pulumirpc::POLICY_SEVERITY_HIGH:
      return "high";
    case pulumirpc::POLICY_SEVERITY_CRITICAL:
      return "critical";
    default:
      return "";
  }
}

void ToWireStack(const AnalyzerSpec& spec, pulumirpc::AnalyzerStackConfigureRequest* out) {
  out->set_stack(spec.stack);
  out->set_project(spec.project);
  out->set_organization(spec.organization);
  out->set_dry_run(spec.dry_run);
  out->mutable_config()->insert(spec.config.begin(), spec.config.end());
  out->mutable_config_secret_keys()->Add(spec.config_secret_keys.begin(), spec.config_secret_keys.end());
}

std::string JsonToStruct(const json& object) {
  google::protobuf::Struct wire;
  FillStruct(object, &wire);
  return wire.SerializeAsString();
}

Result<json> StructToJson(const std::string& bytes) {
  google::protobuf::Struct wire;
  if (!wire::ParseDeep(bytes, &wire)) wire::MarkMalformed(&wire);
  if (Status readable = wire::Check(wire); !readable.ok()) return readable;
  return ObjectToJson(wire);
}

}  // namespace kingpost
