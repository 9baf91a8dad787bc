// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/plugin_client.h"

#include "cli/session/foreground.h"
#include "cli/session/plugin_listener.h"
#include "languages/yaml/yaml_language.h"
#include "wire/package_host.h"

namespace kingpost {

struct PluginClient::Parts {
  explicit Parts(const Session& session) : listener(session) {}

  Loop loop;
  PluginListener listener;
  std::unique_ptr<PackageHost> host;
};

PluginClient::PluginClient(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

PluginClient::~PluginClient() { parts_->loop.RunUntilDone(parts_->host->Close()); }

Result<std::unique_ptr<PluginClient>> PluginClient::Open(const Session& session, const Project& project,
                                                         const std::map<std::string, ConfigValue>& config) {
  auto parts = std::make_unique<Parts>(session);
  GrpcHostOptions options;
  options.languages = yaml::AsEmbeddedLanguages();
  options.project = project;
  options.config = PlainConfigOf(config);
  options.ends_with_process = true;
  auto host = NewPackageHost(parts->loop, std::move(options));
  if (!host.ok()) return host.status();
  parts->host = std::move(*host);
  parts->host->set_engine_service(&parts->listener);
  return std::unique_ptr<PluginClient>(new PluginClient(std::move(parts)));
}

Result<std::string> PluginClient::SchemaOf(ProviderSpec plugin, std::optional<Parameterization> parameterization) {
  return parts_->loop.RunUntilDone(parts_->host->LoadSchema(std::move(plugin), std::move(parameterization)));
}

Result<PackageAnswer> PluginClient::Schema(PackageQuestion question) {
  return parts_->loop.RunUntilDone(parts_->host->AskSchema(std::move(question)));
}

Result<PackageMapping> PluginClient::Mapping(PackageQuestion question, const std::string& key,
                                             const std::string& provider) {
  return parts_->loop.RunUntilDone(parts_->host->AskMapping(std::move(question), key, provider));
}

Result<SdkMessages> PluginClient::GenerateSdk(SdkRequest request) {
  return parts_->loop.RunUntilDone(parts_->host->GenerateSdk(std::move(request)));
}

Result<ProgramAnswer> PluginClient::GenerateProgram(ProgramRequest request) {
  return parts_->loop.RunUntilDone(parts_->host->GenerateProgram(std::move(request)));
}

Result<SdkMessages> PluginClient::GenerateProject(ProjectRequest request) {
  return parts_->loop.RunUntilDone(parts_->host->GenerateProject(std::move(request)));
}

Result<std::string> PluginClient::LinkSdk(LinkRequest request) {
  return parts_->loop.RunUntilDone(parts_->host->LinkSdk(std::move(request)));
}

Result<std::string> PluginClient::LanguageVersion(const std::string& language) {
  return parts_->loop.RunUntilDone(parts_->host->LanguageVersion(language));
}

Result<std::string> PluginClient::Address() { return parts_->host->plugin_address(); }

Result<int> PluginClient::RunProgram(const ProcessSpec& spec) {
  WorkerPool waiter(parts_->loop, 1);
  return parts_->loop.RunUntilDone(waiter.Run([spec] { return RunDelegate(spec); }));
}

}  // namespace kingpost
