// SPDX-License-Identifier: Apache-2.0
#include "store/store_checks.h"

#include <cstdlib>

#include "base/clock.h"
#include "base/command_name.h"
#include "base/disk/durable_file.h"
#include "store/blob_store.h"
#include "store/condition_probe.h"
#include "store/file_store.h"

namespace kingpost {

namespace {

using Verdict = StoreCheck::Verdict;

constexpr int64_t kClockMsMax = 5 * 60 * 1000;  // signatures of requests are refused from here on

// Read and delete as well: what was written is looked at, and goes again.
StoreCheck CheckWriting(BlobBucket& bucket, bool journals) {
  const std::string folder = journals ? ".pulumi/journals/" : ".pulumi/locks/";
  const std::string key = folder + ".probe-" + NewLockId();
  Status done = bucket.Put(key, "probe", PutCondition::Always(), "text/plain; charset=utf-8").status();
  if (done.ok()) done = bucket.Copy(key, key + ".copy");
  const Result<std::optional<Blob>> read = done.ok() ? bucket.Get(key + ".copy") : done;
  if (read.ok() && (!*read || (*read)->bytes != "probe"))
    done = {Code::kDataLoss, "an object that was written cannot be read"};
  if (!read.ok()) done = read.status();
  const Status removed = bucket.DeleteMany({key, key + ".copy"});
  if (done.ok()) done = removed;
  if (done.ok())
    return {Verdict::kGood, "rights", "objects below " + folder + " can be written, copied, read, deleted", ""};
  return {Verdict::kBad, "rights", done.message(),
          "grant reading, writing, listing and deleting below .pulumi/ (docs/backends.md has the lists)"};
}

StoreCheck CheckConditions(BlobBucket& bucket) {
  if (bucket.transactions()) return {Verdict::kGood, "conditional writes", "transactions", ""};
  const Result<HonoredConditions> minds = ProbeConditions(bucket);
  if (!minds.ok()) return {Verdict::kBad, "conditional writes", minds.status().message(), "see the rights above"};
  if (minds->deletes) return {Verdict::kGood, "conditional writes", "the service obeys them", ""};
  if (minds->puts) {
    return {Verdict::kDoubtful, "conditional writes", "the service obeys them for writes, and ignores them for deletes",
            "while you remove or rename a stack, run no other command on a stack of that name"};
  }
  return {Verdict::kDoubtful, "conditional writes", "the service ignores them",
          "operations that die on another machine are only taken over after " + QuotedCommand("cancel") +
              "; let one machine at a time "
              "work on a stack"};
}

// Nothing that is needed for work, so a right that is missing is no fault.
void CheckRules(BlobBucket& bucket, std::vector<StoreCheck>* checks) {
  auto* with_rules = dynamic_cast<BucketWithRules*>(&bucket);
  if (!with_rules) return;
  const Result<BucketRules> rules = with_rules->ReadRules();
  if (!rules.ok()) {
    checks->push_back({Verdict::kGood, "versions", "not known: " + rules.status().message(), ""});
    return;
  }
  const std::vector<StoreCheck> judged = CheckBucketRules(*rules);
  checks->insert(checks->end(), judged.begin(), judged.end());
}

StoreCheck CheckClock(BlobBucket& bucket) {
  const Result<std::optional<Blob>> meta = bucket.Get(".pulumi/meta.yaml");
  if (!meta.ok() || !*meta || (*meta)->server_ms == 0) {
    return {Verdict::kGood, "clock", "the answers of the store have no time", ""};
  }
  const int64_t ahead_ms = NowUnixNano() / 1'000'000 - (*meta)->server_ms;
  const std::string found = "this machine is " + std::to_string(std::llabs(ahead_ms) / 1000) + " s " +
                            (ahead_ms >= 0 ? "ahead of" : "behind") + " the store";
  if (std::llabs(ahead_ms) < kClockMsMax) return {Verdict::kGood, "clock", found, ""};
  return {Verdict::kDoubtful, "clock", found, "set the clock: services refuse requests with a wrong time"};
}

StoreCheck CheckLocks(StateStore& store) {
  const Result<std::vector<StackEntry>> entries = store.List();
  if (!entries.ok()) return {Verdict::kBad, "locks", entries.status().message(), "grant listing below .pulumi/"};
  int held = 0;
  std::string dead;
  for (const StackEntry& entry : *entries) {
    if (!entry.locked) continue;
    ++held;
    const Result<std::vector<LockHolder>> holders = store.Locks(entry.stack);
    for (const LockHolder& holder : holders.ok() ? *holders : std::vector<LockHolder>()) {
      if (holder.gone) dead += (dead.empty() ? "" : ", ") + entry.stack.str();
    }
  }
  const std::string found = std::to_string(entries->size()) + (entries->size() == 1 ? " stack, " : " stacks, ") +
                            (held == 0 ? "none" : std::to_string(held)) + " of them locked";
  if (dead.empty()) return {Verdict::kGood, "locks", found, ""};
  return {Verdict::kDoubtful, "locks", found + "; the owners of these are gone: " + dead,
          "the next " + QuotedCommand("up") + " or " + QuotedCommand("refresh") + " of each recovers their records"};
}

StoreCheck CheckFolder(const FileStore& store) {
  const std::string probe = store.layout().root() + "/.pulumi/.probe-" + NewLockId();
  Status done = WriteFileDurably(probe, "probe");
  const Status removed = RemoveFile(probe);
  if (done.ok()) done = removed;
  if (done.ok()) return {Verdict::kGood, "rights", "files below .pulumi/ can be written and removed", ""};
  return {Verdict::kBad, "rights", done.message(), "make the folder writable"};
}

}  // namespace

std::vector<StoreCheck> CheckBucketRules(const BucketRules& rules) {
  const std::string state = rules.root + ".pulumi/", journals = state + "journals/";
  std::vector<StoreCheck> checks;
  int kept_days = 0;
  for (const BucketRules::Rule& rule : rules.rules) {
    const bool of_state =
        state.starts_with(rule.prefix) || (rule.prefix.starts_with(state) && !rule.prefix.starts_with(journals));
    if (rule.expires_days > 0 && of_state) {
      checks.push_back({Verdict::kBad, "lifecycle rules",
                        "a rule" + (rule.name.empty() ? "" : " (" + rule.name + ")") + " deletes objects below '" +
                            rule.prefix + "' that were not written for " + std::to_string(rule.expires_days) +
                            " days, so also the state of a stack without operations",
                        "exclude " + state + " from that rule"});
    }
    if (rule.old_versions_days > 0 && journals.starts_with(rule.prefix)) kept_days = rule.old_versions_days;
  }
  if (!rules.versions) {
    checks.push_back({Verdict::kDoubtful, "versions", "the bucket keeps no old versions",
                      "switch versioning on, so that you can restore objects that were deleted or overwritten"});
  } else if (kept_days == 0) {
    checks.push_back({Verdict::kDoubtful, "versions",
                      "the bucket keeps old versions for ever, even of each operation's records",
                      "add a lifecycle rule that expires noncurrent versions below " + journals + " after a day"});
  } else {
    checks.push_back(
        {Verdict::kGood, "versions",
         "old versions of records are kept for " + std::to_string(kept_days) + (kept_days == 1 ? " day" : " days"),
         ""});
  }
  return checks;
}

std::vector<StoreCheck> CheckStore(StateStore& store) {
  const Status there = store.CheckAccess();
  if (!there.ok()) return {{Verdict::kBad, "access", there.message(), "check the URL and the credentials"}};
  std::vector<StoreCheck> checks = {{Verdict::kGood, "access", store.printable_url(), ""}};
  if (auto* files = dynamic_cast<FileStore*>(&store)) checks.push_back(CheckFolder(*files));
  if (auto* objects = dynamic_cast<BlobStore*>(&store)) {
    const bool journals = objects->journals() != nullptr;
    checks.push_back(CheckWriting(objects->bucket(), journals));
    if (checks.back().verdict == Verdict::kBad) return checks;
    if (journals) checks.push_back(CheckConditions(objects->bucket()));
    checks.push_back(CheckClock(objects->bucket()));
    CheckRules(objects->bucket(), &checks);
  }
  checks.push_back(CheckLocks(store));
  return checks;
}

}  // namespace kingpost
