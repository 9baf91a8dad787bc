// SPDX-License-Identifier: Apache-2.0
// Languages that need no process: what the protocols of language hosts and of providers ask of them, without a
// wire. The maker of a plugin host passes it the embedded languages (GrpcHostOptions); the host itself knows none
// of them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/plugin_host.h"

namespace kingpost {

// The parts of the engine that a program in this process needs. Engine thread.
struct LanguageServices {
  Loop* loop = nullptr;
  std::function<Monitor*()> monitor;  // null when there is none any more
  std::string program_folder, root_folder;

  std::function<Task<Result<std::string>>(ProviderSpec, std::optional<Parameterization>)> load_schema;
  std::function<void(Severity severity, std::string message)> log;
  std::function<Status(const std::string& range)> require_version;
  std::function<void(std::string urn)> set_root_resource;
};

// A program that was read. What is wrong with its text is told when it runs.
class EmbeddedProgram {
 public:
  virtual ~EmbeddedProgram() = default;
  virtual std::vector<RequiredPackage> RequiredPackages() const = 0;
  // Ends when all that the program asked for is done, or has failed; what is wrong has been told by then.
  virtual Task<RunResponse> Run(LanguageServices services, DeploymentInfo info) const = 0;
};
using EmbeddedProgramPtr = std::shared_ptr<const EmbeddedProgram>;

// A plugin that was read.
class EmbeddedPlugin {
 public:
  virtual ~EmbeddedPlugin() = default;
  // Its components are made in this process. Fails if the plugin's text has mistakes.
  virtual Result<ProviderPtr> Provide(LanguageServices services) const = 0;
};

// Reading blocks, and is for worker threads; everything else is for the engine's.
class EmbeddedLanguage {
 public:
  virtual ~EmbeddedLanguage() = default;
  virtual Result<EmbeddedProgramPtr> LoadProgram(const std::string& folder, const std::string& project_file) const = 0;
  // A program that something else has made, for the project in that folder.
  virtual Result<EmbeddedProgramPtr> LoadText(const std::string& name, std::string text,
                                              const std::string& folder) const = 0;
  virtual Result<std::shared_ptr<const EmbeddedPlugin>> LoadPlugin(const std::string& folder) const = 0;
};
using EmbeddedLanguages = std::map<std::string, std::shared_ptr<const EmbeddedLanguage>>;  // by the runtime's name

}  // namespace kingpost
