// SPDX-License-Identifier: Apache-2.0
// Plugins that are asked something outside of an operation: the schema of a package, a mapping, an SDK, a program. Each
// ends with the client at the latest. Main thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cli/session/session.h"
#include "plugins/package_questions.h"
#include "processes/process_reaper.h"
#include "workspace/plain_config.h"
#include "workspace/project.h"

namespace kingpost {

class PluginClient {
 public:
  // `project` says where plugins are, beside PATH and the cache; `config` is for those that read it from their
  // environment.
  static Result<std::unique_ptr<PluginClient>> Open(const Session& session, const Project& project,
                                                    const std::map<std::string, ConfigValue>& config = {});
  ~PluginClient();
  PluginClient(const PluginClient&) = delete;

  // By a parameter as it is recorded; `Schema` takes arguments, as a person writes them.
  Result<std::string> SchemaOf(ProviderSpec plugin, std::optional<Parameterization> parameterization);
  Result<PackageAnswer> Schema(PackageQuestion question);
  Result<PackageMapping> Mapping(PackageQuestion question, const std::string& key, const std::string& provider);
  Result<SdkMessages> GenerateSdk(SdkRequest request);
  Result<ProgramAnswer> GenerateProgram(ProgramRequest request);
  Result<SdkMessages> GenerateProject(ProjectRequest request);
  Result<std::string> LinkSdk(LinkRequest request);
  Result<std::string> LanguageVersion(const std::string& language);

  // Where plugins ask for schemas and the like, HOST:PORT.
  Result<std::string> Address();
  // A program that works in place of the command, while its questions are answered: its exit code.
  Result<int> RunProgram(const ProcessSpec& spec);

 private:
  struct Parts;
  explicit PluginClient(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace kingpost
