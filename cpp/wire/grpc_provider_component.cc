// SPDX-License-Identifier: Apache-2.0
// Construct, Call and Invoke (rows 8.14 to 8.16).
#include "wire/component_messages.h"
#include "wire/convert_options.h"
#include "wire/grpc_provider.h"
#include "wire/provider_messages.h"

namespace kingpost {

Task<Result<ConstructResponse>> GrpcProvider::Construct(ConstructRequest request) {
  if (!features_.accept_secrets) {
    co_return Status(Code::kFailedPrecondition, "plugins that can construct components must support secrets");
  }
  auto monitor_port = monitor_port_();
  if (!monitor_port.ok()) co_return monitor_port.status();
  WireOptions options = OutgoingOptions(true, false);
  options.keep_outputs = options.upgrade_to_outputs = features_.accept_outputs;
  auto wire = ConstructMessage(request, *monitor_port, options);
  if (!wire.ok()) co_return wire.status();
  auto asking = AskOrExplain(&Interface::Construct, std::move(*wire));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  co_return ReadConstructed(**response, request);
}

Task<Result<CallResponse>> GrpcProvider::Call(CallRequest request) {
  auto monitor_port = monitor_port_();
  if (!monitor_port.ok()) co_return monitor_port.status();
  WireOptions options = OutgoingOptions(true, false);
  options.keep_secrets = options.keep_resources = true;
  options.keep_outputs = features_.accepts_outputs_in_call;
  auto wire = CallMessage(request, *monitor_port, options);
  if (!wire.ok()) co_return wire.status();
  auto asking = AskOrExplain(&Interface::Call, std::move(*wire));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  co_return ReadCalled(**response, request);
}

Task<Result<InvokeResponse>> GrpcProvider::Invoke(InvokeRequest request) {
  pulumirpc::InvokeRequest wire;
  wire.set_tok(request.token);
  wire.set_preview(request.preview);
  WireOptions outgoing = OutgoingOptions(false, false), incoming = IncomingOptions(false);
  outgoing.keep_outputs = incoming.keep_outputs = features_.accepts_outputs_in_invoke;
  Status status = ToStruct(request.args, outgoing, wire.mutable_args());
  if (!status.ok()) co_return status;

  auto asking = AskOrExplain(&Interface::Invoke, std::move(wire));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  auto result = FromStruct((*response)->return_(), incoming);
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
