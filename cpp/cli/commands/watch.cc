// SPDX-License-Identifier: Apache-2.0
// watch: a preview or an update at each change.
#include "cli/watch/watch.h"

#include <memory>

#include "cli/commands/add_commands.h"
#include "cli/session/command.h"

namespace kingpost {

namespace {

CommandBody DeclareWatch(Flags& flags) {
  auto values = std::make_shared<WatchFlags>();
  OperationFlags& of = values->operation;
  flags.Text("-s,--stack", &of.stack, "The stack; the selected one by default");
  flags.Switch("--up", &values->up, "Update the stack at each change, without asking, instead of showing the plan");
  flags.List("--path", &values->paths, "Watch this folder or file, too");
  flags.Text("--config-file", &of.config_file, "Use this settings file instead of Pulumi.STACK.yaml");
  flags.Int("-p,--parallel", &of.parallel, "How many operations may run at once (default: four per core)");
  flags.Switch("-d,--debug", &of.debug, "Show debugging messages too");
  flags.Switch("-j,--json", &of.json, "Print each plan as a JSON document");
  flags.Text("-m,--message", &of.message, "A message to keep with each update");
  flags.Section("What it applies to");
  flags.List("-t,--target", &of.targets, "Only this resource; * and ** are wildcards");
  flags.List("-x,--exclude", &of.excludes, "All but this resource");
  flags.Switch("--target-dependents", &of.target_dependents, "Also what depends on the targets");
  flags.Switch("--exclude-dependents", &of.exclude_dependents, "Also leave out what depends on the excluded");
  flags.Section("How it works");
  flags.OptionalText("-r,--refresh", &of.refresh, "true", "Refresh the state first, each time");
  flags.List("--policy-pack", &of.policy_packs, "Check with this policy pack", true);
  flags.List("--policy-pack-config", &of.policy_pack_configs, "Its configuration (a JSON file)", true);
  flags.Section("What it shows");
  flags.Switch("--diff", &of.diff, "Show every change property by property");
  flags.Switch("--explain", &of.show.explain, "Say under each change why it is made");
  flags.Switch("--show-secrets", &of.show_secrets, "Show secrets in clear");
  flags.Switch("--show-sames", &of.show.sames, "Show unchanged resources");
  flags.Switch("--show-reads", &of.show.reads, "Show resources that are only read");
  flags.Switch("--show-full-output", &of.show.full_output, "Show long values whole");
  flags.Switch("--urns", &of.show.urns, "Show URNs instead of names");
  flags.Switch("--suppress-outputs", &of.show.suppress_outputs, "Do not show the stack's outputs");
  return [values, &flags](Session& session) {
    values->operation.given = flags.GivenFlags();
    return RunWatch(session, *values);
  };
}

}  // namespace

void AddWatchCommand(Commands* commands) {
  commands->push_back({"watch", "Show the plan anew at each change of the program", DeclareWatch});
}

}  // namespace kingpost
