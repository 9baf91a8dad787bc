// SPDX-License-Identifier: Apache-2.0
// The plugin host of the command (wire/grpc_host.h) as other folders see it: without gRPC's headers, which take five
// seconds to read.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/embedded_language.h"
#include "kingpost/plugin_host.h"
#include "plugins/package_questions.h"
#include "runtimes/debugger.h"
#include "workspace/plain_config.h"
#include "workspace/project.h"

namespace kingpost {

class ProcessSupervisor;
struct StandbyProgram;

struct GrpcHostOptions {
  Project project;                                 // an empty one if there is none
  std::string client_address;                      // --client: the program is a server already
  PlainConfig config;                              // "namespace:key", decrypted, for providers that read PULUMI_CONFIG
  std::map<std::string, std::string> environment;  // over ours, for every child
  bool ends_with_process = false;                  // see PluginHost::ends_with_process
  bool program_in_process = false;                 // it needs no socket, so that none is opened before a client asks
  bool wants_debug_messages = false;               // see LanguageHostOptions
  DebugTargets debug;                              // what is started under a debugger
  std::vector<std::string> log_flags;              // that plugins are given
  EmbeddedLanguages languages;                     // that need no process
  // For a process that makes many hosts: one that was started early. Null: the host starts its own.
  std::shared_ptr<ProcessSupervisor> supervisor;
  // The answer to LoadSchema in its place; null: the host itself answers, by starting the plugin.
  std::function<Task<Result<std::string>>(ProviderSpec, std::optional<Parameterization>)> load_schema;
  // The program's interpreter, started early by that supervisor; null for none.
  std::shared_ptr<StandbyProgram> standby;
};

// Told of each provider that is begun early, by its package. What it returns lives for as long as the start takes.
using EarlyWatch = std::function<std::shared_ptr<void>(const std::string& package)>;

// A plugin host that is also asked outside of an operation.
class PackageHost : public PluginHost {
 public:
  // Begins providers that the run will likely ask for, those that the last one used, up to the handshake and no
  // further. Called once, before the run. LoadProvider then gives out the one that is the same in all parts of its
  // spec. Those that the engine does not ask for end silently. A recorded one is left out if another version of its
  // plugin has been installed since: the program probably asks for that one. In a first run InstallPlugins begins those
  // of some packages that the program requires. The watch may be null.
  virtual void ExpectProviders(const ExpectedProviders& expected, const EarlyWatch& watch) = 0;
  // Those that were asked for so far: what a run of the same program will ask for again.
  virtual std::vector<ProviderSpec> loaded_providers() const = 0;
  // For hosts that outlive a run: whether the process of a provider that LoadProvider gave out still lives, and its
  // end. One in this process lives.
  virtual bool is_alive(const Provider* provider) const = 0;
  virtual Task<void> EndProvider(ProviderPtr provider) = 0;
  // The schema as the package answers it when it is given arguments.
  virtual Task<Result<PackageAnswer>> AskSchema(PackageQuestion question) = 0;
  virtual Task<Result<PackageMapping>> AskMapping(PackageQuestion question, std::string key, std::string provider) = 0;
  // By the plugin of a language.
  virtual Task<Result<SdkMessages>> GenerateSdk(SdkRequest request) = 0;
  virtual Task<Result<ProgramAnswer>> GenerateProgram(ProgramRequest request) = 0;
  virtual Task<Result<SdkMessages>> GenerateProject(ProjectRequest request) = 0;
  virtual Task<Result<std::string>> LinkSdk(LinkRequest request) = 0;
  virtual Task<Result<std::string>> LanguageVersion(std::string language) = 0;  // of that plugin
  // Where plugins find us, HOST:PORT.
  virtual Result<std::string> plugin_address() = 0;
};

Result<std::unique_ptr<PackageHost>> NewPackageHost(Loop& loop, GrpcHostOptions options);

}  // namespace kingpost
