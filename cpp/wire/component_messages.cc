// SPDX-License-Identifier: Apache-2.0
#include "wire/component_messages.h"

#include "wire/component_bytes.h"
#include "wire/option_fields.h"
#include "wire/provider_messages.h"

namespace kingpost {

namespace {

WireOptions AnswerOptions(bool keep_unknowns) {
  WireOptions options;
  options.keep_unknowns = keep_unknowns;
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

Status SetConstructOptions(const ConstructRequest& request, pulumirpc::ConstructRequest* out) {
  out->mutable_providers()->insert(request.providers.begin(), request.providers.end());
  const auto& fields = OptionFieldsOf<pulumirpc::ConstructRequest, OptionNames::kConstruct>();
  return WriteOptionFields(request, fields, AnswerOptions(request.info.dry_run), out);
}

// For receivers that understand everything.
WireOptions FullOptions() {
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = options.keep_resources = options.keep_outputs = true;
  return options;
}

template <class Message>
Result<Message> Parsed(const std::string& bytes) {
  Message message;
  if (message.ParseFromString(bytes)) return message;
  return Status(Code::kInternal, "the answer of a component is not a message");
}

}  // namespace

Result<pulumirpc::ConstructRequest> ConstructMessage(const ConstructRequest& request, const std::string& monitor,
                                                     const WireOptions& options) {
  pulumirpc::ConstructRequest wire;
  SetInfo(request.info, monitor, &wire);
  wire.set_type(request.type);
  wire.set_name(request.name);
  wire.set_parent(request.parent.str());
  Status status = ToStruct(request.inputs, options, wire.mutable_inputs());
  if (status.ok()) status = SetConstructOptions(request, &wire);
  if (!status.ok()) return status;
  SetDependencies(request.property_dependencies, wire.mutable_inputdependencies());
  return wire;
}

Result<ConstructResponse> ReadConstructed(const pulumirpc::ConstructResponse& wire, const ConstructRequest& request) {
  auto urn = Urn::Parse(wire.urn());
  if (!urn.ok()) return urn.status().Wrap("the provider answered for component '" + request.name + "'");
  auto outputs = FromStruct(wire.state(), AnswerOptions(true));
  if (!outputs.ok()) return outputs.status();
  return ConstructResponse{std::move(*urn), std::move(*outputs), ReadDependencies(wire.statedependencies())};
}

Result<pulumirpc::CallRequest> CallMessage(const CallRequest& request, const std::string& monitor,
                                           const WireOptions& options) {
  pulumirpc::CallRequest wire;
  SetInfo(request.info, monitor, &wire);
  wire.set_tok(request.token);
  if (const Status status = ToStruct(request.args, options, wire.mutable_args()); !status.ok()) return status;
  SetDependencies(request.arg_dependencies, wire.mutable_argdependencies());
  return wire;
}

Result<CallResponse> ReadCalled(const pulumirpc::CallResponse& wire, const CallRequest& request) {
  auto result = FromStruct(wire.return_(), AnswerOptions(request.info.dry_run));
  if (!result.ok()) return result.status();
  return CallResponse{std::move(*result), ReadDependencies(wire.returndependencies()), ReadFailures(wire.failures())};
}

Result<std::string> ConstructBytes(const ConstructRequest& request, const std::string& monitor) {
  WireOptions options = FullOptions();
  options.upgrade_to_outputs = true;
  const auto wire = ConstructMessage(request, monitor, options);
  if (!wire.ok()) return wire.status();
  return wire->SerializeAsString();
}

Result<ConstructResponse> ConstructedFromBytes(const std::string& bytes, const ConstructRequest& request) {
  const auto wire = Parsed<pulumirpc::ConstructResponse>(bytes);
  if (!wire.ok()) return wire.status();
  return ReadConstructed(*wire, request);
}

Result<std::string> CallBytes(const CallRequest& request, const std::string& monitor) {
  const auto wire = CallMessage(request, monitor, FullOptions());
  if (!wire.ok()) return wire.status();
  return wire->SerializeAsString();
}

Result<CallResponse> CalledFromBytes(const std::string& bytes, const CallRequest& request) {
  const auto wire = Parsed<pulumirpc::CallResponse>(bytes);
  if (!wire.ok()) return wire.status();
  return ReadCalled(*wire, request);
}

}  // namespace kingpost
