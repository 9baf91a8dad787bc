// SPDX-License-Identifier: Apache-2.0
#include "wire/grpc_language_host.h"

#include <google/protobuf/empty.pb.h>
#include <google/protobuf/util/json_util.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "processes/plugin_environment.h"
#include "pulumi/language.grpc.pb.h"
#include "wire/channel.h"
#include "wire/plugin_connection.h"

// Old hosts read fields that new ones no longer need.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace kingpost {

namespace {

using Interface = pulumirpc::LanguageRuntime::StubInterface::async_interface;

void FillProgramInfo(const Project& project, pulumirpc::ProgramInfo* info) {
  info->set_root_directory(project.folder());
  info->set_program_directory(project.ProgramFolder());
  info->set_entry_point(EntryPoint(project));
  auto parsed = google::protobuf::util::JsonStringToMessage(project.runtime_options->dump(), info->mutable_options());
  if (!parsed.ok()) info->mutable_options()->Clear();
}

template <class Wire>
Parameterization DecodeParameterization(const Wire& wire) {
  Parameterization value;
  value.name = wire.name();
  value.version = wire.version();
  value.value = wire.value();
  return value;
}

template <class Wire>
RequiredPackage DecodePlugin(const Wire& wire) {
  RequiredPackage package;
  package.name = wire.name();
  package.kind = wire.kind();
  package.version = wire.version();
  package.download_url = wire.server();
  package.checksums.insert(wire.checksums().begin(), wire.checksums().end());
  return package;
}

class GrpcLanguageHost final : public LanguageHost, public std::enable_shared_from_this<GrpcLanguageHost> {
 public:
  // `connection` is null for an attached client.
  GrpcLanguageHost(Loop& loop, LanguageHostOptions options, PluginConnectionPtr connection)
      : loop_(loop),
        options_(std::move(options)),
        connection_(std::move(connection)),
        stub_(pulumirpc::LanguageRuntime::NewStub(connection_ ? connection_->channel()
                                                              : OpenChannel(options_.client_address))) {}

  Task<Status> Handshake() {
    auto self = shared_from_this();
    auto engine_port = options_.open_engine_port();
    if (!engine_port.ok()) co_return engine_port.status();
    pulumirpc::LanguageHandshakeRequest request;
    request.set_engine_address(*engine_port);
    if (!connection_->is_attached()) {
      request.set_root_directory(options_.project.folder());
      request.set_program_directory(options_.project.ProgramFolder());
    }
    Interface* stub = stub_->async();
    auto call = connection_->FirstCall(stub, &Interface::Handshake, std::move(request));
    auto answer = co_await std::move(call);
    if (answer.status.ok() || answer.status.error_code() == grpc::StatusCode::UNIMPLEMENTED) co_return Status::Ok();
    auto explaining = connection_->Explain(answer.status);
    co_return co_await std::move(explaining);
  }

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    auto self = shared_from_this();
    pulumirpc::GetRequiredPackagesRequest request;
    FillProgramInfo(options_.project, request.mutable_info());
    Interface* stub = stub_->async();
    auto call = RawCall(loop_, stub, &Interface::GetRequiredPackages, std::move(request));
    auto answer = co_await std::move(call);
    if (answer.status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
      auto older = GetRequiredPlugins();
      co_return co_await std::move(older);
    }
    if (!answer.status.ok()) {
      auto explaining = Explain(answer.status);
      co_return co_await std::move(explaining);
    }
    std::vector<RequiredPackage> packages;
    for (const auto& wire : answer.response->packages()) {
      packages.push_back(DecodePlugin(wire));
      if (wire.has_parameterization()) {
        packages.back().parameterization = DecodeParameterization(wire.parameterization());
      }
    }
    co_return packages;
  }

  Task<Result<RunResponse>> Run(RunRequest request) override {
    auto self = shared_from_this();
    if (cancelled_) co_return Status(Code::kCancelled, "the program was not started: the operation is cancelled");
    auto engine_port = options_.open_engine_port();
    if (!engine_port.ok()) co_return engine_port.status();
    auto monitor_port = options_.open_monitor_port();
    if (!monitor_port.ok()) co_return monitor_port.status();
    Interface* stub = stub_->async();
    AsyncMethod<Interface, pulumirpc::RunRequest, pulumirpc::RunResponse> method = &Interface::Run;
    auto flight = MakePendingCall(stub, method, pulumirpc::RunRequest());
    FillRun(request, *engine_port, *monitor_port, &flight->request);
    flight_ = flight;  // so that Cancel can give it up
    auto flying = AwaitCall(loop_, flight);
    const grpc::Status status = co_await std::move(flying);
    flight_ = nullptr;
    if (!status.ok()) {
      auto explaining = Explain(status);
      co_return co_await std::move(explaining);
    }
    if (Status readable = wire::Check(flight->response); !readable.ok()) co_return readable;
    RunResponse response;
    response.error = flight->response.error();
    response.bail = flight->response.bail();
    co_return response;
  }

  Task<void> Cancel() override {
    auto self = shared_from_this();
    cancelled_ = true;
    std::weak_ptr<PendingCall> running = flight_;
    std::function<void()> give_up = [running] {
      if (auto flight = running.lock()) flight->context.TryCancel();
    };
    // A program that is its own server knows no Cancel, and its SDK reports an error when it is asked. What it waits
    // for may be held back for good, so it is not waited for.
    if (!connection_) {
      give_up();
      co_return;
    }
    CallOptions call_options;
    call_options.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(kCancelBudget);
    Interface* stub = stub_->async();
    auto call = RawCall(loop_, stub, &Interface::Cancel, google::protobuf::Empty(), call_options);
    auto answer = co_await std::move(call);
    if (answer.status.ok()) {
      loop_.PostAfter(call_options.timeout, give_up);
    } else {
      give_up();
    }
    auto closing = connection_->Close();
    co_await std::move(closing);
  }

 private:
  Task<Result<std::vector<RequiredPackage>>> GetRequiredPlugins() {
    pulumirpc::GetRequiredPluginsRequest request;
    FillProgramInfo(options_.project, request.mutable_info());
    request.set_project("deprecated");
    request.set_pwd(options_.project.ProgramFolder());
    request.set_program(EntryPoint(options_.project));
    Interface* stub = stub_->async();
    auto call = RawCall(loop_, stub, &Interface::GetRequiredPlugins, std::move(request));
    auto answer = co_await std::move(call);
    std::vector<RequiredPackage> packages;
    if (answer.status.error_code() == grpc::StatusCode::UNIMPLEMENTED) co_return packages;
    if (!answer.status.ok()) {
      auto explaining = Explain(answer.status);
      co_return co_await std::move(explaining);
    }
    for (const auto& wire : answer.response->plugins()) packages.push_back(DecodePlugin(wire));
    co_return packages;
  }

  void FillRun(const RunRequest& request, const std::string& engine_port, const std::string& monitor_port,
               pulumirpc::RunRequest* wire) const {
    const DeploymentInfo& info = request.info;
    wire->set_project(info.project);
    wire->set_stack(info.stack);
    wire->set_organization(info.organization);
    wire->set_pwd(options_.project.ProgramFolder());
    wire->set_program(EntryPoint(options_.project));
    // Inline programs learn the engine's address in this way only.
    if (!connection_) wire->add_args(engine_port);
    wire->mutable_config()->insert(info.config.begin(), info.config.end());
    for (const std::string& key : info.config_secret_keys) wire->add_configsecretkeys(key);
    wire->set_dryrun(info.dry_run);
    wire->set_parallel(info.parallel);
    wire->set_monitor_address(monitor_port);
    wire->set_attach_debugger(options_.debug_program);
    FillProgramInfo(options_.project, wire->mutable_info());
    wire->set_loader_target(engine_port);
    wire->set_mapper_target(engine_port);
  }

  Task<Status> Explain(grpc::Status status) {
    if (connection_) {
      auto explaining = connection_->Explain(status);
      co_return co_await std::move(explaining);
    }
    if (status.error_code() == grpc::StatusCode::UNAVAILABLE) {
      co_return Status(Code::kUnavailable, "the program's server at " + options_.client_address +
                                               " (--client) does not answer: " + status.error_message());
    }
    co_return FromGrpcStatus(status);
  }

  Loop& loop_;
  const LanguageHostOptions options_;
  PluginConnectionPtr connection_;
  std::unique_ptr<pulumirpc::LanguageRuntime::Stub> stub_;
  std::shared_ptr<PendingCall> flight_;  // while a program runs
  bool cancelled_ = false;               // nothing is started any more
};

Task<Result<LanguageHostPtr>> Connect(Loop& loop, LanguageHostOptions options, PluginConnectionPtr connection) {
  auto host = std::make_shared<GrpcLanguageHost>(loop, std::move(options), connection);
  auto greeting = host->Handshake();
  const Status status = co_await std::move(greeting);
  if (!status.ok()) {
    auto closing = connection->Close();
    co_await std::move(closing);
    co_return status;
  }
  co_return LanguageHostPtr(std::move(host));
}

}  // namespace

LanguageHostPtr AttachLanguageHost(Loop& loop, LanguageHostOptions options) {
  return std::make_shared<GrpcLanguageHost>(loop, std::move(options), nullptr);
}

Task<Result<LanguageHostPtr>> AttachLanguagePlugin(Loop& loop, LanguageHostOptions options, int port) {
  auto connection = PluginConnection::Attach(loop, port, options.project.runtime + " (language)");
  auto connecting = Connect(loop, std::move(options), std::move(connection));
  co_return co_await std::move(connecting);
}

Task<Result<LanguageHostPtr>> StartLanguagePlugin(Loop& loop, LanguageHostOptions options) {
  auto finding = options.find_plugin(options.project.runtime);
  const auto plugin = co_await std::move(finding);
  if (!plugin.ok()) co_return plugin.status();
  auto engine_port = options.open_engine_port();
  if (!engine_port.ok()) co_return engine_port.status();
  ProcessSpec spec;
  spec.argv = {*plugin};
  spec.argv.insert(spec.argv.end(), options.log_flags.begin(), options.log_flags.end());
  spec.argv.push_back(*engine_port);
  spec.environment = PluginEnvironment(options.environment);
  spec.working_directory = options.project.ProgramFolder();
  PluginProcessOptions process_options;
  process_options.prefix = options.project.runtime + " (language)";
  process_options.on_line = LineLogger(options.log);
  auto starting =
      PluginConnection::Start(loop, options.supervisor, std::move(spec), *plugin, std::move(process_options));
  auto connection = co_await std::move(starting);
  if (!connection.ok()) co_return connection.status();
  auto connecting = Connect(loop, std::move(options), std::move(*connection));
  co_return co_await std::move(connecting);
}

}  // namespace kingpost
