// SPDX-License-Identifier: Apache-2.0
#include "wire/monitor_server.h"

#include <google/protobuf/empty.pb.h>

#include <map>

#include "assets/content_hash.h"
#include "pulumi/resource.grpc.pb.h"
#include "wire/monitor_decode.h"
#include "wire/monitor_encode.h"
#include "wire/server_calls.h"

namespace kingpost {

namespace {

using google::protobuf::Empty;

constexpr char kMonitorShutDown[] = "resource monitor shut down";
constexpr char kWaitingOnStep[] = "resource monitor shut down while waiting on step's done channel";
constexpr char kWaitingOnOutputs[] = "resource monitor shut down while waiting on output step's done channel";
constexpr char kWaitingOnConstruct[] = "resource monitor shut down while waiting for construct to complete";
constexpr char kSending[] = "resource monitor shut down while sending resource registration";

// Node's old SDKs send alias specs that need repair; newer ones name themselves (row 1.16).
bool IsNode(const grpc::CallbackServerContext& context) {
  const auto& metadata = context.client_metadata();
  const auto runtime = metadata.find("pulumi-runtime");
  if (runtime != metadata.end()) return runtime->second == "nodejs";
  const auto agent = metadata.find("user-agent");
  return agent != metadata.end() && agent->second.starts_with("grpc-node-js/");
}

}  // namespace

// The members that coroutines use. They may outlive the server, so they share it.
struct MonitorServer::Core {
  Core(Loop& l, Monitor* m, std::string directory)
      : loop(l), inbox(l.inbox()), monitor(m), working_directory(std::move(directory)) {}

  Loop& loop;                          // loop thread
  const std::shared_ptr<Inbox> inbox;  // gRPC's threads; calls may come when the loop has gone
  Monitor* monitor;                    // null once stopped; loop thread
  const std::string working_directory;
  std::shared_ptr<ServerCalls> calls = std::make_shared<ServerCalls>();
  std::unique_ptr<WorkerPool> readers;  // of the files of assets; made when first needed
  bool has_stack = false, has_stack_outputs = false, has_signalled = false;

  Task<Result<PropertyMap>> Hash(PropertyMap map) {
    if (!NeedsHashes(map)) co_return map;
    if (!readers) readers = std::make_unique<WorkerPool>(loop, 2);
    auto read = [map, directory = working_directory] { return WithHashes(map, directory); };
    auto reading = readers->Run(read);
    co_return co_await std::move(reading);
  }
};

class MonitorServer::Service final : public pulumirpc::ResourceMonitor::CallbackService {
 public:
  explicit Service(std::shared_ptr<Core> core) : core_(std::move(core)) {
    SetMessageAllocatorFor_RegisterResource(&register_messages_);
    SetMessageAllocatorFor_RegisterResourceOutputs(&outputs_messages_);
    SetMessageAllocatorFor_ReadResource(&read_messages_);
    SetMessageAllocatorFor_ExistsResource(&exists_messages_);
    SetMessageAllocatorFor_Invoke(&invoke_messages_);
    SetMessageAllocatorFor_Call(&call_messages_);
  }

  using Context = grpc::CallbackServerContext;
  using Reactor = grpc::ServerUnaryReactor;
  using CorePtr = std::shared_ptr<Core>;

  Reactor* GetDeploymentInfo(Context* context, const Empty* wire, pulumirpc::DeploymentInfo* reply) override {
    return Take<&AcceptInfo>(context, wire, reply);
  }
  Reactor* SupportsFeature(Context* context, const pulumirpc::SupportsFeatureRequest* wire,
                           pulumirpc::SupportsFeatureResponse* reply) override {
    return Take<&AcceptFeature>(context, wire, reply);
  }
  Reactor* RegisterResource(Context* context, const pulumirpc::RegisterResourceRequest* wire,
                            pulumirpc::RegisterResourceResponse* reply) override {
    return Take<&AcceptRegister>(context, wire, reply);
  }
  Reactor* RegisterResourceOutputs(Context* context, const pulumirpc::RegisterResourceOutputsRequest* wire,
                                   Empty* reply) override {
    return Take<&AcceptOutputs>(context, wire, reply);
  }
  Reactor* ReadResource(Context* context, const pulumirpc::ReadResourceRequest* wire,
                        pulumirpc::ReadResourceResponse* reply) override {
    return Take<&AcceptRead>(context, wire, reply);
  }
  Reactor* ExistsResource(Context* context, const pulumirpc::ExistsResourceRequest* wire,
                          pulumirpc::ExistsResourceResponse* reply) override {
    return Take<&AcceptExists>(context, wire, reply);
  }
  Reactor* Invoke(Context* context, const pulumirpc::ResourceInvokeRequest* wire,
                  pulumirpc::ResourceInvokeResponse* reply) override {
    return Take<&AcceptInvoke>(context, wire, reply);
  }
  Reactor* Call(Context* context, const pulumirpc::ResourceCallRequest* wire, pulumirpc::CallResponse* reply) override {
    return Take<&AcceptCall>(context, wire, reply);
  }
  Reactor* RegisterStackTransform(Context* context, const pulumirpc::Callback* wire, Empty* reply) override {
    return Take<&AcceptTransform>(context, wire, reply);
  }
  Reactor* RegisterStackInvokeTransform(Context* context, const pulumirpc::Callback* wire, Empty* reply) override {
    return Take<&AcceptInvokeTransform>(context, wire, reply);
  }
  Reactor* RegisterResourceHook(Context* context, const pulumirpc::RegisterResourceHookRequest* wire,
                                Empty* reply) override {
    return Take<&AcceptHook>(context, wire, reply);
  }
  Reactor* RegisterErrorHook(Context* context, const pulumirpc::RegisterErrorHookRequest* wire, Empty* reply) override {
    return Take<&AcceptErrorHook>(context, wire, reply);
  }
  Reactor* RegisterPackage(Context* context, const pulumirpc::RegisterPackageRequest* wire,
                           pulumirpc::RegisterPackageResponse* reply) override {
    return Take<&AcceptPackage>(context, wire, reply);
  }
  Reactor* SignalAndWaitForShutdown(Context* context, const Empty* wire, Empty* reply) override {
    return Take<&AcceptSignal>(context, wire, reply);
  }

  // The same for a program in this process.
  static void Direct(const CorePtr& core, const std::string& method, const std::string& bytes, DirectCallback tell) {
    static const auto& methods = *new std::map<std::string, DirectMethod>{
        {"GetDeploymentInfo", &TakeDirect<&AcceptInfo>},
        {"SupportsFeature", &TakeDirect<&AcceptFeature>},
        {"RegisterResource", &TakeDirect<&AcceptRegister>},
        {"RegisterResourceOutputs", &TakeDirect<&AcceptOutputs>},
        {"ReadResource", &TakeDirect<&AcceptRead>},
        {"ExistsResource", &TakeDirect<&AcceptExists>},
        {"Invoke", &TakeDirect<&AcceptInvoke>},
        {"Call", &TakeDirect<&AcceptCall>},
        {"RegisterStackTransform", &TakeDirect<&AcceptTransform>},
        {"RegisterStackInvokeTransform", &TakeDirect<&AcceptInvokeTransform>},
        {"RegisterResourceHook", &TakeDirect<&AcceptHook>},
        {"RegisterErrorHook", &TakeDirect<&AcceptErrorHook>},
        {"RegisterPackage", &TakeDirect<&AcceptPackage>},
        {"SignalAndWaitForShutdown", &TakeDirect<&AcceptSignal>},
    };
    const auto found = methods.find(method);
    if (found != methods.end()) return found->second(core, bytes, std::move(tell));
    DirectAnswer unknown;
    unknown.code = grpc::StatusCode::UNIMPLEMENTED;
    unknown.error = "unknown method " + method;
    tell(std::move(unknown));
  }

 private:
  using DirectMethod = void (*)(const CorePtr& core, const std::string& bytes, DirectCallback tell);

  // One request, however it came.
  template <class Request, class Reply>
  struct Incoming {
    ServerCallPtr call;
    const Request& wire;
    Reply* reply;
    std::function<void()> drop;  // the request, once it is decoded
    bool is_node = false;

    void Refuse(const Status& status) const { call->Finish(status); }
  };

  // Which messages a function takes.
  template <auto accept>
  struct Of;
  template <class Request, class Reply, void (*accept)(const CorePtr&, const Incoming<Request, Reply>&)>
  struct Of<accept> {
    using RequestOf = Request;
    using ReplyOf = Reply;
  };

  // On a thread of gRPC.
  template <auto accept, class Request, class Reply>
  Reactor* Take(Context* context, const Request* wire, Reply* reply) {
    auto drop = [context] {
      if (auto* messages = context->GetRpcAllocatorState()) messages->FreeRequest();
    };
    Incoming<Request, Reply> in{core_->calls->Open(context, WhenShutDown(*wire)), *wire, reply, drop, IsNode(*context)};
    Reactor* reactor = in.call->reactor();
    Accept<accept>(core_, in);
    return reactor;
  }

  // On the loop.
  template <auto accept>
  static void TakeDirect(const CorePtr& core, const std::string& bytes, DirectCallback tell) {
    using Request = typename Of<accept>::RequestOf;
    using Reply = typename Of<accept>::ReplyOf;
    Request wire;
    if (!wire::ParseDeep(bytes, &wire)) wire::MarkMalformed(&wire);
    auto reply = std::make_shared<Reply>();
    EndCall end = [reply, tell = std::move(tell)](const grpc::Status& status) {
      DirectAnswer answer;
      answer.code = status.error_code();
      answer.error = status.error_message();
      if (status.ok()) reply->SerializeToString(&answer.message);
      tell(std::move(answer));
    };
    Incoming<Request, Reply> in{core->calls->Open(std::move(end), WhenShutDown(wire)), wire, reply.get(), [] {}};
    Accept<accept>(core, in);
  }

  template <auto accept, class Request, class Reply>
  static void Accept(const CorePtr& core, const Incoming<Request, Reply>& in) {
    const Status readable = wire::Check(in.wire);
    readable.ok() ? accept(core, in) : in.Refuse(readable);
  }

  // The status for callers that still wait when the monitor goes.
  template <class Request>
  static const char* WhenShutDown(const Request&) {
    return kMonitorShutDown;
  }
  static const char* WhenShutDown(const pulumirpc::RegisterResourceRequest& wire) {
    return wire.remote() ? kWaitingOnConstruct : kWaitingOnStep;
  }
  static const char* WhenShutDown(const pulumirpc::RegisterResourceOutputsRequest&) { return kWaitingOnOutputs; }
  static const char* WhenShutDown(const pulumirpc::ReadResourceRequest&) { return kWaitingOnStep; }

  // The first part of each call: what it asks, as a task for the loop.

  static void AcceptInfo(const CorePtr& core, const Incoming<Empty, pulumirpc::DeploymentInfo>& in) {
    core->inbox->Spawn(Info(core, in.call, in.reply));
  }

  static void AcceptFeature(const CorePtr& core,
                            const Incoming<pulumirpc::SupportsFeatureRequest, pulumirpc::SupportsFeatureResponse>& in) {
    core->inbox->Spawn(Feature(core, in.call, in.wire.id(), in.reply));
  }

  static void AcceptRegister(
      const CorePtr& core,
      const Incoming<pulumirpc::RegisterResourceRequest, pulumirpc::RegisterResourceResponse>& in) {
    auto request = DecodeRegisterResource(in.wire, in.is_node);
    if (!request.ok()) return in.Refuse(request.status());
    const ReplyShape shape = ShapeFor(in.wire);
    in.drop();
    core->inbox->Spawn(Register(core, in.call, std::move(*request), shape, in.reply));
  }

  static void AcceptOutputs(const CorePtr& core, const Incoming<pulumirpc::RegisterResourceOutputsRequest, Empty>& in) {
    auto outputs = DecodeOutputs(in.wire);
    if (!outputs.ok()) return in.Refuse(outputs.status());
    std::string urn = in.wire.urn();
    in.drop();
    core->inbox->Spawn(Outputs(core, in.call, std::move(urn), std::move(*outputs)));
  }

  static void AcceptRead(const CorePtr& core,
                         const Incoming<pulumirpc::ReadResourceRequest, pulumirpc::ReadResourceResponse>& in) {
    auto request = DecodeReadResource(in.wire);
    if (!request.ok()) return in.Refuse(request.status());
    const ReplyShape shape = ShapeFor(in.wire);
    in.drop();
    core->inbox->Spawn(Read(core, in.call, std::move(*request), shape, in.reply));
  }

  static void AcceptExists(const CorePtr& core,
                           const Incoming<pulumirpc::ExistsResourceRequest, pulumirpc::ExistsResourceResponse>& in) {
    auto request = DecodeExistsResource(in.wire);
    if (!request.ok()) return in.Refuse(request.status());
    in.drop();
    core->inbox->Spawn(Exists(core, in.call, std::move(*request), in.reply));
  }

  static void AcceptInvoke(const CorePtr& core,
                           const Incoming<pulumirpc::ResourceInvokeRequest, pulumirpc::ResourceInvokeResponse>& in) {
    auto request = DecodeInvoke(in.wire);
    if (!request.ok()) return in.Refuse(request.status());
    const ReplyShape shape = ShapeFor(in.wire);
    in.drop();
    core->inbox->Spawn(DoInvoke(core, in.call, std::move(*request), shape, in.reply));
  }

  static void AcceptCall(const CorePtr& core,
                         const Incoming<pulumirpc::ResourceCallRequest, pulumirpc::CallResponse>& in) {
    auto request = DecodeCall(in.wire);
    if (!request.ok()) return in.Refuse(request.status());
    const ReplyShape shape = ShapeFor(in.wire);
    in.drop();
    core->inbox->Spawn(DoCall(core, in.call, std::move(*request), shape, in.reply));
  }

  static void AcceptTransform(const CorePtr& core, const Incoming<pulumirpc::Callback, Empty>& in) {
    core->inbox->Spawn(StackTransform(core, in.call, DecodeCallback(in.wire), &Monitor::RegisterStackTransform));
  }

  static void AcceptInvokeTransform(const CorePtr& core, const Incoming<pulumirpc::Callback, Empty>& in) {
    core->inbox->Spawn(StackTransform(core, in.call, DecodeCallback(in.wire), &Monitor::RegisterStackInvokeTransform));
  }

  static void AcceptHook(const CorePtr& core, const Incoming<pulumirpc::RegisterResourceHookRequest, Empty>& in) {
    core->inbox->Spawn(Hook(core, in.call, in.wire.name(), DecodeCallback(in.wire.callback()), in.wire.on_dry_run(),
                            in.wire.ignore_errors()));
  }

  static void AcceptErrorHook(const CorePtr& core, const Incoming<pulumirpc::RegisterErrorHookRequest, Empty>& in) {
    core->inbox->Spawn(ErrorHook(core, in.call, in.wire.name(), DecodeCallback(in.wire.callback())));
  }

  static void AcceptPackage(const CorePtr& core,
                            const Incoming<pulumirpc::RegisterPackageRequest, pulumirpc::RegisterPackageResponse>& in) {
    core->inbox->Spawn(Package(core, in.call, DecodeRegisterPackage(in.wire), in.reply));
  }

  static void AcceptSignal(const CorePtr& core, const Incoming<Empty, Empty>& in) {
    core->inbox->Spawn(Signal(core, in.call));
  }

  // The rest of each call, on the loop. A call that comes when the monitor has gone is answered by its destructor.

  static Task<void> Info(CorePtr core, ServerCallPtr call, pulumirpc::DeploymentInfo* reply) {
    if (!core->monitor) co_return;
    const DeploymentInfo info = core->monitor->GetDeploymentInfo();
    call->Answer([&] {
      EncodeDeploymentInfo(info, reply);
      return Status::Ok();
    });
  }

  static Task<void> Feature(CorePtr core, ServerCallPtr call, std::string id,
                            pulumirpc::SupportsFeatureResponse* reply) {
    if (!core->monitor) co_return;
    const bool supported = core->monitor->SupportsFeature(id);
    call->Answer([&] {
      reply->set_hassupport(supported);
      return Status::Ok();
    });
  }

  static Task<void> Register(CorePtr core, ServerCallPtr call, RegisterResourceRequest request, ReplyShape shape,
                             pulumirpc::RegisterResourceResponse* reply) {
    auto hashing = core->Hash(std::move(request.inputs));
    auto inputs = co_await std::move(hashing);
    if (!inputs.ok()) {
      call->Finish(inputs.status().Wrap("unmarshal properties"));
      co_return;
    }
    request.inputs = std::move(*inputs);
    if (request.type == kRootStackType) core->has_stack = true;
    if (!core->monitor) {
      call->Finish(Status(Code::kUnavailable, kSending));
      co_return;
    }
    auto registration = core->monitor->RegisterResource(std::move(request));
    auto response = co_await std::move(registration);
    if (!response.ok()) {
      call->Finish(response.status());
    } else {
      call->Answer([&] { return EncodeRegisterResource(*response, shape, reply); });
    }
  }

  static Task<void> Outputs(CorePtr core, ServerCallPtr call, std::string urn, PropertyMap outputs) {
    auto hashing = core->Hash(std::move(outputs));
    auto hashed = co_await std::move(hashing);
    if (!hashed.ok()) {
      call->Finish(hashed.status().Wrap("cannot unmarshal output properties"));
      co_return;
    }
    if (Urn(urn).type() == kRootStackType) core->has_stack_outputs = true;
    if (!core->monitor) co_return;
    auto completion = core->monitor->RegisterResourceOutputs(std::move(urn), std::move(*hashed));
    const Status status = co_await std::move(completion);
    call->Finish(status);
  }

  static Task<void> Read(CorePtr core, ServerCallPtr call, ReadResourceRequest request, ReplyShape shape,
                         pulumirpc::ReadResourceResponse* reply) {
    if (!core->monitor) co_return;
    auto reading = core->monitor->ReadResource(std::move(request));
    auto response = co_await std::move(reading);
    if (!response.ok()) {
      call->Finish(response.status());
    } else {
      call->Answer([&] { return EncodeReadResource(*response, shape, reply); });
    }
  }

  static Task<void> Exists(CorePtr core, ServerCallPtr call, ExistsResourceRequest request,
                           pulumirpc::ExistsResourceResponse* reply) {
    if (!core->monitor) co_return;
    auto asking = core->monitor->ExistsResource(std::move(request));
    auto response = co_await std::move(asking);
    if (!response.ok()) {
      call->Finish(response.status());
      co_return;
    }
    call->Answer([&] {
      EncodeExistsResource(*response, reply);
      return Status::Ok();
    });
  }

  static Task<void> DoInvoke(CorePtr core, ServerCallPtr call, ResourceInvokeRequest request, ReplyShape shape,
                             pulumirpc::ResourceInvokeResponse* reply) {
    if (!core->monitor) co_return;
    const std::string token = request.token;
    auto invocation = core->monitor->Invoke(std::move(request));
    auto response = co_await std::move(invocation);
    if (!response.ok()) {
      call->Finish(response.status());
    } else {
      call->Answer([&] { return EncodeInvoke(*response, token, shape, reply); });
    }
  }

  static Task<void> DoCall(CorePtr core, ServerCallPtr call, ResourceCallRequest request, ReplyShape shape,
                           pulumirpc::CallResponse* reply) {
    if (!core->monitor) co_return;
    const std::string token = request.token;
    auto calling = core->monitor->Call(std::move(request));
    auto response = co_await std::move(calling);
    if (!response.ok()) {
      call->Finish(response.status());
    } else {
      call->Answer([&] { return EncodeCall(*response, token, shape, reply); });
    }
  }

  static Task<void> StackTransform(CorePtr core, ServerCallPtr call, Callback callback,
                                   Task<Status> (Monitor::*add)(Callback)) {
    if (!core->monitor) co_return;
    auto adding = (core->monitor->*add)(std::move(callback));
    const Status status = co_await std::move(adding);
    call->Finish(status);
  }

  static Task<void> Hook(CorePtr core, ServerCallPtr call, std::string name, Callback callback, bool on_dry_run,
                         bool ignore_errors) {
    if (!core->monitor) co_return;
    auto adding = core->monitor->RegisterResourceHook(std::move(name), std::move(callback), on_dry_run, ignore_errors);
    const Status status = co_await std::move(adding);
    call->Finish(status);
  }

  static Task<void> ErrorHook(CorePtr core, ServerCallPtr call, std::string name, Callback callback) {
    if (!core->monitor) co_return;
    auto adding = core->monitor->RegisterErrorHook(std::move(name), std::move(callback));
    const Status status = co_await std::move(adding);
    call->Finish(status);
  }

  static Task<void> Package(CorePtr core, ServerCallPtr call, RegisterPackageRequest request,
                            pulumirpc::RegisterPackageResponse* reply) {
    if (!core->monitor) co_return;
    auto adding = core->monitor->RegisterPackage(std::move(request));
    auto ref = co_await std::move(adding);
    if (!ref.ok()) {
      call->Finish(ref.status());
      co_return;
    }
    call->Answer([&] {
      reply->set_ref(*ref);
      return Status::Ok();
    });
  }

  static Task<void> Signal(CorePtr core, ServerCallPtr call) {
    core->has_signalled = true;
    if (!core->monitor) co_return;
    auto waiting = core->monitor->SignalAndWaitForShutdown();
    const Status status = co_await std::move(waiting);
    call->Finish(status);
  }

  CorePtr core_;
  EarlyFreeAllocator<pulumirpc::RegisterResourceRequest, pulumirpc::RegisterResourceResponse> register_messages_;
  EarlyFreeAllocator<pulumirpc::RegisterResourceOutputsRequest, Empty> outputs_messages_;
  EarlyFreeAllocator<pulumirpc::ReadResourceRequest, pulumirpc::ReadResourceResponse> read_messages_;
  EarlyFreeAllocator<pulumirpc::ExistsResourceRequest, pulumirpc::ExistsResourceResponse> exists_messages_;
  EarlyFreeAllocator<pulumirpc::ResourceInvokeRequest, pulumirpc::ResourceInvokeResponse> invoke_messages_;
  EarlyFreeAllocator<pulumirpc::ResourceCallRequest, pulumirpc::CallResponse> call_messages_;
};

MonitorServer::MonitorServer(Loop& loop, Monitor* monitor, MonitorServerOptions options)
    : core_(std::make_shared<Core>(loop, monitor, options.working_directory)),
      service_(std::make_unique<Service>(core_)),
      options_(std::move(options)) {}

MonitorServer::~MonitorServer() {
  core_->monitor = nullptr;
  core_->calls->Close();
}

Result<std::string> MonitorServer::Start() {
  if (!address_.empty()) return address_;
  GrpcServerOptions options;
  options.unix_path = options_.unix_path;
  options.on_refused = options_.on_refused;
  auto address = server_.Start({service_.get()}, std::move(options));
  if (!address.ok()) return address.status().Wrap("starting the resource monitor");
  address_ = *address;
  return address;
}

DirectCall MonitorServer::direct() const {
  return [core = core_](std::string method, std::string request, DirectCallback tell) {
    // Answers also where the loop has gone and drops what is posted.
    auto once = std::make_shared<DirectResponder>(std::move(tell));
    core->inbox->Post([core, once, method = std::move(method), request = std::move(request)] {
      Service::Direct(core, method, request, [once](DirectAnswer answer) { once->Tell(std::move(answer)); });
    });
  };
}

Result<std::string> MonitorServer::OpenPort() { return server_.OpenPort(); }

Task<void> MonitorServer::Stop() {
  core_->monitor = nullptr;
  core_->calls->Close();
  auto stopping = server_.Stop(core_->loop);
  co_await std::move(stopping);
}

size_t MonitorServer::calls_in_flight() const { return core_->calls->size(); }
bool MonitorServer::has_stack() const { return core_->has_stack; }
bool MonitorServer::has_stack_outputs() const { return core_->has_stack_outputs; }
bool MonitorServer::has_signalled() const { return core_->has_signalled; }

}  // namespace kingpost
