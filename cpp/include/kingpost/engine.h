// SPDX-License-Identifier: Apache-2.0
// Engine: runs one operation on one stack. What an embedder calls.
//
//   Loop loop;  ...  auto result = loop.RunUntilDone(RunOperation(loop, std::move(operation)));
//
// Everything it needs comes in through the seams of Operation; it opens no file and starts no process itself.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/event.h"
#include "kingpost/plugin_host.h"
#include "kingpost/secrets_manager.h"
#include "model/snapshot.h"

namespace kingpost {

enum class OperationKind { kUpdate, kRefresh, kDestroy, kImport };

// One resource of an import file (row 6.10).
struct ImportResource {
  std::string type, name, id;
  std::string logical_name;
  Urn parent;    // resolved; empty: the root stack, unless `parent_name`
  Urn provider;  // of a provider resource, recorded or in this import; empty: the default provider
  std::optional<PropertyMap> provider_inputs;  // of an explicit provider that is neither
  std::string version, plugin_download_url;
  std::map<std::string, std::string> plugin_checksums;
  std::optional<Parameterization> parameterization, extension;
  std::vector<std::string> properties;
  bool component = false, remote = false, protect = false;
  std::optional<PropertyMap> inputs, outputs;
};

struct OperationOptions {
  OperationKind kind = OperationKind::kUpdate;
  bool preview = false;          // plan only: nothing is changed or recorded
  bool install_plugins = true;   // those that the program and the state need, before anything else
  bool run_program = true;       // up, preview: always; refresh, destroy: --run-program
  bool refresh = false;          // refresh first (up, preview, destroy)
  bool refresh_program = false;  // with refresh: while the program runs, each resource as it is registered
  int parallel = 16;             // steps in flight; 0 or less means 1
  bool continue_on_error = false;
  bool ignore_protect = false;
  bool exclude_protected = false;
  std::vector<std::string> targets, excludes, replaces;  // URNs or patterns
  std::vector<std::string> target_replaces;              // also in targets
  bool target_dependents = false, exclude_dependents = false;
  bool disable_provider_preview = false, disable_resource_references = false, disable_output_values = false;
  bool legacy_diff = false, legacy_refresh_diff = false;
  bool show_secrets = false;
  std::vector<AnalyzerSpec> policy_packs;
  std::string plan_json;   // a plan to be constrained by, or ""
  bool save_plan = false;  // make one
  std::vector<ImportResource> imports;
  // The treatment of interrupted creates (row 6.3): those that took place, with their IDs, and those that did not. With
  // `clear_pending_creates` no other did.
  std::map<Urn, std::string> import_pending_creates;
  std::set<Urn> cleared_pending_creates;
  bool clear_pending_creates = false;
  bool disable_integrity_checking = false;
};

// Where the engine records what it did. The journal's face to the engine; null in previews.
// Append answers when the entry is durable; entries become durable in the order of the calls.
struct JournalEntry;
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual Task<Status> Append(JournalEntry entry) = 0;
};

// Time and chance (seams of the simulator).
struct Environment {
  std::function<std::string()> now_rfc3339;      // UTC with nanoseconds
  std::function<std::string(int)> random_bytes;  // n random bytes
};

// Cancellation from outside. Any thread.
class Cancellation {
 public:
  explicit Cancellation(Loop& loop) : loop_(&loop) {}
  void Cancel();     // finish what is in flight, save, end with "canceled"
  void Terminate();  // stop now: operations in flight stay pending
  bool cancelled() const { return cancelled_; }
  bool terminated() const { return terminated_; }
  // Runs on the loop thread when the state changes; at most one listener.
  std::function<void()> on_change;

 private:
  Loop* loop_;
  std::atomic<bool> cancelled_{false}, terminated_{false};
};

class RegistrationSource;  // registration_source.h

// A question about another stack: its outputs, or those of each of its resources.
enum class StackPart { kOutputs, kResources };

struct Operation {
  OperationOptions options;
  std::string organization = "organization", project, stack;
  std::map<std::string, std::string> config;  // "project:key" -> decrypted text; objects as JSON
  std::vector<std::string> config_secret_keys;
  std::string project_root;              // for source positions
  std::shared_ptr<const Snapshot> base;  // what is recorded; never null
  PluginHost* host = nullptr;
  EventSink* events = nullptr;
  Recorder* recorder = nullptr;  // null: nothing is recorded
  Cancellation* cancellation = nullptr;
  Environment environment;
  SecretsManager* plan_secrets = nullptr;  // encrypts a saved plan, decrypts a given one
  // Reads what another stack has recorded, for stack references. Secrets outside of the part may stay sealed, and so do
  // those that cannot be decrypted. Called on the loop thread, and never blocks it.
  std::function<Task<Result<std::shared_ptr<const Snapshot>>>(std::string stack, StackPart part)> load_stack;
  // The sources of registrations that the recorded state holds; null: a state that holds some is refused.
  std::function<Result<std::vector<std::unique_ptr<RegistrationSource>>>(Loop&, const Operation&)> find_sources;
};

struct OperationResult {
  Status status;                               // not ok: failed or cancelled (kCancelled), already reported if bail
  std::map<std::string, int> changes;          // op name -> count
  bool has_changes = false;                    // for --expect-no-changes (row 6.11)
  std::string plan_json;                       // if save_plan
  std::optional<Snapshot> snapshot;            // the new record, unless a preview; absent if nothing changed
  std::optional<Snapshot> predicted_snapshot;  // of a preview of an import: the record as it would be
};

Task<OperationResult> RunOperation(Loop& loop, Operation operation);

}  // namespace kingpost
