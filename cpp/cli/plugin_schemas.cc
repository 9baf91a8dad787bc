// SPDX-License-Identifier: Apache-2.0
#include "cli/plugin_schemas.h"

#include "cli/process_host.h"

namespace kingpost {

namespace {

// Plugins that are only asked for their schema tell no more than what is wrong.
class SchemaListener : public EngineService {
 public:
  explicit SchemaListener(const Session& session) : session_(session) {}

  void Log(Severity severity, std::string message, std::string, int, bool) override {
    if (severity == Severity::kWarning || severity == Severity::kError) session_.Note(message);
  }
  std::string root_resource() override { return ""; }
  void set_root_resource(std::string) override {}
  void StartDebugging(std::map<std::string, std::string>, std::string) override {}
  Status RequireVersion(const std::string&) override { return Status::Ok(); }
  Status PublishViewSteps(const std::string&, std::vector<ViewStep>) override { return Status::Ok(); }

 private:
  const Session& session_;
};

Task<LoadedSchemas> AskAll(PluginHost* host, std::vector<pcl::PackageDescriptor> descriptors) {
  LoadedSchemas loaded;
  for (const pcl::PackageDescriptor& descriptor : descriptors) {
    const std::string name = descriptor.parameterization ? descriptor.parameterization->name : descriptor.name;
    ProviderSpec spec;
    spec.name = descriptor.name;
    spec.version = descriptor.version;
    spec.download_url = descriptor.download_url;
    auto asking = host->LoadSchema(std::move(spec), descriptor.parameterization);
    auto text = co_await std::move(asking);
    const auto package = text.ok() ? codegen::Package::Parse(name, *text) : text.status();
    if (package.ok()) {
      loaded.packages[name] = *package;
    } else {
      loaded.failures[name] = package.status().message();
    }
  }
  auto closing = host->Close();
  co_await std::move(closing);
  co_return loaded;
}

}  // namespace

Result<LoadedSchemas> LoadSchemas(const Session& session, const Project& project,
                                  const std::map<std::string, ConfigValue>& config,
                                  const std::vector<pcl::PackageDescriptor>& packages) {
  if (packages.empty()) return LoadedSchemas();
  Loop loop;
  SchemaListener listener(session);
  ProcessHostOptions wanted;
  wanted.config = config;
  Result<std::unique_ptr<PluginHost>> host = NewProcessHost(loop, project, wanted);
  if (!host.ok()) return host.status();
  (*host)->set_engine_service(&listener);
  return loop.RunUntilDone(AskAll(host->get(), packages));
}

}  // namespace kingpost
