// SPDX-License-Identifier: Apache-2.0
#include "wire/monitor_decode.h"

#include "wire/convert.h"
#include "wire/convert_options.h"
#include "wire/wire_limits.h"

namespace kingpost {

namespace {

template <class Repeated>
std::vector<std::string> Strings(const Repeated& wire) {
  return {wire.begin(), wire.end()};
}

template <class Map>
std::map<std::string, std::string> StringMap(const Map& wire) {
  return {wire.begin(), wire.end()};
}

// map<string, {repeated string urns}>, which the protocol has under several names.
template <class Map>
std::map<std::string, std::vector<std::string>> UrnLists(const Map& wire) {
  std::map<std::string, std::vector<std::string>> lists;
  for (const auto& [key, list] : wire) lists[key] = Strings(list.urns());
  return lists;
}

std::string DecodePosition(const pulumirpc::SourcePosition& wire) {
  if (wire.uri().empty()) return "";
  const std::string line = wire.uri() + "#" + std::to_string(wire.line());
  return wire.column() == 0 ? line : line + "," + std::to_string(wire.column());
}

std::vector<std::string> DecodeTrace(const pulumirpc::StackTrace& wire) {
  std::vector<std::string> frames;
  for (const auto& frame : wire.frames()) frames.push_back(DecodePosition(frame.pc()));
  return frames;
}

Parameterization DecodeParameterization(const pulumirpc::Parameterization& wire) {
  Parameterization value;
  value.name = wire.name();
  value.version = wire.version();
  value.value = wire.value();
  return value;
}

// As programs send them: with unknowns, secrets and references.
WireOptions KeepAll() {
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = options.keep_resources = true;
  return options;
}

WireOptions KeepOutputs() {
  WireOptions options = KeepAll();
  options.keep_outputs = true;
  return options;
}

// Registrations and calls: secrets and unknowns are outputs too, whoever sent them.
WireOptions AllAsOutputs() {
  WireOptions options = KeepOutputs();
  options.upgrade_to_outputs = true;
  return options;
}

void DecodeIdentity(const pulumirpc::RegisterResourceRequest& wire, RegisterResourceRequest* out) {
  out->type = wire.type();
  out->name = wire.name();
  out->parent = wire.parent();
  out->custom = wire.custom();
  out->remote = wire.remote();
  out->import_id = wire.importid();
  out->alias_urns = Strings(wire.aliasurns());
  for (const auto& alias : wire.aliases()) out->aliases.push_back(FromWireAlias(alias));
  out->alias_specs = wire.aliasspecs();
}

void DecodePackage(const pulumirpc::RegisterResourceRequest& wire, RegisterResourceRequest* out) {
  out->provider = wire.provider();
  out->providers = StringMap(wire.providers());
  out->version = wire.version();
  out->plugin_download_url = wire.plugindownloadurl();
  out->package_ref = wire.packageref();
  out->plugin_checksums = StringMap(wire.pluginchecksums());
  out->env_var_mappings = StringMap(wire.envvarmappings());
}

void DecodeBehaviour(const pulumirpc::RegisterResourceRequest& wire, RegisterResourceRequest* out) {
  if (wire.has_protect()) out->protect = wire.protect();
  if (wire.has_retainondelete()) out->retain_on_delete = wire.retainondelete();
  out->dependencies = Strings(wire.dependencies());
  out->property_dependencies = UrnLists(wire.propertydependencies());
  if (wire.deletebeforereplacedefined() || wire.deletebeforereplace()) {
    out->delete_before_replace = wire.deletebeforereplace();
  }
  out->ignore_changes = Strings(wire.ignorechanges());
  out->replace_on_changes = Strings(wire.replaceonchanges());
  out->hide_diffs = Strings(wire.hidediffs());
  out->additional_secret_outputs = Strings(wire.additionalsecretoutputs());
  out->deleted_with = wire.deletedwith();
  out->replace_with = Strings(wire.replace_with());
  out->timeout_create = wire.customtimeouts().create();
  out->timeout_update = wire.customtimeouts().update();
  out->timeout_delete = wire.customtimeouts().delete_();
  out->timeout_read = wire.customtimeouts().read();
  for (const auto& transform : wire.transforms()) out->transforms.push_back(DecodeCallback(transform));
  if (wire.has_hooks()) out->hooks = FromWireHooks(wire.hooks());
  out->has_state_migrations = wire.state_migrations_size() > 0;
}

void DecodeOrigin(const pulumirpc::RegisterResourceRequest& wire, RegisterResourceRequest* out) {
  out->source_position = DecodePosition(wire.sourceposition());
  out->stack_trace = DecodeTrace(wire.stacktrace());
  out->parent_stack_trace_handle = wire.parentstacktracehandle();
  out->snippet_id = wire.snippetid();
}

template <class Wire>
Status CheckNames(const Wire& wire, const std::string& id) {
  Status status = wire::CheckLength("the type of a resource", wire.type());
  if (status.ok()) status = wire::CheckLength("the name of a resource", wire.name());
  if (status.ok()) status = wire::CheckLength("the ID of a resource", id);
  return status;
}

}  // namespace

Callback DecodeCallback(const pulumirpc::Callback& wire) {
  Callback callback;
  callback.target = wire.target();
  callback.token = wire.token();
  callback.accepts_byte_string = wire.accepts_byte_string();
  return callback;
}

Result<RegisterResourceRequest> DecodeRegisterResource(const pulumirpc::RegisterResourceRequest& wire) {
  if (Status fits = CheckNames(wire, wire.importid()); !fits.ok()) return fits;
  RegisterResourceRequest out;
  DecodeIdentity(wire, &out);
  DecodePackage(wire, &out);
  DecodeBehaviour(wire, &out);
  DecodeOrigin(wire, &out);
  out.accept_secrets = wire.acceptsecrets();
  out.accept_resources = wire.acceptresources();
  out.supports_partial_values = wire.supportspartialvalues();
  out.accepts_byte_string = wire.accepts_byte_string();
  out.supports_result_reporting = wire.supportsresultreporting();

  auto inputs = FromStruct(wire.object(), AllAsOutputs());
  if (!inputs.ok()) return inputs.status().Wrap("unmarshal properties");
  out.inputs = std::move(*inputs);
  if (wire.has_replacement_trigger()) {
    auto trigger = FromWireValue("replacementTrigger", wire.replacement_trigger(), KeepOutputs());
    if (!trigger.ok()) return trigger.status().Wrap("unmarshaling replacement trigger");
    if (*trigger) out.replacement_trigger = std::move(**trigger);
  }
  return out;
}

Result<ReadResourceRequest> DecodeReadResource(const pulumirpc::ReadResourceRequest& wire) {
  if (Status fits = CheckNames(wire, wire.id()); !fits.ok()) return fits;
  ReadResourceRequest out;
  out.id = wire.id();
  out.type = wire.type();
  out.name = wire.name();
  out.parent = wire.parent();
  out.dependencies = Strings(wire.dependencies());
  out.provider = wire.provider();
  out.version = wire.version();
  out.plugin_download_url = wire.plugindownloadurl();
  out.package_ref = wire.packageref();
  out.plugin_checksums = StringMap(wire.pluginchecksums());
  out.accept_secrets = wire.acceptsecrets();
  out.accept_resources = wire.acceptresources();
  out.accepts_byte_string = wire.accepts_byte_string();
  out.additional_secret_outputs = Strings(wire.additionalsecretoutputs());
  out.source_position = DecodePosition(wire.sourceposition());
  out.stack_trace = DecodeTrace(wire.stacktrace());
  out.parent_stack_trace_handle = wire.parentstacktracehandle();
  auto properties = FromStruct(wire.properties(), KeepAll());
  if (!properties.ok()) return properties.status().Wrap("unmarshal properties");
  out.properties = std::move(*properties);
  return out;
}

Result<ResourceInvokeRequest> DecodeInvoke(const pulumirpc::ResourceInvokeRequest& wire) {
  ResourceInvokeRequest out;
  out.token = wire.tok();
  out.provider = wire.provider();
  out.version = wire.version();
  out.plugin_download_url = wire.plugindownloadurl();
  out.package_ref = wire.packageref();
  out.plugin_checksums = StringMap(wire.pluginchecksums());
  out.accept_resources = wire.acceptresources();
  out.accepts_byte_string = wire.accepts_byte_string();
  out.depends_on = Strings(wire.dependson());
  out.parent = wire.parent();
  auto args = FromStruct(wire.args(), KeepAll());
  if (!args.ok()) return args.status().Wrap("failed to unmarshal " + out.token + " args");
  out.args = std::move(*args);
  return out;
}

Result<ResourceCallRequest> DecodeCall(const pulumirpc::ResourceCallRequest& wire) {
  ResourceCallRequest out;
  out.token = wire.tok();
  out.arg_dependencies = UrnLists(wire.argdependencies());
  out.provider = wire.provider();
  out.version = wire.version();
  out.plugin_download_url = wire.plugindownloadurl();
  out.package_ref = wire.packageref();
  out.plugin_checksums = StringMap(wire.pluginchecksums());
  out.source_position = DecodePosition(wire.sourceposition());
  out.stack_trace = DecodeTrace(wire.stacktrace());
  out.parent_stack_trace_handle = wire.parentstacktracehandle();
  out.accepts_byte_string = wire.accepts_byte_string();
  auto args = FromStruct(wire.args(), AllAsOutputs());
  if (!args.ok()) return args.status().Wrap("failed to unmarshal " + out.token + " args");
  out.args = std::move(*args);
  return out;
}

Result<PropertyMap> DecodeOutputs(const pulumirpc::RegisterResourceOutputsRequest& wire) {
  auto outputs = FromStruct(wire.outputs(), KeepAll());
  if (!outputs.ok()) return outputs.status().Wrap("cannot unmarshal output properties");
  return outputs;
}

RegisterPackageRequest DecodeRegisterPackage(const pulumirpc::RegisterPackageRequest& wire) {
  RegisterPackageRequest out;
  out.name = wire.name();
  out.version = wire.version();
  out.download_url = wire.download_url();
  out.checksums = StringMap(wire.checksums());
  if (wire.has_parameterization()) out.parameterization = DecodeParameterization(wire.parameterization());
  if (wire.has_extension()) out.extension = DecodeParameterization(wire.extension());
  return out;
}

}  // namespace kingpost
