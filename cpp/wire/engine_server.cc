// SPDX-License-Identifier: Apache-2.0
#include "wire/engine_server.h"

#include <google/protobuf/empty.pb.h>
#include <google/protobuf/util/json_util.h>

#include "pulumi/codegen/loader.grpc.pb.h"
#include "pulumi/codegen/mapper.grpc.pb.h"
#include "pulumi/engine.grpc.pb.h"
#include "pulumi/plugin.grpc.pb.h"
#include "pulumi/resource_status.grpc.pb.h"
#include "wire/health_service.h"
#include "wire/log_intake.h"
#include "wire/server_calls.h"
#include "wire/view_steps.h"

namespace kingpost {

namespace {

using google::protobuf::Empty;
using Context = grpc::CallbackServerContext;
using Reactor = grpc::ServerUnaryReactor;

constexpr char kEngineShutDown[] = "engine shut down";
// The intake of one connection. Log messages are acknowledged late when too many wait, and this bounds how many can.
constexpr int kStreamsInFlightMax = 4096;

std::map<std::string, std::string> DecodeDebugConfig(const google::protobuf::Struct& wire) {
  std::map<std::string, std::string> config;
  for (const auto& [key, value] : wire.fields()) {
    (void)google::protobuf::util::MessageToJsonString(value, &config[key]);
  }
  return config;
}

}  // namespace

// The members that coroutines use. They may outlive the server, so they share it.
struct EngineServer::Core {
  Core(Loop& l, EngineService* s, LoadSchema schema)
      : loop(l), inbox(l.inbox()), service(s), load_schema(std::move(schema)), log(std::make_shared<LogIntake>(l, s)) {}

  Loop& loop;                          // loop thread
  const std::shared_ptr<Inbox> inbox;  // gRPC's threads; calls may come when the loop has gone
  EngineService* service;              // null once stopped; loop thread
  LoadSchema load_schema;
  std::shared_ptr<LogIntake> log;
  std::shared_ptr<ServerCalls> calls = std::make_shared<ServerCalls>();

  // A call whose rest is quick: `work` runs on the loop and answers a Status. A call that comes too late is answered
  // by its destructor.
  template <class Work>
  Reactor* OnLoop(Context* context, const Status& readable, Work work, std::shared_ptr<Core> self) {
    auto call = calls->Open(context, kEngineShutDown);
    Reactor* reactor = call->reactor();
    OnLoop(call, readable, std::move(work), std::move(self));
    return reactor;
  }
  template <class Work>
  void OnLoop(const ServerCallPtr& call, const Status& readable, Work work, std::shared_ptr<Core> self) const {
    if (!readable.ok()) return call->Finish(readable);
    inbox->Post([self = std::move(self), call, work = std::move(work)] {
      if (self->service) call->Answer([&] { return work(self->service); });
    });
  }

  void Log(const ServerCallPtr& call, const pulumirpc::LogRequest& wire) const {
    Status status = wire::Check(wire);
    if (status.ok() && !pulumirpc::LogSeverity_IsValid(wire.severity())) {
      status = Status(Code::kUnknown, "Unrecognized logging severity: " + std::to_string(wire.severity()));
    }
    if (!status.ok()) return call->Finish(status);
    LogMessage message;
    message.severity = static_cast<Severity>(wire.severity());
    message.message = wire.message();
    message.urn = wire.urn();
    message.stream_id = wire.streamid();
    message.ephemeral = wire.ephemeral();
    log->Add(std::move(message), [call] { call->Finish(Status::Ok()); });
  }

  // The answer to a program in this process: an empty one, or a refusal.
  static void Direct(const std::shared_ptr<Core>& core, const std::string& method, const std::string& bytes,
                     DirectCallback tell) {
    EndCall end = [tell = std::move(tell)](const grpc::Status& status) {
      DirectAnswer answer;
      answer.code = status.error_code();
      answer.error = status.error_message();
      tell(std::move(answer));
    };
    auto call = core->calls->Open(std::move(end), kEngineShutDown);
    if (method == "Log") {
      core->Log(call, Read<pulumirpc::LogRequest>(bytes));
    } else if (method == "RequirePulumiVersion") {
      const auto wire = Read<pulumirpc::RequirePulumiVersionRequest>(bytes);
      auto work = [range = wire.pulumi_version_range()](EngineService* service) {
        return service->RequireVersion(range);
      };
      core->OnLoop(call, wire::Check(wire), work, core);
    } else if (method == "PublishViewSteps") {
      core->Publish(call, Read<pulumirpc::PublishViewStepsRequest>(bytes), core);
    } else {
      call->Finish(Status(Code::kUnimplemented, "unknown method " + method));
    }
  }

  void Publish(const ServerCallPtr& call, const pulumirpc::PublishViewStepsRequest& wire,
               const std::shared_ptr<Core>& self) const {
    Status status = wire::Check(wire);
    auto steps = DecodeViewSteps(wire);
    if (status.ok()) status = steps.status();
    auto shared = std::make_shared<std::vector<ViewStep>>();
    if (steps.ok()) *shared = std::move(*steps);
    auto work = [token = wire.token(), shared](EngineService* receiver) {
      return receiver->PublishViewSteps(token, *shared);
    };
    OnLoop(call, status, work, self);
  }

  template <class Request>
  static Request Read(const std::string& bytes) {
    Request wire;
    if (!wire::ParseDeep(bytes, &wire)) wire::MarkMalformed(&wire);
    return wire;
  }
};

namespace {

template <class CorePtr>
class Engine final : public pulumirpc::Engine::CallbackService {
 public:
  explicit Engine(CorePtr core) : core_(std::move(core)) {}

  Reactor* Log(Context* context, const pulumirpc::LogRequest* wire, Empty*) override {
    auto call = core_->calls->Open(context, kEngineShutDown);
    Reactor* reactor = call->reactor();
    core_->Log(call, *wire);
    return reactor;
  }

  Reactor* GetRootResource(Context* context, const pulumirpc::GetRootResourceRequest* wire,
                           pulumirpc::GetRootResourceResponse* reply) override {
    auto work = [reply](EngineService* service) {
      reply->set_urn(service->root_resource());
      return Status::Ok();
    };
    return core_->OnLoop(context, wire::Check(*wire), work, core_);
  }

  Reactor* SetRootResource(Context* context, const pulumirpc::SetRootResourceRequest* wire,
                           pulumirpc::SetRootResourceResponse*) override {
    auto work = [urn = wire->urn()](EngineService* service) {
      service->set_root_resource(urn);
      return Status::Ok();
    };
    return core_->OnLoop(context, wire::Check(*wire), work, core_);
  }

  Reactor* StartDebugging(Context* context, const pulumirpc::StartDebuggingRequest* wire, Empty*) override {
    auto work = [config = DecodeDebugConfig(wire->config()), message = wire->message()](EngineService* service) {
      service->StartDebugging(config, message);
      return Status::Ok();
    };
    return core_->OnLoop(context, wire::Check(*wire), work, core_);
  }

  Reactor* RequirePulumiVersion(Context* context, const pulumirpc::RequirePulumiVersionRequest* wire,
                                pulumirpc::RequirePulumiVersionResponse*) override {
    auto work = [range = wire->pulumi_version_range()](EngineService* service) {
      return service->RequireVersion(range);
    };
    return core_->OnLoop(context, wire::Check(*wire), work, core_);
  }

 private:
  CorePtr core_;
};

template <class CorePtr>
class ResourceStatus final : public pulumirpc::ResourceStatus::CallbackService {
 public:
  explicit ResourceStatus(CorePtr core) : core_(std::move(core)) {}

  Reactor* PublishViewSteps(Context* context, const pulumirpc::PublishViewStepsRequest* wire,
                            pulumirpc::PublishViewStepsResponse*) override {
    auto call = core_->calls->Open(context, kEngineShutDown);
    Reactor* reactor = call->reactor();
    core_->Publish(call, *wire, core_);
    return reactor;
  }

 private:
  CorePtr core_;
};

template <class CorePtr>
class Loader final : public codegen::Loader::CallbackService {
 public:
  explicit Loader(CorePtr core) : core_(std::move(core)) {}

  Reactor* GetSchema(Context* context, const codegen::GetSchemaRequest* wire,
                     codegen::GetSchemaResponse* reply) override {
    auto call = core_->calls->Open(context, kEngineShutDown);
    Reactor* reactor = call->reactor();
    Status status = wire::Check(*wire);
    if (status.ok() && !core_->load_schema) status = Status(Code::kUnimplemented, "no schemas are served here");
    if (!status.ok()) {
      call->Finish(status);
      return reactor;
    }
    SchemaQuery query;
    query.package = wire->package();
    query.version = wire->version();
    query.download_url = wire->download_url();
    if (wire->has_parameterization()) {
      query.parameterization.emplace();
      query.parameterization->name = wire->parameterization().name();
      query.parameterization->version = wire->parameterization().version();
      query.parameterization->value = wire->parameterization().value();
    }
    core_->inbox->Spawn(Load(core_, std::move(call), std::move(query), reply));
    return reactor;
  }

 private:
  static Task<void> Load(CorePtr core, ServerCallPtr call, SchemaQuery query, codegen::GetSchemaResponse* reply) {
    if (!core->service) co_return;
    auto loading = core->load_schema(std::move(query));
    auto schema = co_await std::move(loading);
    if (!schema.ok()) {
      call->Finish(schema.status());
      co_return;
    }
    call->Answer([&] {
      reply->set_schema(std::move(*schema));
      return Status::Ok();
    });
  }

  CorePtr core_;
};

// Mappings tell converters which package stands for, say, a Terraform provider. An empty one means: not known.
class Mapper final : public codegen::Mapper::CallbackService {
 public:
  Reactor* GetMapping(Context* context, const codegen::GetMappingRequest*, codegen::GetMappingResponse*) override {
    auto* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

class PackageResolver final : public pulumirpc::PackageResolver::CallbackService {
 public:
  Reactor* ResolvePackage(Context* context, const pulumirpc::PackageSpec* wire,
                          pulumirpc::PackageDependency* reply) override {
    auto* reactor = context->DefaultReactor();
    if (wire->parameters_size() > 0) {
      reactor->Finish(grpc::Status(grpc::StatusCode::UNIMPLEMENTED,
                                   "package " + wire->source() + ": parameters are resolved by its plugin only"));
      return reactor;
    }
    reply->set_name(wire->source());
    reply->set_kind("resource");
    reply->set_version(wire->version());
    reply->set_server(wire->server());
    *reply->mutable_checksums() = wire->checksums();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

}  // namespace

struct EngineServer::Services {
  using CorePtr = std::shared_ptr<Core>;
  explicit Services(const CorePtr& core) : engine(core), status(core), loader(core) {}

  Engine<CorePtr> engine;
  ResourceStatus<CorePtr> status;
  Loader<CorePtr> loader;
  Mapper mapper;
  PackageResolver resolver;
  HealthService health{{"pulumirpc.Engine", "pulumirpc.ResourceStatus", "pulumirpc.PackageResolver", "codegen.Loader",
                        "codegen.Mapper"}};
};

EngineServer::EngineServer(Loop& loop, EngineService* service, EngineServerOptions options)
    : core_(std::make_shared<Core>(loop, service, options.load_schema)),
      services_(std::make_unique<Services>(core_)),
      options_(std::move(options)) {}

EngineServer::~EngineServer() {
  core_->service = nullptr;
  core_->log->Close();
  core_->calls->Close();
}

Result<std::string> EngineServer::Start() {
  if (!address_.empty()) return address_;
  GrpcServerOptions options;
  options.unix_path = options_.unix_path;
  options.on_refused = options_.on_refused;
  options.streams_in_flight_max = kStreamsInFlightMax;
  const std::vector<grpc::Service*> services = {&services_->engine, &services_->status,   &services_->loader,
                                                &services_->mapper, &services_->resolver, &services_->health};
  auto address = server_.Start(services, std::move(options));
  if (!address.ok()) return address.status().Wrap("starting the engine's server");
  address_ = *address;
  return address;
}

Result<std::string> EngineServer::OpenPort() { return server_.OpenPort(); }

DirectCall EngineServer::direct() const {
  return [core = core_](const std::string& method, const std::string& request, DirectCallback tell) {
    Core::Direct(core, method, request, std::move(tell));
  };
}

Task<void> EngineServer::Stop() {
  core_->log->Close();
  core_->service = nullptr;
  core_->calls->Close();
  auto stopping = server_.Stop(core_->loop);
  co_await std::move(stopping);
}

}  // namespace kingpost
