// SPDX-License-Identifier: Apache-2.0
// The commands of each file of commands/.
#pragma once

#include "cli/session/command.h"

namespace kingpost {

void AddInfoCommands(Commands* commands);        // version, org, and the next two
void AddAboutCommands(Commands* commands);       // about, about env
void AddLoginCommands(Commands* commands);       // login, logout, whoami
void AddStackCommands(Commands* commands);       // stack, init, select, ls, rm, rename, unselect
void AddStackStateCommands(Commands* commands);  // stack output, export, import, history
void AddTagCommands(Commands* commands);         // stack tag ...
void AddConfigCommands(Commands* commands);      // config ...
void AddOperationCommands(Commands* commands);   // preview, up, refresh, destroy, import
void AddCancelCommand(Commands* commands);
void AddDoctorCommand(Commands* commands);
void AddStateCommands(Commands* commands);   // state ...
void AddPluginCommands(Commands* commands);  // plugin ls, rm
void AddPluginInstallCommand(Commands* commands);
void AddPluginRunCommand(Commands* commands);
void AddNewCommand(Commands* commands);
void AddPolicyCommands(Commands* commands);  // policy new
void AddWhyCommand(Commands* commands);
void AddCompletionCommand(Commands* commands);
void AddGraphCommand(Commands* commands);
void AddWatchCommand(Commands* commands);
void AddFleetCommands(Commands* commands);  // fleet worker
void AddLogsCommands(Commands* commands);   // logs list, logs remove
void AddEventsCommand(Commands* commands);  // events filter

// The parts of larger families.
void AddStackOutputCommand(Commands* commands);
void AddStackExportCommand(Commands* commands);
void AddStackImportCommand(Commands* commands);
void AddStackSecretsCommand(Commands* commands);
void AddStackHistoryCommand(Commands* commands);
void AddStackRollbackCommand(Commands* commands);
void AddStateGetCommand(Commands* commands);
void AddStateRecoverCommand(Commands* commands);
void AddStateMoveCommand(Commands* commands);
void AddStateEditCommand(Commands* commands);
void AddStateUpgradeCommand(Commands* commands);
void AddStateMigrateCommand(Commands* commands);
void AddStackListCommand(Commands* commands);
void AddProjectListCommand(Commands* commands);
void AddConfigReadCommands(Commands* commands);
void AddConfigWriteCommands(Commands* commands);

}  // namespace kingpost
