#include "cli/operation_record.h"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "cli/commands/shared.h"
#include "cli/display/labels.h"
#include "cli/exit_code.h"
#include "journal/recover.h"

namespace kingpost {

namespace {

// The names that the history has for machines.
std::string Architecture() {
  utsname name{};
  ::uname(&name);
  const std::string machine = name.machine;
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  return machine;
}

std::string HistoryRecord(const OperationFlags& flags, const OperationSetup& setup, const RunOutcome& outcome) {
  nlohmann::ordered_json record;
  record["kind"] = OperationWord(flags.kind) == "import" ? "resource-import" : OperationWord(flags.kind);
  record["startTime"] = setup.start_seconds;
  record["message"] = flags.message;
  nlohmann::json environment = {{"exec.kind", flags.exec_kind.empty() ? "cli" : flags.exec_kind},
                                {"pulumi.arch", Architecture()},
                                {"pulumi.os", "linux"},
                                {"pulumi.version", CompatibleVersion()},
                                {"updatePlan", flags.plan_file.empty() ? "false" : "true"}};
  if (!flags.exec_agent.empty()) environment["exec.agent"] = flags.exec_agent;
  record["environment"] = environment;
  nlohmann::json config = nlohmann::json::object();
  for (const auto& [key, value] : setup.raw_config) config[key] = value;
  record["config"] = config;
  record["version"] = 0;
  record["result"] = outcome.result.status.ok() ? "succeeded" : "failed";
  record["endTime"] = std::time(nullptr);
  if (!outcome.result.changes.empty()) record["resourceChanges"] = outcome.result.changes;
  return record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The state could not be saved where it belongs: put it where it can be found.
Status SaveElsewhere(const OperationSetup& setup, const std::string& bytes, const Status& failure) {
  const std::string file =
      "/tmp/kingpost-" + setup.stack.project + "-" + setup.stack.name + "-" + std::to_string(::getpid()) + ".json";
  const Status saved = WriteOutput(file, bytes);
  if (saved.ok()) ::chmod(file.c_str(), 0600);
  const std::string hint = saved.ok() ? "; a copy of the new state is in " + file : "";
  return Fail(ExitCode::kFailed, "could not save the state: " + failure.message() + hint +
                                     "; the journal is kept, and the next command recovers it");
}

// `integrity` tells what is wrong with a snapshot that was saved all the same.
Status SaveSnapshot(const OperationFlags& flags, OperationSetup* setup, Snapshot snapshot, Journal& journal,
                    Status* integrity) {
  SealOptions seal;
  seal.now_rfc3339 = NowRfc3339();
  seal.version = CompatibleVersion();
  seal.command = "kingpost " + OperationWord(flags.kind);
  snapshot.secrets_type = setup->secrets->type();
  snapshot.secrets_state_json = setup->secrets->state();
  *integrity = SealSnapshot(seal, &snapshot);
  CheckpointDocument checkpoint;
  checkpoint.stack = setup->store->QualifiedName(setup->stack);
  checkpoint.has_latest = true;
  checkpoint.snapshot = std::move(snapshot);
  const Result<std::string> bytes = EncodeCheckpoint(checkpoint, setup->encoding());
  if (!bytes.ok()) return bytes.status().Wrap("could not write the state; the journal is kept");
  if (const Status held = setup->held->lock().StillHeld(); !held.ok()) return held;
  const Status saved = SaveAndRemove(journal, *setup->store, setup->stack, *bytes);
  return saved.ok() ? saved : SaveElsewhere(*setup, *bytes, saved);
}

}  // namespace

Status RecordOutcome(Session& session, const OperationFlags& flags, OperationSetup* setup, const RunOutcome& outcome,
                     Journal& journal) {
  Status integrity;
  const Status saved = outcome.result.snapshot
                           ? SaveSnapshot(flags, setup, *outcome.result.snapshot, journal, &integrity)
                           : journal.Remove();
  if (!saved.ok()) {
    // Others must not work with a checkpoint that lacks what the journal holds.
    setup->held->lock().Abandon();
    return saved;
  }
  const Status remembered = setup->store->AppendHistory(setup->stack, HistoryRecord(flags, *setup, outcome));
  if (!remembered.ok()) session.Warn("could not write the history: " + remembered.message());
  if (!IsTrueVariable("PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS")) {
    const Status copied = setup->store->Backup(setup->stack);
    if (!copied.ok()) session.Warn("could not write a backup: " + copied.message());
  }
  if (!integrity.ok() && !session.globals().disable_integrity_checking) {
    return integrity.Wrap("the state was saved, but is not in order; run 'kingpost state repair'");
  }
  return Status::Ok();
}

}  // namespace kingpost
