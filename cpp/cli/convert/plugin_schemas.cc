// SPDX-License-Identifier: Apache-2.0
#include "cli/convert/plugin_schemas.h"

#include "cli/packages/plugin_client.h"

namespace kingpost {

Result<LoadedSchemas> LoadSchemas(const Session& session, const Project& project,
                                  const std::map<std::string, ConfigValue>& config,
                                  const std::vector<pcl::PackageDescriptor>& packages) {
  LoadedSchemas loaded;
  if (packages.empty()) return loaded;
  const auto client = PluginClient::Open(session, project, config);
  if (!client.ok()) return client.status();
  for (const pcl::PackageDescriptor& descriptor : packages) {
    const std::string name = descriptor.parameterization ? descriptor.parameterization->name : descriptor.name;
    ProviderSpec spec;
    spec.name = descriptor.name;
    spec.version = descriptor.version;
    spec.download_url = descriptor.download_url;
    const auto text = (*client)->SchemaOf(std::move(spec), descriptor.parameterization);
    const auto package = text.ok() ? codegen::Package::Parse(name, *text) : text.status();
    if (package.ok()) {
      loaded.packages[name] = *package;
    } else {
      loaded.failures[name] = package.status().message();
    }
  }
  return loaded;
}

}  // namespace kingpost
