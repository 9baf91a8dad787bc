// SPDX-License-Identifier: Apache-2.0
// Questions to packages and to the plugins of languages outside of an operation (plugins/package_questions.h).
#include "wire/wire.h"

#include "processes/plugin_environment.h"
#include "pulumi/language.grpc.pb.h"
#include "wire/convert.h"
#include "wire/grpc_host.h"

namespace kingpost {

namespace {

using LanguageInterface = pulumirpc::LanguageRuntime::StubInterface::async_interface;

template <class Diagnostics>
SdkMessages MessagesOf(const Diagnostics& diagnostics) {
  SdkMessages messages;
  for (const auto& one : diagnostics) {
    const bool error = one.severity() == pulumirpc::codegen::DIAG_ERROR;
    messages.emplace_back(error, one.summary() + (one.detail().empty() ? "" : "; " + one.detail()));
  }
  return messages;
}

}  // namespace

Task<Result<PackageAnswer>> GrpcHost::AskSchema(PackageQuestion question) {
  auto starting = StartProvider(std::move(question.plugin));
  auto provider = co_await std::move(starting);
  if (!provider.ok()) co_return provider.status();
  SchemaRequest request;
  PackageAnswer answer;
  answer.plugin_version = provider->version;
  Status status;
  if (!question.arguments.empty() && !provider->process) {
    status = Status(Code::kUnimplemented, "parameterize: plugins in YAML take no parameters");
  } else if (!question.arguments.empty()) {
    auto parameterizing = provider->process->ParameterizeWith(std::move(question.arguments));
    auto subpackage = co_await std::move(parameterizing);
    status = subpackage.status().Wrap("parameterize");
    if (subpackage.ok()) {
      answer.name = request.subpackage_name = subpackage->first;
      request.subpackage_version = subpackage->second;
    }
  }
  if (status.ok()) {
    auto asking = provider->provider->GetSchema(request);
    auto schema = co_await std::move(asking);
    status = schema.status();
    if (schema.ok()) answer.schema = std::move(*schema);
  }
  if (provider->process) {
    auto closing = provider->process->Close();
    co_await std::move(closing);
  }
  if (!status.ok()) co_return status;
  co_return answer;
}

Task<Result<PackageMapping>> GrpcHost::AskMapping(PackageQuestion question, std::string key, std::string provider) {
  auto starting = StartProvider(std::move(question.plugin));
  auto plugin = co_await std::move(starting);
  if (!plugin.ok()) co_return plugin.status().Wrap("load provider");
  if (!plugin->process) co_return PackageMapping();  // plugins in YAML have none
  Result<PackageMapping> mapping = PackageMapping();
  Status status;
  if (!question.arguments.empty()) {
    auto parameterizing = plugin->process->ParameterizeWith(std::move(question.arguments));
    const auto subpackage = co_await std::move(parameterizing);
    status = subpackage.status().Wrap("parameterize");
  }
  if (status.ok()) {
    auto asking = plugin->process->GetMapping(std::move(key), std::move(provider));
    mapping = co_await std::move(asking);
  }
  auto closing = plugin->process->Close();
  co_await std::move(closing);
  if (!status.ok()) co_return status;
  if (!mapping.ok()) co_return mapping.status().Wrap("get mapping");
  co_return mapping;
}

Task<Result<PluginConnectionPtr>> GrpcHost::StartLanguageTool(std::string language) {
  auto engine_port = OpenEnginePort();
  if (!engine_port.ok()) co_return engine_port.status();
  const auto plugin = FindPlugin({"language", language, ""}, discovery_);
  if (!plugin.ok()) co_return plugin.status();
  ProcessSpec spec;
  spec.argv = {plugin->path, *engine_port};
  spec.environment = PluginEnvironment(WithHostEnvironment({}));
  spec.working_directory = WorkingFolder();
  PluginProcessOptions options;
  options.prefix = language + " (language)";
  auto connecting = Connect(std::move(spec), plugin->path, std::move(options));
  auto connection = co_await std::move(connecting);
  if (!connection.ok()) co_return connection.status();

  pulumirpc::LanguageHandshakeRequest request;
  request.set_engine_address(*engine_port);
  const auto stub = pulumirpc::LanguageRuntime::NewStub((*connection)->channel());
  LanguageInterface* interface = stub->async();
  auto shaking = (*connection)->FirstCall(interface, &LanguageInterface::Handshake, std::move(request));
  auto answer = co_await std::move(shaking);
  const bool ready = answer.status.ok() || answer.status.error_code() == grpc::StatusCode::UNIMPLEMENTED;
  if (ready) co_return connection;
  auto explaining = (*connection)->Explain(answer.status);
  const Status status = co_await std::move(explaining);
  auto closing = (*connection)->Close();
  co_await std::move(closing);
  co_return status;
}

template <class Interface, class Request, class Response>
Task<Result<std::shared_ptr<Response>>> GrpcHost::AskLanguageTool(std::string language,
                                                                  AsyncMethod<Interface, Request, Response> method,
                                                                  Request request) {
  auto starting = StartLanguageTool(std::move(language));
  const auto connection = co_await std::move(starting);
  if (!connection.ok()) co_return connection.status();
  if constexpr (requires { request.set_loader_target(""); }) {
    const std::string port = *OpenEnginePort();  // of schemas and of mappings
    request.set_loader_target(port);
    if constexpr (requires { request.set_mapper_target(""); }) request.set_mapper_target(port);
  }
  const auto stub = pulumirpc::LanguageRuntime::NewStub((*connection)->channel());
  Interface* interface = stub->async();
  auto calling = RawCall(loop_, interface, method, std::move(request));
  auto answer = co_await std::move(calling);
  Status status;
  if (!answer.status.ok()) {
    auto explaining = (*connection)->Explain(answer.status);
    status = co_await std::move(explaining);
  }
  auto closing = (*connection)->Close();
  co_await std::move(closing);
  if (!status.ok()) co_return status;
  co_return std::move(answer.response);
}

Task<Result<SdkMessages>> GrpcHost::GenerateSdk(SdkRequest request) {
  given_schemas_[request.package] = request.schema;
  pulumirpc::GeneratePackageRequest wire;
  wire.set_directory(request.folder);
  wire.set_schema(request.schema);
  wire.set_local(request.local);
  for (const auto& [path, content] : request.extra_files) (*wire.mutable_extra_files())[path] = content;
  auto asking = AskLanguageTool(request.language, &LanguageInterface::GeneratePackage, std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status();
  co_return MessagesOf((*answer)->diagnostics());
}

Task<Result<ProgramAnswer>> GrpcHost::GenerateProgram(ProgramRequest request) {
  for (auto& [package, schema] : request.schemas) given_schemas_[package] = std::move(schema);
  pulumirpc::GenerateProgramRequest wire;
  wire.set_strict(request.strict);
  for (const auto& [path, text] : request.source) (*wire.mutable_source())[path] = text;
  auto asking = AskLanguageTool(request.language, &LanguageInterface::GenerateProgram, std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status();
  ProgramAnswer program;
  program.messages = MessagesOf((*answer)->diagnostics());
  for (const auto& [path, text] : (*answer)->source()) program.files[path] = text;
  co_return program;
}

Task<Result<SdkMessages>> GrpcHost::GenerateProject(ProjectRequest request) {
  for (auto& [package, schema] : request.schemas) given_schemas_[package] = std::move(schema);
  pulumirpc::GenerateProjectRequest wire;
  wire.set_strict(request.strict);
  wire.set_source_directory(request.source_folder);
  wire.set_target_directory(request.target_folder);
  wire.set_project(request.project);
  auto asking = AskLanguageTool(request.language, &LanguageInterface::GenerateProject, std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status();
  co_return MessagesOf((*answer)->diagnostics());
}

Task<Result<std::string>> GrpcHost::LinkSdk(LinkRequest request) {
  given_schemas_[request.package] = request.schema;
  pulumirpc::LinkRequest wire;
  wire.mutable_info()->set_root_directory(request.root);
  wire.mutable_info()->set_program_directory(request.root);
  wire.mutable_info()->set_entry_point(".");
  auto* package = wire.add_packages();
  package->set_path(request.path);
  package->mutable_package()->set_name(request.package);
  package->mutable_package()->set_kind("resource");
  package->mutable_package()->set_version(request.version);
  auto asking = AskLanguageTool(request.language, &LanguageInterface::Link, std::move(wire));
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status().Wrap("linking package");
  co_return (*answer)->import_instructions();
}

Task<Result<std::string>> GrpcHost::LanguageVersion(std::string language) {
  auto asking = AskLanguageTool(std::move(language), &LanguageInterface::GetPluginInfo, google::protobuf::Empty());
  auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status();
  co_return (*answer)->version();
}

}  // namespace kingpost
