// SPDX-License-Identifier: Apache-2.0
#include "wire/monitor_server.h"

#include <google/protobuf/empty.pb.h>

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

// What coroutines use. They may outlive the server, so they share it.
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

  Reactor* GetDeploymentInfo(Context* context, const Empty*, pulumirpc::DeploymentInfo* reply) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    return Start(call, Info(core_, call, reply));
  }

  Reactor* SupportsFeature(Context* context, const pulumirpc::SupportsFeatureRequest* wire,
                           pulumirpc::SupportsFeatureResponse* reply) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    return Start(call, Feature(core_, call, wire->id(), reply));
  }

  Reactor* RegisterResource(Context* context, const pulumirpc::RegisterResourceRequest* wire,
                            pulumirpc::RegisterResourceResponse* reply) override {
    auto call = core_->calls->Open(context, wire->remote() ? kWaitingOnConstruct : kWaitingOnStep);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    auto request = DecodeRegisterResource(*wire, IsNode(*context));
    if (!request.ok()) return Refuse(call, request.status());
    const ReplyShape shape = ShapeFor(*wire);
    context->GetRpcAllocatorState()->FreeRequest();
    return Start(call, Register(core_, call, std::move(*request), shape, reply));
  }

  Reactor* RegisterResourceOutputs(Context* context, const pulumirpc::RegisterResourceOutputsRequest* wire,
                                   Empty*) override {
    auto call = core_->calls->Open(context, kWaitingOnOutputs);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    auto outputs = DecodeOutputs(*wire);
    if (!outputs.ok()) return Refuse(call, outputs.status());
    std::string urn = wire->urn();
    context->GetRpcAllocatorState()->FreeRequest();
    return Start(call, Outputs(core_, call, std::move(urn), std::move(*outputs)));
  }

  Reactor* ReadResource(Context* context, const pulumirpc::ReadResourceRequest* wire,
                        pulumirpc::ReadResourceResponse* reply) override {
    auto call = core_->calls->Open(context, kWaitingOnStep);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    auto request = DecodeReadResource(*wire);
    if (!request.ok()) return Refuse(call, request.status());
    const ReplyShape shape = ShapeFor(*wire);
    context->GetRpcAllocatorState()->FreeRequest();
    return Start(call, Read(core_, call, std::move(*request), shape, reply));
  }

  Reactor* ExistsResource(Context* context, const pulumirpc::ExistsResourceRequest* wire,
                          pulumirpc::ExistsResourceResponse* reply) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    auto request = DecodeExistsResource(*wire);
    if (!request.ok()) return Refuse(call, request.status());
    context->GetRpcAllocatorState()->FreeRequest();
    return Start(call, Exists(core_, call, std::move(*request), reply));
  }

  Reactor* Invoke(Context* context, const pulumirpc::ResourceInvokeRequest* wire,
                  pulumirpc::ResourceInvokeResponse* reply) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    auto request = DecodeInvoke(*wire);
    if (!request.ok()) return Refuse(call, request.status());
    const ReplyShape shape = ShapeFor(*wire);
    context->GetRpcAllocatorState()->FreeRequest();
    return Start(call, DoInvoke(core_, call, std::move(*request), shape, reply));
  }

  Reactor* Call(Context* context, const pulumirpc::ResourceCallRequest* wire, pulumirpc::CallResponse* reply) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    auto request = DecodeCall(*wire);
    if (!request.ok()) return Refuse(call, request.status());
    const ReplyShape shape = ShapeFor(*wire);
    context->GetRpcAllocatorState()->FreeRequest();
    return Start(call, DoCall(core_, call, std::move(*request), shape, reply));
  }

  Reactor* RegisterStackTransform(Context* context, const pulumirpc::Callback* wire, Empty*) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    return Start(call, StackTransform(core_, call, DecodeCallback(*wire), &Monitor::RegisterStackTransform));
  }

  Reactor* RegisterStackInvokeTransform(Context* context, const pulumirpc::Callback* wire, Empty*) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    return Start(call, StackTransform(core_, call, DecodeCallback(*wire), &Monitor::RegisterStackInvokeTransform));
  }

  Reactor* RegisterResourceHook(Context* context, const pulumirpc::RegisterResourceHookRequest* wire, Empty*) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    return Start(call, Hook(core_, call, wire->name(), DecodeCallback(wire->callback()), wire->on_dry_run(),
                            wire->ignore_errors()));
  }

  Reactor* RegisterErrorHook(Context* context, const pulumirpc::RegisterErrorHookRequest* wire, Empty*) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    return Start(call, ErrorHook(core_, call, wire->name(), DecodeCallback(wire->callback())));
  }

  Reactor* RegisterPackage(Context* context, const pulumirpc::RegisterPackageRequest* wire,
                           pulumirpc::RegisterPackageResponse* reply) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    if (auto bad = wire::Check(*wire); !bad.ok()) return Refuse(call, bad);
    return Start(call, Package(core_, call, DecodeRegisterPackage(*wire), reply));
  }

  Reactor* SignalAndWaitForShutdown(Context* context, const Empty*, Empty*) override {
    auto call = core_->calls->Open(context, kMonitorShutDown);
    return Start(call, Signal(core_, call));
  }

 private:
  Reactor* Start(const ServerCallPtr& call, Task<void> task) {
    Reactor* reactor = call->reactor();
    core_->inbox->Spawn(std::move(task));
    return reactor;
  }
  static Reactor* Refuse(const ServerCallPtr& call, const Status& status) {
    Reactor* reactor = call->reactor();
    call->Finish(status);
    return reactor;
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
  EarlyFree<pulumirpc::RegisterResourceRequest, pulumirpc::RegisterResourceResponse> register_messages_;
  EarlyFree<pulumirpc::RegisterResourceOutputsRequest, Empty> outputs_messages_;
  EarlyFree<pulumirpc::ReadResourceRequest, pulumirpc::ReadResourceResponse> read_messages_;
  EarlyFree<pulumirpc::ExistsResourceRequest, pulumirpc::ExistsResourceResponse> exists_messages_;
  EarlyFree<pulumirpc::ResourceInvokeRequest, pulumirpc::ResourceInvokeResponse> invoke_messages_;
  EarlyFree<pulumirpc::ResourceCallRequest, pulumirpc::CallResponse> call_messages_;
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
  GrpcServerOptions options;
  options.unix_path = options_.unix_path;
  options.on_refused = options_.on_refused;
  auto address = server_.Start({service_.get()}, std::move(options));
  if (!address.ok()) return address.status().Wrap("starting the resource monitor");
  return address;
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
