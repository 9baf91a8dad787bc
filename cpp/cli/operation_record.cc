// SPDX-License-Identifier: Apache-2.0
#include "cli/operation_record.h"

#include <ctime>
#include <nlohmann/json.hpp>

#include "cli/commands/shared.h"
#include "cli/display/labels.h"
#include "cli/exit_code.h"
#include "journal/finish.h"
#include "store/saved_aside.h"

namespace kingpost {

namespace {

std::string HistoryRecord(const OperationFlags& flags, const OperationSetup& setup, const RunOutcome& outcome,
                          const UpdateMetadata& metadata) {
  nlohmann::ordered_json record;
  record["kind"] = OperationWord(flags.kind) == "import" ? "resource-import" : OperationWord(flags.kind);
  record["startTime"] = setup.start_seconds;
  record["message"] = metadata.message;
  record["environment"] = metadata.environment;
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
  const Result<std::string> journal = setup.store->JournalPath(setup.stack);
  const Result<std::string> file =
      SaveAside(FoldersAside(journal.ok() ? *journal : ""), setup.stack.name + ".unsaved", bytes);
  const std::string hint = file.ok() ? "; a copy of the new state is in " + *file : "";
  return Fail(ExitCode::kFailed, "could not save the state: " + failure.message() + hint +
                                     "; the journal is kept, and the next command recovers it");
}

Status SaveSnapshot(Session& session, const OperationFlags& flags, OperationSetup* setup, Snapshot snapshot,
                    Journal& journal) {
  FinishOptions options;
  options.seal = SealNow();
  options.seal.command = "kingpost " + OperationWord(flags.kind);
  options.encode = setup->encoding();
  options.accept_broken = session.globals().disable_integrity_checking;
  snapshot.secrets_type = setup->secrets->type();
  snapshot.secrets_state_json = setup->secrets->state();
  const FinishResult finished =
      FinishOperation(setup->held->lock(), journal, *setup->store, setup->stack, std::move(snapshot), options);
  return finished.unsaved.empty() ? finished.status : SaveElsewhere(*setup, finished.unsaved, finished.status);
}

}  // namespace

Status RecordOutcome(Session& session, const OperationFlags& flags, OperationSetup* setup, const RunOutcome& outcome,
                     const std::function<UpdateMetadata()>& metadata, Journal& journal) {
  const Status saved = outcome.result.snapshot ? SaveSnapshot(session, flags, setup, *outcome.result.snapshot, journal)
                                               : journal.Remove();
  if (!saved.ok()) return saved;
  const Status remembered =
      setup->store->AppendHistory(setup->stack, HistoryRecord(flags, *setup, outcome, metadata()));
  if (!remembered.ok()) session.Warn("could not write the history: " + remembered.message());
  const Status copied = setup->store->Backup(setup->stack);
  if (!copied.ok()) session.Warn("could not write a backup: " + copied.message());
  return Status::Ok();
}

}  // namespace kingpost
