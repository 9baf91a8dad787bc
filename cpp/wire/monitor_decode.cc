// SPDX-License-Identifier: Apache-2.0
#include "wire/monitor_decode.h"

#include <iterator>

#include "wire/convert.h"
#include "wire/option_fields.h"
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

// The table of options fills the fields that a goal has in the same form.
Status DecodeGoalOptions(const pulumirpc::RegisterResourceRequest& wire, RegisterResourceRequest* out) {
  const auto& fields = OptionFieldsOf<pulumirpc::RegisterResourceRequest, OptionNames::kRequest>();
  Status read = ReadOptionFields(wire, fields, KeepOutputs(), out);
  if (!read.ok()) return read.Wrap("unmarshaling replacement trigger");
  if (wire.deletebeforereplacedefined()) out->delete_before_replace = wire.deletebeforereplace();
  for (const auto& [key, list] : wire.propertydependencies()) {
    std::vector<Urn>& urns = out->property_dependencies[key];
    urns.reserve(list.urns_size());
    for (const std::string& urn : list.urns()) urns.emplace_back(urn);
  }
  return Status();
}

// Aliases that are only URNs come first.
void DecodeAliasUrns(const pulumirpc::RegisterResourceRequest& wire, RegisterResourceRequest* out) {
  if (wire.aliasurns().empty()) return;
  std::vector<Alias> aliases(wire.aliasurns_size());
  for (int i = 0; i < wire.aliasurns_size(); ++i) aliases[i].urn = Urn(wire.aliasurns(i));
  std::move(out->aliases.begin(), out->aliases.end(), std::back_inserter(aliases));
  out->aliases = std::move(aliases);
}

void DecodeUnresolved(const pulumirpc::RegisterResourceRequest& wire, RegisterResourceRequest* out) {
  out->remote = wire.remote();
  out->package_ref = wire.packageref();
  out->timeout_create = wire.customtimeouts().create();
  out->timeout_update = wire.customtimeouts().update();
  out->timeout_delete = wire.customtimeouts().delete_();
  out->timeout_read = wire.customtimeouts().read();
  for (const auto& transform : wire.transforms()) out->transforms.push_back(DecodeCallback(transform));
  for (const auto& migration : wire.state_migrations()) out->state_migrations.push_back(DecodeCallback(migration));
  out->uses_output_values = wire.uses_output_values();
  out->supports_result_reporting = wire.supportsresultreporting();
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

Result<RegisterResourceRequest> DecodeRegisterResource(const pulumirpc::RegisterResourceRequest& wire,
                                                       bool from_nodejs) {
  if (Status fits = CheckNames(wire, wire.importid()); !fits.ok()) return fits;
  RegisterResourceRequest out;
  out.type = wire.type();
  out.name = wire.name();
  out.custom = wire.custom();
  DecodeUnresolved(wire, &out);
  DecodeOrigin(wire, &out);
  auto inputs = FromStruct(wire.object(), KeepOutputs());
  if (!inputs.ok()) return inputs.status().Wrap("unmarshal properties");
  out.inputs = std::move(*inputs);
  if (Status read = DecodeGoalOptions(wire, &out); !read.ok()) return read;
  DecodeAliasUrns(wire, &out);
  out.has_legacy_aliases = from_nodejs && !wire.aliasspecs();
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
  out.additional_secret_outputs = Strings(wire.additionalsecretoutputs());
  out.source_position = DecodePosition(wire.sourceposition());
  out.stack_trace = DecodeTrace(wire.stacktrace());
  out.parent_stack_trace_handle = wire.parentstacktracehandle();
  auto properties = FromStruct(wire.properties(), KeepAll());
  if (!properties.ok()) return properties.status().Wrap("unmarshal properties");
  out.properties = std::move(*properties);
  return out;
}

Result<ExistsResourceRequest> DecodeExistsResource(const pulumirpc::ExistsResourceRequest& wire) {
  if (Status fits = wire::CheckLength("the type of a resource", wire.type()); !fits.ok()) return fits;
  if (Status fits = wire::CheckLength("the ID of a resource", wire.id()); !fits.ok()) return fits;
  ExistsResourceRequest out;
  out.type = wire.type();
  out.id = wire.id();
  out.parent = wire.parent();
  out.provider = wire.provider();
  out.version = wire.version();
  out.plugin_download_url = wire.plugindownloadurl();
  out.package_ref = wire.packageref();
  out.plugin_checksums = StringMap(wire.pluginchecksums());
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
  out.depends_on = Strings(wire.dependson());
  out.parent = wire.parent();
  out.accept_output_values = wire.accept_output_values();
  auto args = FromStruct(wire.args(), KeepOutputs());
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
  out.accept_output_values = wire.accept_output_values();
  auto args = FromStruct(wire.args(), KeepOutputs());
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
