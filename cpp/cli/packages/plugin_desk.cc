// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/plugin_desk.h"

#include "cli/session/foreground.h"
#include "cli/session/plugin_listener.h"
#include "wire/package_host.h"

namespace kingpost {

struct PluginDesk::Parts {
  explicit Parts(const Session& session) : listener(session) {}

  Loop loop;
  PluginListener listener;
  std::unique_ptr<PackageHost> host;
};

PluginDesk::PluginDesk(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

PluginDesk::~PluginDesk() { parts_->loop.RunUntilDone(parts_->host->Close()); }

Result<std::unique_ptr<PluginDesk>> PluginDesk::Open(const Session& session, const Project& project,
                                                     const std::map<std::string, ConfigValue>& config) {
  auto parts = std::make_unique<Parts>(session);
  GrpcHostOptions options;
  options.project = project;
  options.config = PlainConfigOf(config);
  options.ends_with_process = true;
  auto host = NewPackageHost(parts->loop, std::move(options));
  if (!host.ok()) return host.status();
  parts->host = std::move(*host);
  parts->host->set_engine_service(&parts->listener);
  return std::unique_ptr<PluginDesk>(new PluginDesk(std::move(parts)));
}

Result<std::string> PluginDesk::SchemaOf(ProviderSpec plugin, std::optional<Parameterization> parameterization) {
  return parts_->loop.RunUntilDone(parts_->host->LoadSchema(std::move(plugin), std::move(parameterization)));
}

Result<PackageAnswer> PluginDesk::Schema(PackageQuestion question) {
  return parts_->loop.RunUntilDone(parts_->host->AskSchema(std::move(question)));
}

Result<PackageMapping> PluginDesk::Mapping(PackageQuestion question, const std::string& key,
                                           const std::string& provider) {
  return parts_->loop.RunUntilDone(parts_->host->AskMapping(std::move(question), key, provider));
}

Result<SdkMessages> PluginDesk::GenerateSdk(SdkRequest request) {
  return parts_->loop.RunUntilDone(parts_->host->GenerateSdk(std::move(request)));
}

Result<ProgramAnswer> PluginDesk::GenerateProgram(ProgramRequest request) {
  return parts_->loop.RunUntilDone(parts_->host->GenerateProgram(std::move(request)));
}

Result<SdkMessages> PluginDesk::GenerateProject(ProjectRequest request) {
  return parts_->loop.RunUntilDone(parts_->host->GenerateProject(std::move(request)));
}

Result<std::string> PluginDesk::LinkSdk(LinkRequest request) {
  return parts_->loop.RunUntilDone(parts_->host->LinkSdk(std::move(request)));
}

Result<std::string> PluginDesk::LanguageVersion(const std::string& language) {
  return parts_->loop.RunUntilDone(parts_->host->LanguageVersion(language));
}

Result<std::string> PluginDesk::Address() { return parts_->host->plugin_address(); }

Result<int> PluginDesk::RunProgram(const ProcessSpec& spec) {
  WorkerPool waiter(parts_->loop, 1);
  return parts_->loop.RunUntilDone(waiter.Run([spec] { return RunInPlace(spec); }));
}

}  // namespace kingpost
