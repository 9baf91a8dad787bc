// SPDX-License-Identifier: Apache-2.0
// What several commands use: files, questions, the parts of larger families.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/session/command.h"
#include "cli/session/session.h"
#include "model/snapshot.h"
#include "model/value.h"
#include "plugins/plugin_source.h"

namespace kingpost {

// For a shell: in single quotes, with those in the text escaped.
std::string ShellQuoted(const std::string& text);

// "3 minutes ago"
std::string AgoText(int64_t unix_ms);

// No input of ours is longer. What is, may have no end: it is refused before it takes all memory.
constexpr size_t kInputBytesMax = size_t{4} << 30;
// All bytes.
Result<std::string> ReadStandardInput();
// A text; "-" and "" mean standard input. What holds a zero byte is refused.
Result<std::string> ReadInput(const std::string& file, size_t size_max = kInputBytesMax);
Status WriteOutput(const std::string& file, const std::string& text);
// For what others should not read; see base/disk/private_output.h.
Status WritePrivateOutput(const std::string& file, const std::string& text);
// The same in parts: `fill` is given what writes one.
using WritePart = std::function<void(std::string_view)>;
Status WritePrivateOutput(const std::string& file, const std::function<void(const WritePart&)>& fill);

// True if the user types the word that is expected. Fails if there is nobody to ask.
Result<bool> Confirm(Session& session, const std::string& question, const std::string& expected);

// The recorded outputs of the root stack.
PropertyMap OutputsOfStack(const Snapshot& snapshot);

struct RemoveStackOptions {
  bool force = false;  // also with resources in it
  bool preserve_config = false;
  bool remove_backups = false;
};
Status RemoveStack(Session& session, const StackName& stack, const RemoveStackOptions& options);
Status RenameStack(Session& session, const StackName& from, const StackName& to);

// All plugins that the project's program needs, into the cache.
Status InstallProjectPlugins(Session& session, bool reinstall, int parallel);
Result<std::vector<PluginSpec>> RequiredPlugins(Session& session);
// "resource", "language" and so on.
const std::vector<std::string>& PluginKinds();

// Declares --output json, and -j and --json, which say the same.
void DeclareJson(Flags& flags, const std::shared_ptr<bool>& as_json);

// "user@host"
std::string UserAndHost();

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

}  // namespace kingpost
