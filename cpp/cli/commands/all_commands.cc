// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/all_commands.h"

#include "cli/commands/add_commands.h"
#include "cli/convert/convert_command.h"
#include "cli/convert/promote_command.h"
#include "cli/packages/package_commands.h"

namespace kingpost {

const Commands& AllCommands() {
  static const Commands* const all = [] {
    auto* commands = new Commands();
    AddOperationCommands(commands);
    AddWatchCommand(commands);
    AddFleetCommands(commands);
    AddStackCommands(commands);
    AddWhyCommand(commands);
    AddGraphCommand(commands);
    AddStackStateCommands(commands);
    AddTagCommands(commands);
    AddConfigCommands(commands);
    AddStateCommands(commands);
    AddStatePromoteCommand(commands);
    AddCancelCommand(commands);
    AddDoctorCommand(commands);
    AddPluginCommands(commands);
    AddPluginInstallCommand(commands);
    AddPluginRunCommand(commands);
    AddPackageCommands(commands);
    AddPackageInfoCommand(commands);
    AddPackageAddCommand(commands);
    AddSchemaCommands(commands);
    AddInstallCommand(commands);
    AddNewCommand(commands);
    AddProjectListCommand(commands);
    AddPolicyCommands(commands);
    AddConvertCommand(commands);
    AddCompletionCommand(commands);
    AddLogsCommands(commands);
    AddEventsCommand(commands);
    AddInfoCommands(commands);
    return commands;
  }();
  return *all;
}

}  // namespace kingpost
