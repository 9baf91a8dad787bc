// SPDX-License-Identifier: Apache-2.0
// The surroundings of one run of the command: the project around the current folder, the store, the selected stack, and
// the user at the terminal if there is one. Everything is opened at its first use. Main thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "cli/session/globals.h"
#include "console/display/terminal.h"
#include "kingpost/secrets_manager.h"
#include "kingpost/state_store.h"
#include "operation/operation_caller.h"
#include "workspace/project.h"

namespace kingpost {

// The store at the URL; a folder that is not there is a mistyped one.
Result<std::unique_ptr<StateStore>> OpenBackend(const std::string& url);

class StackConfig;
class Trace;

// The shared parts of a session that is one of many in this process (cli/fleet). It uses neither the current folder
// nor the terminal.
struct SessionContext {
  std::string folder;  // where its project is
  std::shared_ptr<StateStore> store;
  std::shared_ptr<PassphraseSource> passphrase;
  std::function<void(const std::string& text)> say;  // lines for the person; any thread
  std::shared_ptr<OperationCaller> caller;
};

class Session {
 public:
  explicit Session(const GlobalOptions& globals) : globals_(globals) {}
  Session(const GlobalOptions& globals, SessionContext surroundings);

  const GlobalOptions& globals() const { return globals_; }
  // True if questions can be asked and answered.
  bool interactive() const;
  bool color() const;   // of standard output
  int columns() const;  // for tables on standard output: 0 for any
  Painter painter() const { return Painter(color()); }

  // To standard output: as it is, for what is copied or read by programs, or broken to fit a terminal.
  void Print(std::string_view text) const;
  void Say(std::string_view sentences) const;
  // To standard error, as lines of their own.
  void Note(const std::string& text) const;
  void Warn(const std::string& text) const;

  Result<const Project*> project();  // fails with how to make one
  bool has_project();
  // PULUMI_BACKEND_URL, what the project says, or what was logged in to.
  Result<std::string> ChosenUrl();
  Result<StateStore*> store();

  // The name as typed, which may be of a stack that does not exist.
  Result<StackName> QualifyStackName(const std::string& typed);
  // An existing stack: the one named, or the selected one if the name is empty.
  Result<StackName> FindStack(const std::string& typed);
  // The stack that is selected for this project and store, "" if none; as it is stored.
  std::string selected();
  Status Select(const StackName& stack);
  Status Unselect();
  // "dev", or "organization/project/dev" if that is asked for or it belongs to another project.
  std::string ShortName(const StackName& stack);

  // The settings of a stack: Pulumi.STACK.yaml beside the project, or the file given with --config-file. A missing file
  // is empty settings; one that was named is a mistake, unless it is about to be made.
  Result<StackConfig> LoadConfig(const StackName& stack, const std::string& config_file = "",
                                 bool may_be_missing = false);

  std::shared_ptr<PassphraseSource> passphrase();

  // Tells the person, and minds signals.
  OperationCaller& caller();

  // The trace that --tracing and --otel-traces write at the end; null without these flags.
  void set_trace(Trace* trace) { trace_ = trace; }
  Trace* trace() const { return trace_; }

 private:
  Painter PainterOf(int fd) const;
  std::string Folder() const;  // where the project is looked for
  std::optional<StackName> FindWithoutProject(const std::string& name);

  void WarnOfSettings(const std::string& file, const StackConfig& config) const;

  const GlobalOptions globals_;
  const SessionContext surroundings_;
  Trace* trace_ = nullptr;
  std::optional<Project> project_;
  std::shared_ptr<StateStore> store_;
  std::shared_ptr<PassphraseSource> passphrase_;
  std::shared_ptr<OperationCaller> caller_;
  std::set<std::string> warned_settings_;  // files: a command may load one more than once
};

}  // namespace kingpost
