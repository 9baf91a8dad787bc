// SPDX-License-Identifier: Apache-2.0
// MemoryStore: stacks that end with the process, for tests and for programs that keep state elsewhere. Any thread.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>

#include "base/process_identity.h"
#include "kingpost/state_store.h"

namespace kingpost {
namespace {

struct StackRecord {
  std::string bytes;
  int64_t modified_ms = 0;
  std::vector<std::string> history, backups;
  std::map<std::string, std::string> tags;
  std::map<ReasonsKind, std::string> reasons;
};

struct Contents {
  std::mutex mutex;
  std::map<std::string, std::pair<StackName, StackRecord>> stacks;
  std::map<std::string, int> locks;  // by stack: the number of the lock in force
  int last_lock = 0;
};

class MemoryLock : public StackLock {
 public:
  MemoryLock(std::shared_ptr<Contents> contents, std::string stack, int number)
      : contents_(std::move(contents)), stack_(std::move(stack)), number_(number) {}
  ~MemoryLock() override { (void)Release(); }

  Status CheckHeld() override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    const auto found = contents_->locks.find(stack_);
    if (found != contents_->locks.end() && found->second == number_) return Status::Ok();
    return {Code::kAborted, "the lock of stack " + stack_ + " was removed; stopping"};
  }
  Status Release() override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    const auto found = contents_->locks.find(stack_);
    if (found != contents_->locks.end() && found->second == number_) contents_->locks.erase(found);
    return Status::Ok();
  }
  void Abandon() override { (void)Release(); }  // no other process can see what is here

 private:
  const std::shared_ptr<Contents> contents_;
  const std::string stack_;
  const int number_;
};

class MemoryStore : public StateStore {
 public:
  std::string url() const override { return "mem://"; }

  Result<StackDocument> Load(const StackName& stack) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    const auto found = contents_->stacks.find(stack.str());
    if (found == contents_->stacks.end()) return StackDocument{"", false, url() + stack.str()};
    return StackDocument{found->second.second.bytes, true, url() + stack.str()};
  }

  Status Save(const StackName& stack, std::string_view bytes) override {
    Status valid = ValidateProjectName(stack.project);
    if (valid.ok()) valid = ValidateStackName(stack.name);
    if (!valid.ok()) return valid;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    std::lock_guard<std::mutex> lock(contents_->mutex);
    auto& [name, record] = contents_->stacks[stack.str()];
    name = stack;
    record.bytes = bytes;
    record.modified_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    return Status::Ok();
  }

  Result<bool> Exists(const StackName& stack) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    return contents_->stacks.count(stack.str()) > 0;
  }

  Result<std::vector<StackEntry>> List() override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    std::vector<StackEntry> entries;
    for (const auto& [key, value] : contents_->stacks) {
      entries.push_back({value.first, value.second.modified_ms, contents_->locks.count(key) > 0});
    }
    return entries;
  }

  Status Remove(const StackName& stack, bool) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    contents_->stacks.erase(stack.str());
    return Status::Ok();
  }

  Status Rename(const StackName& from, const StackName& to, std::string_view bytes) override {
    const Status valid = ValidateStackName(to.name);
    if (!valid.ok()) return valid;
    std::lock_guard<std::mutex> lock(contents_->mutex);
    if (contents_->stacks.count(to.str())) {
      return {Code::kAlreadyExists, "a stack named " + to.name + " already exists"};
    }
    auto node = contents_->stacks.extract(from.str());
    if (node.empty()) return Missing(from);
    node.key() = to.str();
    node.mapped().first = to;
    node.mapped().second.bytes = bytes;
    contents_->stacks.insert(std::move(node));
    return Status::Ok();
  }

  Status AppendHistory(const StackName& stack, std::string_view record) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    StackRecord* found = Find(stack);
    if (!found) return Missing(stack);
    found->history.emplace_back(record);
    return Status::Ok();
  }

  Result<std::vector<std::string>> ReadHistory(const StackName& stack, int page_size, int page) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    const StackRecord* found = Find(stack);
    if (!found) return std::vector<std::string>();
    std::vector<std::string> records(found->history.rbegin(), found->history.rend());
    if (page_size <= 0) return records;
    const size_t begin =
        std::min(records.size(), static_cast<size_t>(page_size) * static_cast<size_t>(std::max(page, 1) - 1));
    const size_t end = std::min(records.size(), begin + static_cast<size_t>(page_size));
    return std::vector<std::string>(records.begin() + begin, records.begin() + end);
  }

  Status Backup(const StackName& stack) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    StackRecord* found = Find(stack);
    if (!found) return Missing(stack);
    found->backups.push_back(found->bytes);
    return Status::Ok();
  }

  Status SaveReasons(const StackName& stack, ReasonsKind of, std::string_view bytes) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    StackRecord* found = Find(stack);
    if (!found) return Missing(stack);
    found->reasons[of] = bytes;
    return Status::Ok();
  }

  Result<std::string> LoadReasons(const StackName& stack, ReasonsKind of) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    const StackRecord* found = Find(stack);
    if (!found || !found->reasons.count(of)) return std::string();
    return found->reasons.at(of);
  }

  Result<std::unique_ptr<StackLock>> Lock(const StackName& stack) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    if (contents_->locks.count(stack.str())) return LockedError({Holder(stack)});
    const int number = ++contents_->last_lock;
    contents_->locks[stack.str()] = number;
    return std::unique_ptr<StackLock>(std::make_unique<MemoryLock>(contents_, stack.str(), number));
  }

  Result<std::vector<LockHolder>> Locks(const StackName& stack) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    if (!contents_->locks.count(stack.str())) return std::vector<LockHolder>();
    return std::vector<LockHolder>{Holder(stack)};
  }

  Result<int> BreakLocks(const StackName& stack) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    return static_cast<int>(contents_->locks.erase(stack.str()));
  }

  Result<std::map<std::string, std::string>> LoadTags(const StackName& stack) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    const StackRecord* found = Find(stack);
    return found ? found->tags : std::map<std::string, std::string>();
  }

  Status SaveTags(const StackName& stack, const std::map<std::string, std::string>& tags) override {
    std::lock_guard<std::mutex> lock(contents_->mutex);
    StackRecord* found = Find(stack);
    if (!found) return Missing(stack);
    found->tags = tags;
    return Status::Ok();
  }

  Result<std::string> JournalPath(const StackName&) override { return std::string(); }

 private:
  StackRecord* Find(const StackName& stack) {
    const auto found = contents_->stacks.find(stack.str());
    return found == contents_->stacks.end() ? nullptr : &found->second.second;
  }

  Status Missing(const StackName& stack) const {
    return {Code::kNotFound, "no stack named '" + stack.name + "' found"};
  }

  LockHolder Holder(const StackName& stack) const {
    const ProcessIdentity self = ThisProcess();
    return {url() + stack.str(), self.username, self.hostname, self.pid, "", false, ""};
  }

  const std::shared_ptr<Contents> contents_ = std::make_shared<Contents>();
};

}  // namespace

Result<std::vector<StackDocument>> StateStore::LoadMany(const std::vector<StackName>& stacks) {
  std::vector<StackDocument> documents;
  for (const StackName& stack : stacks) {
    Result<StackDocument> document = Load(stack);
    if (!document.ok()) return document.status();
    documents.push_back(*std::move(document));
  }
  return documents;
}

std::unique_ptr<StateStore> NewMemoryStore() { return std::make_unique<MemoryStore>(); }

}  // namespace kingpost
