// SPDX-License-Identifier: Apache-2.0

#include "cli/packages/process_host.h"

#include "languages/yaml/yaml_language.h"
#include "processes/process_supervisor.h"
#include "wire/package_host.h"

namespace kingpost {

Result<std::shared_ptr<ProcessSupervisor>> StartSupervisor() { return ProcessSupervisor::Start(); }

Result<std::unique_ptr<PackageHost>> NewProcessHost(Loop& loop, const Project& project,
                                                    const ProcessHostOptions& wanted) {
  GrpcHostOptions options;
  options.languages = yaml::AsEmbeddedLanguages();
  options.config = PlainConfigOf(wanted.config);
  options.project = project;
  options.client_address = wanted.client;
  options.wants_debug_messages = wanted.wants_debug_messages;
  options.ends_with_process = !wanted.lives_on;
  options.load_schema = wanted.load_schema;
  options.debug = DebugTargets(wanted.attach_debugger);
  options.log_flags = wanted.log_flags;
  options.supervisor = wanted.supervisor;
  options.standby = wanted.standby;
  return NewPackageHost(loop, std::move(options));
}

}  // namespace kingpost
