// SPDX-License-Identifier: Apache-2.0

#include "cli/packages/process_host.h"

#include "languages/yaml/yaml_language.h"
#include "processes/process_supervisor.h"
#include "wire/package_host.h"

namespace kingpost {

Result<std::shared_ptr<ProcessSupervisor>> StartSupervisor() { return ProcessSupervisor::Start(); }

Result<std::unique_ptr<PluginHost>> NewProcessHost(Loop& loop, const Project& project,
                                                   const ProcessHostOptions& wanted) {
  GrpcHostOptions options;
  options.languages = yaml::AsEmbeddedLanguages();
  options.config = PlainConfigOf(wanted.config);
  options.project = project;
  options.client_address = wanted.client;
  options.wants_debug_messages = wanted.wants_debug_messages;
  // One of many goes before the process does.
  options.ends_with_process = !wanted.supervisor;
  options.supervisor = wanted.supervisor;
  options.debug = DebugTargets(wanted.attach_debugger);
  options.log_flags = wanted.log_flags;
  auto host = NewPackageHost(loop, std::move(options));
  if (!host.ok()) return host.status();
  return std::unique_ptr<PluginHost>(std::move(*host));
}

}  // namespace kingpost
