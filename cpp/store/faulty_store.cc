// SPDX-License-Identifier: Apache-2.0
// FaultyStore: another store whose Nth write fails, as a full or failing disk makes it. For tests; any thread.
#include <atomic>

#include "kingpost/state_store.h"

namespace kingpost {
namespace {

class FaultyStore : public StateStore {
 public:
  FaultyStore(std::shared_ptr<StateStore> inner, StoreFaults faults, int* writes)
      : inner_(std::move(inner)), faults_(faults), writes_(writes) {}

  std::string url() const override { return inner_->url(); }
  std::string printable_url() const override { return inner_->printable_url(); }
  Result<StackDocument> Load(const StackName& stack) override { return inner_->Load(stack); }
  Status Settle(const StackName& stack) override { return inner_->Settle(stack); }
  Result<bool> Exists(const StackName& stack) override { return inner_->Exists(stack); }
  Result<std::vector<StackEntry>> List() override { return inner_->List(); }

  Status Save(const StackName& stack, std::string_view bytes) override {
    const Status fault = NextWrite(stack, bytes.size());
    return fault.ok() ? inner_->Save(stack, bytes) : fault;
  }
  Status Remove(const StackName& stack, bool remove_backups) override {
    const Status fault = NextWrite(stack, 0);
    return fault.ok() ? inner_->Remove(stack, remove_backups) : fault;
  }
  Status Rename(const StackName& from, const StackName& to, std::string_view bytes) override {
    const Status fault = NextWrite(to, bytes.size());
    return fault.ok() ? inner_->Rename(from, to, bytes) : fault;
  }
  Status AppendHistory(const StackName& stack, std::string_view record) override {
    const Status fault = NextWrite(stack, record.size());
    return fault.ok() ? inner_->AppendHistory(stack, record) : fault;
  }
  Result<std::vector<std::string>> ReadHistory(const StackName& stack, int page_size, int page) override {
    return inner_->ReadHistory(stack, page_size, page);
  }
  Status Backup(const StackName& stack) override {
    const Status fault = NextWrite(stack, 0);
    return fault.ok() ? inner_->Backup(stack) : fault;
  }
  Status SaveReasons(const StackName& stack, ReasonsKind of, std::string_view bytes) override {
    const Status fault = NextWrite(stack, bytes.size());
    return fault.ok() ? inner_->SaveReasons(stack, of, bytes) : fault;
  }
  Result<std::string> LoadReasons(const StackName& stack, ReasonsKind of) override {
    return inner_->LoadReasons(stack, of);
  }
  Result<std::unique_ptr<StackLock>> Lock(const StackName& stack) override {
    const Status fault = NextWrite(stack, 0);
    return fault.ok() ? inner_->Lock(stack) : fault;
  }
  Result<std::vector<LockHolder>> Locks(const StackName& stack) override { return inner_->Locks(stack); }
  Result<int> BreakLocks(const StackName& stack) override { return inner_->BreakLocks(stack); }
  Result<std::map<std::string, std::string>> LoadTags(const StackName& stack) override {
    return inner_->LoadTags(stack);
  }
  Status SaveTags(const StackName& stack, const std::map<std::string, std::string>& tags) override {
    const Status fault = NextWrite(stack, 0);
    return fault.ok() ? inner_->SaveTags(stack, tags) : fault;
  }
  SharedJournals* journals() override { return inner_->journals(); }
  Result<std::string> JournalPath(const StackName& stack) override { return inner_->JournalPath(stack); }
  std::string QualifiedName(const StackName& stack) const override { return inner_->QualifiedName(stack); }

 private:
  Status NextWrite(const StackName& stack, size_t size) {
    const int number = ++count_;
    if (writes_) *writes_ = number;
    const bool fails =
        faults_.fail_at > 0 && (number == faults_.fail_at || (faults_.fail_after && number > faults_.fail_at));
    if (!fails) return Status::Ok();
    switch (faults_.kind) {
      case StoreFaults::Kind::kNoSpace:
        return {Code::kResourceExhausted, stack.str() + ": cannot write: No space left on device"};
      case StoreFaults::Kind::kIoError:
        return {Code::kUnavailable, stack.str() + ": cannot write: Input/output error"};
      case StoreFaults::Kind::kShortWrite:
        return {Code::kUnavailable, stack.str() + ": cannot write: only " + std::to_string(size / 2) + " of " +
                                        std::to_string(size) + " bytes were written"};
    }
    KP_ASSERT(false, "every kind of fault has its error");
  }

  const std::shared_ptr<StateStore> inner_;
  const StoreFaults faults_;
  int* const writes_;
  std::atomic<int> count_{0};
};

}  // namespace

std::unique_ptr<StateStore> NewFaultyStore(std::shared_ptr<StateStore> inner, StoreFaults faults, int* writes) {
  return std::make_unique<FaultyStore>(std::move(inner), faults, writes);
}

}  // namespace kingpost
