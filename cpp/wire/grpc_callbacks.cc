// SPDX-License-Identifier: Apache-2.0
#include "wire/grpc_callbacks.h"

#include "assets/content_hash.h"
#include "base/encoding.h"
#include "wire/convert.h"
#include "wire/convert_options.h"
#include "wire/struct_bytes.h"

namespace kingpost {

namespace {

WireOptions OptionsFor(const Callback& callback) {
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = options.keep_resources = options.keep_outputs = true;
  options.keep_byte_strings = callback.accepts_byte_string;
  return options;
}

// A map of a hook's request; what the operation does not have is not sent.
template <class Request>
Status SetMap(const std::optional<PropertyMap>& map, const char* what, const WireOptions& options,
              std::string* (Request::*member)(), Request* out) {
  if (!map) return Status::Ok();
  return ToStruct(*map, options, (out->*member)()).Wrap(std::string("marshaling ") + what);
}

// The fields that both kinds of hooks get.
template <class Request, class Wire>
Status FillHook(const Request& request, const WireOptions& options, Wire* out) {
  out->set_urn(request.urn.str());
  out->set_id(request.id);
  out->set_name(request.name);
  out->set_type(request.type);
  Status status = SetMap(request.new_inputs, "new inputs", options, &Wire::mutable_new_inputs, out);
  if (status.ok()) status = SetMap(request.old_inputs, "old inputs", options, &Wire::mutable_old_inputs, out);
  if (status.ok()) status = SetMap(request.old_outputs, "old outputs", options, &Wire::mutable_old_outputs, out);
  if (request.old_state) ToWireOptions(*request.old_state, out->mutable_old_options());
  if (request.new_state) ToWireOptions(*request.new_state, out->mutable_new_options());
  return status;
}

void FillInvokeOptions(const InvokeOptions& options, pulumirpc::TransformInvokeOptions* out) {
  out->set_provider(options.provider);
  out->set_plugin_download_url(options.plugin_download_url);
  out->set_version(options.version);
  out->mutable_plugin_checksums()->insert(options.plugin_checksums.begin(), options.plugin_checksums.end());
}

InvokeOptions ReadInvokeOptions(const pulumirpc::TransformInvokeOptions& wire) {
  InvokeOptions options;
  options.provider = wire.provider();
  options.plugin_download_url = wire.plugin_download_url();
  options.version = wire.version();
  options.plugin_checksums.insert(wire.plugin_checksums().begin(), wire.plugin_checksums().end());
  return options;
}

// A failure as the text of an error of gRPC, which is how callers match that of a transform.
Status AsRpcError(const Status& status) {
  const bool as_it_is = status.message().starts_with("unmarshaling");
  return {Code::kUnknown, (as_it_is ? "" : "rpc error: code = Unknown desc = ") + status.message()};
}

// In words that callers match.
Status Unreadable(const std::string& what) {
  return {Code::kUnknown, "unmarshaling " + what + " response: proto: cannot parse invalid wire-format data"};
}

// Values are bytes of their own in our messages: a message of another type is noticed only there.
bool HoldsStruct(const std::string& bytes) {
  return wire::IsPlain(wire::Shape::kStruct, bytes) || wire::ToPlainBytes(wire::Shape::kStruct, bytes).ok();
}

}  // namespace

GrpcCallbacks::GrpcCallbacks(Loop& loop, WorkerPool& workers, std::string working_directory)
    : loop_(loop), workers_(workers), working_directory_(std::move(working_directory)) {}

GrpcCallbacks::Stub& GrpcCallbacks::StubFor(const std::string& target) {
  auto& stub = stubs_[target];
  if (!stub) stub = pulumirpc::Callbacks::NewStub(OpenChannel(target));
  return *stub;
}

void GrpcCallbacks::GiveUp() {
  given_up_ = true;
  for (const auto& call : under_way_) {
    if (const auto flight = call.lock()) flight->context.TryCancel();
  }
}

template <class Request, class Response>
Task<Result<Response>> GrpcCallbacks::Ask(Callback callback, std::string what, Request request) {
  pulumirpc::CallbackInvokeRequest wire;
  wire.set_token(callback.token);
  if (!request.SerializeToString(wire.mutable_request())) {
    co_return Status(Code::kInternal, "marshaling " + what + " request: it is too large");
  }
  using Interface = pulumirpc::Callbacks::StubInterface::async_interface;
  Interface* stub = StubFor(callback.target).async();
  AsyncMethod<Interface, pulumirpc::CallbackInvokeRequest, pulumirpc::CallbackInvokeResponse> method =
      &Interface::Invoke;
  if (given_up_) co_return Status(Code::kCancelled, what + ": the operation was stopped");
  auto flight = MakePendingCall(stub, method, std::move(wire));
  under_way_.remove_if([](const std::weak_ptr<PendingCall>& other) { return other.expired(); });
  under_way_.push_back(flight);
  auto flying = AwaitCall(loop_, flight);
  const grpc::Status status = co_await std::move(flying);
  auto answer = ToResult(RawAnswer<pulumirpc::CallbackInvokeResponse>{
      status, std::shared_ptr<pulumirpc::CallbackInvokeResponse>(flight, &flight->response)});
  if (!answer.ok()) co_return answer.status();
  Response response;
  if (!wire::ParseDeep((*answer)->response(), &response)) co_return Unreadable(what);
  co_return response;
}

Task<Result<RegisterResourceRequest>> GrpcCallbacks::Transform(Callback callback, RegisterResourceRequest request) {
  const WireOptions options = OptionsFor(callback);
  WireOptions told = options;
  told.upgrade_to_outputs = true;
  pulumirpc::TransformRequest wire;
  wire.set_type(request.type);
  wire.set_name(request.name);
  wire.set_custom(request.custom);
  wire.set_parent(request.parent.str());
  Status status = ToStruct(request.inputs, told, wire.mutable_properties());
  if (!status.ok()) co_return AsRpcError(status.Wrap("marshaling transform properties"));
  status = ToWireOptions(request, wire.mutable_options());
  if (!status.ok()) co_return AsRpcError(status.Wrap("marshaling transform options"));

  auto asking = Ask<pulumirpc::TransformRequest, pulumirpc::TransformResponse>(callback, "transform", std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return AsRpcError(answer.status());
  if (!HoldsStruct(answer->properties())) co_return Unreadable("transform");
  // Fields that the function leaves out stay as they were.
  if (answer->has_options()) {
    const Status read = FromWireOptions(answer->options(), &request);
    if (!read.ok()) co_return AsRpcError(read.Wrap("unmarshalling transform options"));
  }
  if (!answer->has_properties()) co_return request;
  auto properties = FromStruct(answer->properties(), options);
  if (!properties.ok()) co_return AsRpcError(properties.status().Wrap("unmarshalling transform properties"));
  if (NeedsHashes(*properties)) {
    auto hashing = workers_.Run([map = *properties, folder = working_directory_] { return WithHashes(map, folder); });
    properties = co_await std::move(hashing);
    if (!properties.ok()) co_return AsRpcError(properties.status().Wrap("unmarshalling transform properties"));
  }
  request.inputs = std::move(*properties);
  co_return request;
}

Task<Result<TransformInvokeResponse>> GrpcCallbacks::TransformInvoke(Callback callback,
                                                                     TransformInvokeRequest request) {
  const WireOptions options = OptionsFor(callback);
  pulumirpc::TransformInvokeRequest wire;
  wire.set_token(request.token);
  Status status = ToStruct(request.args, options, wire.mutable_args());
  if (!status.ok()) co_return status;
  FillInvokeOptions(request.options, wire.mutable_options());

  auto asking = Ask<pulumirpc::TransformInvokeRequest, pulumirpc::TransformInvokeResponse>(callback, "invoke transform",
                                                                                           std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status();
  if (!HoldsStruct(answer->args())) co_return Unreadable("invoke transform");
  TransformInvokeResponse response{std::move(request.args), std::move(request.options)};
  if (answer->has_options()) response.options = ReadInvokeOptions(answer->options());
  if (answer->has_args()) {
    auto args = FromStruct(answer->args(), options);
    if (!args.ok()) co_return args.status();
    response.args = std::move(*args);
  }
  co_return response;
}

Task<Status> GrpcCallbacks::RunHook(Callback callback, ResourceHookRequest request) {
  const WireOptions options = OptionsFor(callback);
  const std::string what = "resource hook for " + Quote(request.name);
  pulumirpc::ResourceHookRequest wire;
  Status status = FillHook(request, options, &wire);
  if (status.ok()) {
    status = SetMap(request.new_outputs, "new outputs", options, &pulumirpc::ResourceHookRequest::mutable_new_outputs,
                    &wire);
  }
  if (!status.ok()) co_return status.Wrap(what);
  auto asking = Ask<pulumirpc::ResourceHookRequest, pulumirpc::ResourceHookResponse>(callback, what, std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status();
  if (!answer->error().empty()) co_return Status(Code::kUnknown, answer->error());
  co_return Status::Ok();
}

Task<Result<bool>> GrpcCallbacks::RunErrorHook(Callback callback, ErrorHookRequest request) {
  const std::string what = "error hook for " + Quote(request.name);
  pulumirpc::ErrorHookRequest wire;
  Status status = FillHook(request, OptionsFor(callback), &wire);
  if (!status.ok()) co_return status.Wrap(what);
  wire.set_failed_operation(request.failed_operation);
  wire.mutable_errors()->Add(request.errors.begin(), request.errors.end());
  auto asking = Ask<pulumirpc::ErrorHookRequest, pulumirpc::ErrorHookResponse>(callback, what, std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status();
  if (!answer->error().empty()) co_return Status(Code::kUnknown, answer->error());
  co_return answer->retry();
}

Task<Result<StateMigrationResponse>> GrpcCallbacks::MigrateState(Callback callback, StateMigrationRequest request) {
  pulumirpc::StateMigrationRequest wire;
  wire.set_urn(request.urn.str());
  wire.set_old_state(std::move(request.old_state));
  auto asking = Ask<pulumirpc::StateMigrationRequest, pulumirpc::StateMigrationResponse>(callback, "state migration",
                                                                                         std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return AsRpcError(answer.status());
  StateMigrationResponse response;
  response.new_state = std::move(*answer->mutable_new_state());
  response.successors.insert(answer->successors().begin(), answer->successors().end());
  co_return response;
}

}  // namespace kingpost
