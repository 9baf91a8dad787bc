// SPDX-License-Identifier: Apache-2.0
#include "simulation/shared_command.h"

#include <atomic>
#include <cstdio>
#include <future>
#include <utility>
#include <vector>

#include "journal/bench.h"
#include "journal/finish.h"
#include "journal/journal.h"
#include "journal/recover.h"

namespace kingpost::simulation {

const StackName kSharedStacks[2] = {{"organization", "shop", "dev"}, {"organization", "shop", "prod"}};

namespace {

Snapshot SnapshotOf(const std::set<std::string>& names) {
  std::vector<StatePtr> states;
  for (const std::string& name : names) states.push_back(testing::TestState(name));
  return testing::TestSnapshot(states);
}

// No two states are written at the same time, so no two have the same bytes.
SealOptions SealAnew() {
  static std::atomic<int> count{0};
  char time[40];
  std::snprintf(time, sizeof time, "2026-01-02T03:04:05.%09dZ", ++count);
  SealOptions seal = testing::kSeal;
  seal.now_rfc3339 = time;
  return seal;
}

std::string DocumentOf(const StackName& stack, const std::set<std::string>& names) {
  CheckpointDocument document{.stack = stack.str(), .has_latest = true, .snapshot = SnapshotOf(names)};
  (void)SealSnapshot(SealAnew(), &document.snapshot);
  const Result<std::string> bytes = EncodeCheckpoint(document, {});
  KP_ASSERT(bytes.ok(), "a state of names can be written");
  return *bytes;
}

Status Gone(const StackName& stack) { return {Code::kNotFound, "no stack named " + stack.name}; }

}  // namespace

void Told::Acknowledge(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (doubted_.count(name) == 0) certain_.insert(name);  // else another command may have deleted it meanwhile
}

void Told::Doubt(const std::set<std::string>& names) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::string& name : names) certain_.erase(name);
  doubted_.insert(names.begin(), names.end());
}

std::set<std::string> Told::certain() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return certain_;
}

SharedCommand::SharedCommand(std::shared_ptr<BlobBucket> bucket, std::shared_ptr<BlobBucket> other, unsigned seed,
                             std::string name, Told* told)
    : bucket_(std::move(bucket)),
      other_(std::move(other)),
      store_(bucket_, "", FileStoreOptions{.compression = seed % 5 == 0 ? Compression::kGzip : Compression::kNone}),
      random_(seed),
      name_(std::move(name)),
      told_(told) {}

Status SharedCommand::Run(const std::string& kind) {
  if (kind == "init") return Init();
  if (kind == "up") return Up();
  if (kind == "import") return Import();
  if (kind == "rollback") return Rollback();
  if (kind == "rm") return Remove();
  if (kind == "rename") return Rename();
  if (kind == "migrate") return Migrate();
  if (kind == "tag") return Tag();
  return Cancel();
}

StackName SharedCommand::Pick() { return kSharedStacks[random_() % 4 == 0 ? 1 : 0]; }

Result<SharedCommand::Taken> SharedCommand::Take(const StackName& stack) {
  Taken taken;
  Result<std::unique_ptr<StackLock>> lock = store_.Lock(stack);
  if (!lock.ok()) return lock.status();
  took_ = true;
  taken.lock = *std::move(lock);
  took_over_ = took_over_ || !taken.lock->notices().empty();
  if (store_.journals()->MayHaveLeftover(stack)) {
    const Status done = taken.lock->WhileHeld([&] {
      const Result<RecoveryReport> report = Recover(store_, stack, SealAnew());
      taken.recovered = report.ok() && report->found;
      return report.status();
    });
    if (!done.ok()) return done;
    recovered_ = recovered_ || taken.recovered;
  }
  Result<StackDocument> document = store_.Load(stack);
  if (!document.ok()) return document.status();
  taken.document = *std::move(document);
  if (taken.document.exists) {
    const auto decoded = DecodeCheckpoint(taken.document.bytes, {});
    if (!decoded.ok()) return decoded.status();
    for (const StatePtr& state : decoded->snapshot.resources) taken.names.insert(std::string(state->urn.name()));
  }
  return taken;
}

Status SharedCommand::Save(Taken& taken, const StackName& stack, const std::set<std::string>& names) {
  const std::string bytes = DocumentOf(stack, names);
  const Status saved = taken.lock->WhileHeld([&] { return store_.Save(stack, bytes); });
  const Status released = taken.lock->Release();
  return saved.ok() ? released : saved;
}

// Creates a stack as `stack init` does, without recovering an earlier one.
Status SharedCommand::Init() {
  const StackName stack = Pick();
  const Result<std::unique_ptr<StackLock>> lock = store_.Lock(stack);
  if (!lock.ok()) return lock.status();
  took_ = true;
  const Result<bool> there = store_.Exists(stack);
  if (!there.ok() || *there) return there.ok() ? Status(Code::kAlreadyExists, "it is there") : there.status();
  const Status saved = store_.Save(stack, DocumentOf(stack, {}));
  const Status released = (*lock)->Release();
  return saved.ok() ? released : saved;
}

Status SharedCommand::Up() {
  const StackName stack = Pick();
  Result<Taken> taken = Take(stack);
  if (!taken.ok()) return taken.status();
  if (!taken->document.exists) return Gone(stack);
  Result<std::unique_ptr<JournalFile>> file = store_.journals()->Create(stack);
  if (!file.ok()) return file.status();
  const std::string base = CheckpointHash(taken->document.bytes);
  Result<std::unique_ptr<Journal>> made = Journal::CreateOn(*std::move(file), {stack.str(), base, "update"}, {});
  if (!made.ok()) return made.status();
  Journal& journal = **made;
  StackLock& lock = *taken->lock;
  journal.set_ownership_check([&lock] { return lock.CheckHeld(); });
  std::set<std::string> names = taken->names;
  const int count = 1 + static_cast<int>(random_() % 4);
  for (int number = 1; number <= count; ++number) {
    const std::string name = name_ + "u" + std::to_string(number);
    auto synced = std::make_shared<std::promise<Status>>();
    journal.Append(testing::Created(name, number), [synced](Status status) { synced->set_value(std::move(status)); });
    if (!synced->get_future().get().ok()) break;
    names.insert(name);
    ++acknowledged_;
    told_->Acknowledge(name);
  }
  FinishOptions options;
  options.seal = SealAnew();
  options.base = taken->document.bytes;
  const FinishResult finished = FinishOperation(lock, journal, store_, stack, SnapshotOf(names), options);
  const Status released = lock.Release();
  return finished.status.ok() ? released : finished.status;
}

Status SharedCommand::Import() {
  const StackName stack = Pick();
  Result<Taken> taken = Take(stack);
  if (!taken.ok()) return taken.status();
  if (!taken->document.exists) return Gone(stack);
  std::set<std::string> names = taken->names;
  names.insert(name_ + "i");
  const Status saved = Save(*taken, stack, names);
  if (saved.ok()) told_->Acknowledge(name_ + "i");
  return saved;
}

// To a state of before: one resource is not in it.
Status SharedCommand::Rollback() {
  const StackName stack = Pick();
  Result<Taken> taken = Take(stack);
  if (!taken.ok()) return taken.status();
  if (taken->names.empty()) return Gone(stack);
  std::set<std::string> names = taken->names;
  told_->Doubt({*names.begin()});
  names.erase(names.begin());
  names.insert(name_ + "b");  // a state of another time is another state
  return Save(*taken, stack, names);
}

Status SharedCommand::Remove() {
  const StackName stack = Pick();
  Result<Taken> taken = Take(stack);
  if (!taken.ok()) return taken.status();
  if (!taken->document.exists) return Gone(stack);
  told_->Doubt(taken->names);
  const Status removed = taken->lock->WhileHeld([&] { return store_.Remove(stack, random_() % 2 == 0); });
  const Status released = taken->lock->Release();
  return removed.ok() ? released : removed;
}

Status SharedCommand::Rename() {
  const bool back = random_() % 2 == 0;
  const StackName from = kSharedStacks[back ? 1 : 0], to = kSharedStacks[back ? 0 : 1];
  Result<Taken> taken = Take(from);
  if (!taken.ok()) return taken.status();
  if (!taken->document.exists) return Gone(from);
  const Result<bool> there = store_.Exists(to);
  if (!there.ok() || *there) return there.ok() ? Status(Code::kAlreadyExists, "it is there") : there.status();
  const Result<std::unique_ptr<StackLock>> target = store_.Lock(to);
  if (!target.ok()) return target.status();
  const std::string bytes = DocumentOf(to, taken->names);
  const Status renamed = taken->lock->WhileHeld([&] { return store_.Rename(from, to, bytes); });
  const Status released = (*target)->Release();
  return renamed.ok() ? released : renamed;
}

Status SharedCommand::Migrate() {
  const StackName stack = Pick();
  Result<Taken> taken = Take(stack);
  if (!taken.ok()) return taken.status();
  if (!taken->document.exists) return Gone(stack);
  BlobStore target(other_, "", FileStoreOptions{});
  const Result<std::unique_ptr<StackLock>> there = target.Lock(stack);
  if (!there.ok()) return there.status();
  const Status saved = target.Save(stack, taken->document.bytes);
  const Status released = (*there)->Release();
  return saved.ok() ? released : saved;
}

Status SharedCommand::Tag() {
  const StackName stack = Pick();
  Result<Taken> taken = Take(stack);
  if (!taken.ok()) return taken.status();
  auto tags = store_.LoadTags(stack);
  if (!tags.ok()) return tags.status();
  if (random_() % 4 == 0)
    tags->clear();
  else
    (*tags)[name_] = "yes";
  return store_.SaveTags(stack, *tags);
}

Status SharedCommand::Cancel() { return store_.BreakLocks(Pick()).status(); }

}  // namespace kingpost::simulation
