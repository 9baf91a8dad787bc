// SPDX-License-Identifier: Apache-2.0
// Construct, Call and Invoke (rows 8.14 to 8.16).
#include "rpc/convert_options.h"
#include "rpc/grpc_provider.h"
#include "rpc/provider_messages.h"

namespace kingpost {

namespace {

WireOptions AnswerOptions(bool dry_run) {
  WireOptions options;
  options.keep_unknowns = dry_run;
  options.keep_secrets = options.keep_resources = options.keep_outputs = true;
  return options;
}

// The deployment's fields, which both requests have under the same names.
template <class Request>
void SetInfo(const ConstructInfo& info, const std::string& monitor_port, Request* out) {
  out->set_project(info.project);
  out->set_stack(info.stack);
  out->set_organization(info.organization);
  out->mutable_config()->insert(info.config.begin(), info.config.end());
  out->mutable_configsecretkeys()->Add(info.config_secret_keys.begin(), info.config_secret_keys.end());
  out->set_dryrun(info.dry_run);
  out->set_parallel(info.parallel);
  out->set_monitorendpoint(monitor_port);
  out->set_stack_trace_handle(info.stack_trace_handle);
  out->set_accepts_output_values(true);
}

template <class List>
void AddUrns(const std::vector<Urn>& urns, List* out) {
  for (const Urn& urn : urns) out->Add(std::string(urn.str()));
}

Status SetConstructOptions(const ConstructRequest& request, pulumirpc::ConstructRequest* out) {
  if (request.protect) out->set_protect(*request.protect);
  out->mutable_providers()->insert(request.providers.begin(), request.providers.end());
  AddUrns(request.dependencies, out->mutable_dependencies());
  for (const Alias& alias : request.aliases) ToWireAlias(alias, out->add_aliases());
  out->mutable_additionalsecretoutputs()->Add(request.additional_secret_outputs.begin(),
                                              request.additional_secret_outputs.end());
  if (!request.custom_timeouts.empty()) ToWireTimeouts(request.custom_timeouts, out->mutable_customtimeouts());
  out->set_deletedwith(request.deleted_with.str());
  AddUrns(request.replace_with, out->mutable_replace_with());
  if (request.delete_before_replace) out->set_deletebeforereplace(*request.delete_before_replace);
  out->mutable_ignorechanges()->Add(request.ignore_changes.begin(), request.ignore_changes.end());
  out->mutable_replaceonchanges()->Add(request.replace_on_changes.begin(), request.replace_on_changes.end());
  if (request.retain_on_delete) out->set_retainondelete(*request.retain_on_delete);
  // Error hooks stay with the engine.
  if (!request.hooks.empty()) ToWireHooks(request.hooks, false, out->mutable_resource_hooks());
  if (request.replacement_trigger.is_null()) return Status::Ok();

  google::protobuf::Value trigger;
  bool kept = true;
  Status status = ToWireValue("replacementTrigger", request.replacement_trigger, AnswerOptions(request.info.dry_run),
                              &trigger, &kept);
  if (status.ok() && kept) *out->mutable_replacement_trigger() = std::move(trigger);
  return status;
}

}  // namespace

Task<Result<ConstructResponse>> GrpcProvider::Construct(ConstructRequest request) {
  if (!features_.accept_secrets) {
    co_return Status(Code::kFailedPrecondition, "plugins that can construct components must support secrets");
  }
  auto monitor_port = monitor_port_();
  if (!monitor_port.ok()) co_return monitor_port.status();
  pulumirpc::ConstructRequest wire;
  SetInfo(request.info, *monitor_port, &wire);
  wire.set_type(request.type);
  wire.set_name(request.name);
  wire.set_parent(request.parent.str());
  WireOptions options = OutgoingOptions(true, false);
  options.keep_outputs = features_.accept_outputs;
  Status status = ToStruct(request.inputs, options, wire.mutable_inputs());
  if (status.ok()) status = SetConstructOptions(request, &wire);
  if (!status.ok()) co_return status;
  SetDependencies(request.input_dependencies, wire.mutable_inputdependencies());

  auto asking = AskPlainly(&Interface::Construct, std::move(wire));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  auto urn = Urn::Parse((*response)->urn());
  if (!urn.ok()) co_return urn.status().Wrap("the provider answered for component '" + request.name + "'");
  auto outputs = FromStruct((*response)->state(), AnswerOptions(request.info.dry_run));
  if (!outputs.ok()) co_return outputs.status();
  co_return ConstructResponse{std::move(*urn), std::move(*outputs), ReadDependencies((*response)->statedependencies())};
}

Task<Result<CallResponse>> GrpcProvider::Call(CallRequest request) {
  auto monitor_port = monitor_port_();
  if (!monitor_port.ok()) co_return monitor_port.status();
  pulumirpc::CallRequest wire;
  SetInfo(request.info, *monitor_port, &wire);
  wire.set_tok(request.token);
  WireOptions options = OutgoingOptions(true, false);
  options.keep_secrets = options.keep_resources = true;
  options.keep_outputs = features_.accept_outputs;
  Status status = ToStruct(request.args, options, wire.mutable_args());
  if (!status.ok()) co_return status;
  SetDependencies(request.arg_dependencies, wire.mutable_argdependencies());

  auto asking = AskPlainly(&Interface::Call, std::move(wire));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  auto result = FromStruct((*response)->return_(), AnswerOptions(request.info.dry_run));
  if (!result.ok()) co_return result.status();
  co_return CallResponse{std::move(*result), ReadDependencies((*response)->returndependencies()),
                         ReadFailures((*response)->failures())};
}

Task<Result<InvokeResponse>> GrpcProvider::Invoke(InvokeRequest request) {
  pulumirpc::InvokeRequest wire;
  wire.set_tok(request.token);
  wire.set_preview(request.preview);
  Status status = ToStruct(request.args, OutgoingOptions(false, false), wire.mutable_args());
  if (!status.ok()) co_return status;

  auto asking = AskPlainly(&Interface::Invoke, std::move(wire));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  auto result = FromStruct((*response)->return_(), IncomingOptions(false));
  if (!result.ok()) co_return result.status();
  // Which part of the answer came from the secret cannot be known.
  if (!features_.accept_secrets && ContainsSecrets(request.args)) {
    PropertyMap all_secret;
    for (const auto& [key, value] : *result) all_secret.Set(key, Value::Secret(value));
    result = std::move(all_secret);
  }
  co_return InvokeResponse{std::move(*result), ReadFailures((*response)->failures())};
}

}  // namespace kingpost
