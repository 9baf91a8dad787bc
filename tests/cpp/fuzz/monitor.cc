// SPDX-License-Identifier: Apache-2.0
// Fuzzes the requests of a program to the resource monitor. The input is a list of requests: a byte for the kind, two
// for the length, and the bytes of the message. Each is read as the server reads it. A monitor answers with what it was
// asked, and the answer is encoded.
#include "wire/wire.h"

#include "fuzz/fuzz.h"
#include "fuzz/parse_wire.h"
#include "fuzz/silent_protobuf.h"
#include "wire/fake_monitor.h"
#include "wire/monitor_decode.h"
#include "wire/monitor_encode.h"

using namespace kingpost;

namespace {

using fuzz::Parse;

// Encodes the answer for a caller that understands everything, and for one that understands nothing.
template <class Response, class Wire>
void Write(const Response& response, Status (*encode)(const Response&, const ReplyShape&, Wire*)) {
  for (const bool all : {false, true}) {
    ReplyShape shape;
    shape.accept_secrets = shape.accept_resources = shape.accepts_byte_string = all;
    shape.supports_partial_values = shape.supports_result_reporting = shape.local_component = all;
    Wire wire;
    if (encode(response, shape, &wire).ok()) (void)wire.SerializeAsString();
  }
}

Task<void> Register(Monitor& monitor, std::string_view bytes) {
  pulumirpc::RegisterResourceRequest wire;
  if (!Parse(bytes, &wire)) co_return;
  auto request = DecodeRegisterResource(wire, wire.custom());
  if (!request.ok()) co_return;
  auto registering = monitor.RegisterResource(std::move(*request));
  const auto response = co_await std::move(registering);
  if (response.ok()) Write(*response, &EncodeRegisterResource);
}

Task<void> Outputs(Monitor& monitor, std::string_view bytes) {
  pulumirpc::RegisterResourceOutputsRequest wire;
  if (!Parse(bytes, &wire)) co_return;
  auto outputs = DecodeOutputs(wire);
  if (!outputs.ok()) co_return;
  (void)Urn(wire.urn()).type();
  auto registering = monitor.RegisterResourceOutputs(wire.urn(), std::move(*outputs));
  (void)co_await std::move(registering);
}

Task<void> Read(Monitor& monitor, std::string_view bytes) {
  pulumirpc::ReadResourceRequest wire;
  if (!Parse(bytes, &wire)) co_return;
  auto request = DecodeReadResource(wire);
  if (!request.ok()) co_return;
  auto reading = monitor.ReadResource(std::move(*request));
  const auto response = co_await std::move(reading);
  if (response.ok()) Write(*response, &EncodeReadResource);
}

Task<void> Invoke(Monitor& monitor, std::string_view bytes) {
  pulumirpc::ResourceInvokeRequest wire;
  if (!Parse(bytes, &wire)) co_return;
  auto request = DecodeInvoke(wire);
  if (!request.ok()) co_return;
  const std::string token = request->token;
  auto invoking = monitor.Invoke(std::move(*request));
  const auto response = co_await std::move(invoking);
  pulumirpc::ResourceInvokeResponse reply;
  if (response.ok()) (void)EncodeInvoke(*response, token, {}, &reply);
}

Task<void> Call(Monitor&, std::string_view bytes) {
  pulumirpc::ResourceCallRequest wire;
  if (!Parse(bytes, &wire)) co_return;
  auto request = DecodeCall(wire);
  if (!request.ok()) co_return;
  CallResponse response;
  response.result = std::move(request->args);
  pulumirpc::CallResponse reply;
  (void)EncodeCall(response, request->token, {}, &reply);
}

Task<void> Package(Monitor& monitor, std::string_view bytes) {
  pulumirpc::RegisterPackageRequest wire;
  if (!Parse(bytes, &wire)) co_return;
  auto registering = monitor.RegisterPackage(DecodeRegisterPackage(wire));
  (void)co_await std::move(registering);
}

Task<void> Transform(Monitor& monitor, std::string_view bytes) {
  pulumirpc::Callback wire;
  if (!Parse(bytes, &wire)) co_return;
  auto registering = monitor.RegisterStackTransform(DecodeCallback(wire));
  (void)co_await std::move(registering);
}

Task<void> Hook(Monitor& monitor, std::string_view bytes) {
  pulumirpc::RegisterResourceHookRequest wire;
  if (!Parse(bytes, &wire)) co_return;
  auto registering =
      monitor.RegisterResourceHook(wire.name(), DecodeCallback(wire.callback()), wire.on_dry_run(), false);
  (void)co_await std::move(registering);
}

using Handler = Task<void> (*)(Monitor&, std::string_view);
constexpr Handler kHandlers[] = {Register, Outputs, Read, Invoke, Call, Package, Transform, Hook};

}  // namespace

void Try(std::string_view input) {
  Loop loop;
  testing::FakeMonitor monitor(loop);
  while (input.size() >= 3) {
    const auto byte = [&input](size_t at) { return static_cast<unsigned char>(input[at]); };
    const Handler handler = kHandlers[byte(0) % std::size(kHandlers)];
    const size_t length = std::min<size_t>(byte(1) | byte(2) << 8, input.size() - 3);
    loop.Spawn(handler(monitor, input.substr(3, length)));
    input.remove_prefix(3 + length);
  }
  loop.RunUntilIdle();
}
