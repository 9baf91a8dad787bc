// SPDX-License-Identifier: Apache-2.0
// The flags of preview, up, refresh, destroy and import: declared once, each command taking those it has.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/session/flags.h"
#include "cli/session/remote_flags.h"
#include "console/display/show_options.h"
#include "kingpost/engine.h"

namespace kingpost {

// --timings without a file.
inline constexpr char kTimingsAsText[] = "true";

struct OperationFlags {
  OperationKind kind = OperationKind::kUpdate;
  bool is_preview_command = false;

  std::string stack, message, config_file, client, exec_kind, exec_agent, event_log, override_env;
  std::string suppress_permalink = "true";
  std::vector<std::string> config;  // key=value, saved to the settings first
  bool config_path = false;
  bool yes = false, skip_preview = false, preview_only = false;
  bool json = false, diff = false;
  std::string output = "default";            // or "json" for a summary in one line, or "markdown"
  std::map<std::string, std::string> given;  // which flags were, as Flags::GivenFlags tells
  bool expect_no_changes = false, debug = false;
  std::vector<std::string> attach_debugger;  // "program", "plugins", "plugin:NAME", "all"
  std::string timings;                       // kTimingsAsText, or a file besides; "" for none
  bool show_secrets = false;
  ShowOptions show;

  int parallel = 0;     // 0: the default, four times the cores
  std::string refresh;  // "", "true", "false"
  bool skip_plugin_pre_install = false;
  bool run_program = false;
  bool skip_config_validation = false;
  RemoteFlags remote;
  bool derives_key_lazily = false;  // of a preview among many: no key is derived that nothing is encrypted under
  bool continue_on_error = false, ignore_protect = false, exclude_protected = false, remove_stack = false;
  std::vector<std::string> targets, excludes, replaces, target_replaces;
  bool target_dependents = false, exclude_dependents = false;
  std::vector<std::string> policy_packs, policy_pack_configs;
  std::string plan_file, save_plan_file, import_listing_file;
  bool strict = false;
  bool clear_pending_creates = false, skip_pending_creates = false;
  std::vector<std::string> import_pending_creates;  // URN, ID, URN, ID, ...

  // import
  std::string import_file, parent, provider, out, from;
  std::vector<std::string> import_args, properties;
  bool generate_code = true, protect = true, from_state = false;

  bool for_programs() const { return json || output == "json"; }  // standard output is JSON and nothing else
  bool WantsRefresh() const { return refresh == "true"; }
};

// The flags that the command has. PULUMI_ variables that set defaults have been read.
void DeclareOperationFlags(Flags* flags, OperationFlags* values);

// Flags that contradict each other, as a usage error.
Status CheckOperationFlags(const OperationFlags& values);

}  // namespace kingpost
