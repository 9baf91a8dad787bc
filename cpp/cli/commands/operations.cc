// SPDX-License-Identifier: Apache-2.0
// preview, up, refresh, destroy, import.
#include <memory>

#include "cli/commands/add_commands.h"
#include "cli/fleet/fleet_command.h"
#include "cli/fleet/fleet_flags.h"
#include "cli/fleet/member_command.h"
#include "cli/operations/import_code.h"
#include "cli/operations/operation.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/templates/new_project.h"

namespace kingpost {

namespace {

// `up TEMPLATE`: the state of the stack is all that stays.
Status UpFrom(Session& session, const std::string& source, OperationFlags flags) {
  NewOptions options;
  options.source = source;
  options.stack = flags.stack;
  options.config = flags.config;
  options.config_path = flags.config_path;
  options.yes = flags.yes;
  flags.config.clear();  // they are in the settings already, secrets as such
  return WithProject(session, std::move(options),
                     [&flags](Session& inside) { return RunOperationCommand(inside, flags); });
}

// The only argument of an operation on one stack is the repository of Pulumi Cloud's remote operations.
Status NotForOneStack(const std::string& argument, RemoteFlags remote, const Flags& flags) {
  remote.address = argument;
  if (flags.Declares("--remote")) return CheckRemoteFlags(remote);
  return UsageError("'" + argument +
                    "' is not a flag; pass a folder of many stacks with --all, and a stack with --stack");
}

Command Make(const std::string& word, const std::string& summary, OperationKind kind, bool preview,
             std::vector<std::string> aliases) {
  return {
      word, summary,
      [=](Flags& flags) -> CommandBody {
        auto values = std::make_shared<OperationFlags>();
        values->kind = kind;
        values->is_preview_command = preview;
        DeclareOperationFlags(&flags, values.get());
        auto source = std::make_shared<std::string>();
        if (kind != OperationKind::kImport) DeclareRemoteFlags(&flags, &values->remote);
        auto fleet = std::make_shared<FleetFlags>();
        if (kind != OperationKind::kImport) DeclareFleetFlags(&flags, fleet.get());
        if (kind == OperationKind::kUpdate && !preview) {
          flags.Argument("template|url", source.get(),
                         "Make a project of this template for once, see 'new'; with --all: the folder of the stacks");
        } else if (kind != OperationKind::kImport) {
          flags.Argument("folder", source.get(), "With --all: the folder of the stacks; the current one by default");
        }
        return [values, source, fleet, kind, preview, &flags](Session& session) {
          if (const Status many = CheckFleetFlags(flags, *fleet); !many.ok()) return many;
          const bool takes_source = kind == OperationKind::kUpdate && !preview;
          if (!fleet->all && !takes_source && !source->empty()) return NotForOneStack(*source, values->remote, flags);
          if (const Status remote = CheckRemoteFlags(values->remote); !remote.ok()) return remote;
          values->given = flags.GivenFlags();
          values->given.erase("as-member");
          if (fleet->as_member) return RunAsMember(session, *values);
          if (fleet->all) {
            fleet->folder = *source;
            return RunFleetCommand(session, *values, *fleet);
          }
          if (values->from_state) return RunImportFromState(session, *values);
          return source->empty() ? RunOperationCommand(session, *values) : UpFrom(session, *source, *values);
        };
      },
      std::move(aliases)};
}

}  // namespace

void AddOperationCommands(Commands* commands) {
  using Kind = OperationKind;
  commands->push_back(Make("preview", "Show what an update would change", Kind::kUpdate, true, {"pre"}));
  commands->push_back(Make("up", "Run the program and make the stack what it says", Kind::kUpdate, false, {"update"}));
  commands->push_back(Make("refresh", "Make the state what the resources are", Kind::kRefresh, false, {"ref"}));
  commands->push_back(Make("destroy", "Delete all resources of the stack", Kind::kDestroy, false, {"down", "dn"}));
  commands->push_back(Make("import", "Take over resources that exist", Kind::kImport, false, {}));
}

}  // namespace kingpost
