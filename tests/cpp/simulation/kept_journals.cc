// SPDX-License-Identifier: Apache-2.0
#include "simulation/kept_journals.h"

#include <cstdio>

#include "journal/merge.h"

namespace kingpost::simulation {

namespace {

constexpr char kKept[] = ".kept";

// Merges as cli/commands/state_recover.cc does. Secrets stay sealed, under the one key of all simulations.
Status MergeOne(const std::string& file, FileStore& store, StackLock& lock, const StackName& stack,
                const SealOptions& seal) {
  const Result<JournalContents> journal = ReadJournal(file, {});
  if (!journal.ok()) return journal.status();
  const Result<StackDocument> document = store.Load(stack);
  if (!document.ok()) return document.status();
  CheckpointDocument checkpoint;
  if (document->exists) {
    Result<CheckpointDocument> decoded = DecodeCheckpoint(document->bytes, {});
    if (!decoded.ok()) return decoded.status();
    checkpoint = std::move(*decoded);
  }
  if (checkpoint.snapshot.secrets_type.empty()) {
    checkpoint.snapshot.secrets_type = journal->header.secrets_type;
    checkpoint.snapshot.secrets_state_json = journal->header.secrets_state_json;
  }
  const Result<MergeReport> report = MergeJournal(*journal, &checkpoint.snapshot);
  if (!report.ok()) return report.status();
  if (const Status sealed = SealSnapshot(seal, &checkpoint.snapshot); !sealed.ok()) return sealed;
  checkpoint.stack = store.QualifiedName(stack);
  checkpoint.has_latest = true;
  const Result<std::string> bytes = EncodeCheckpoint(checkpoint, {});
  if (!bytes.ok()) return bytes.status();
  const Status saved = lock.WhileHeld([&] { return store.Save(stack, *bytes); });
  if (saved.ok()) (void)std::rename(file.c_str(), (file + ".merged").c_str());
  return saved;
}

}  // namespace

std::vector<std::string> KeptJournals(const SimDisk& disk) {
  std::vector<std::string> kept;
  for (const auto& [path, content] : disk.Files(SimDisk::kRoot)) {
    const size_t at = path.rfind(kKept);
    if (at != path.npos && at + sizeof kKept - 1 == path.size()) kept.push_back(path);
  }
  return kept;
}

Status MergeKeptJournals(const SimDisk& disk, FileStore& store, StackLock& lock, const StackName& stack,
                         const SealOptions& seal) {
  for (const std::string& file : KeptJournals(disk)) {
    if (const Status merged = MergeOne(file, store, lock, stack, seal); !merged.ok()) return merged.Wrap(file);
  }
  return Status::Ok();
}

}  // namespace kingpost::simulation
