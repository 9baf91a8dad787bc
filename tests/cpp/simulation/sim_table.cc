// SPDX-License-Identifier: Apache-2.0
#include "simulation/sim_table.h"

#include <algorithm>
#include <utility>

namespace kingpost::simulation {

namespace {

constexpr char kType[] = "application/json";

}  // namespace

class SimTable::Sign : public LivenessLock {
 public:
  Sign(std::shared_ptr<std::multiset<std::string>> alive, std::string name)
      : alive_(std::move(alive)), name_(std::move(name)) {
    alive_->insert(name_);
  }
  ~Sign() override { alive_->erase(alive_->find(name_)); }
  bool certain() const override { return true; }
  Status Renew() override { return Status::Ok(); }

 private:
  const std::shared_ptr<std::multiset<std::string>> alive_;
  const std::string name_;
};

bool SimTable::Matches(const std::string& key, const PutCondition& condition) {
  const Result<std::optional<Blob>> there = Get(key);
  switch (condition.kind) {
    case PutCondition::Kind::kAlways:
      return true;
    case PutCondition::Kind::kIfAbsent:
      return !*there;
    case PutCondition::Kind::kIfTag:
      return *there && (*there)->tag == condition.tag;
  }
  return false;
}

bool SimTable::Holds(const BlobChange& change) {
  switch (change.kind) {
    case BlobChange::Kind::kPut:
    case BlobChange::Kind::kDelete:
      return Matches(change.key, change.condition);
    case BlobChange::Kind::kRequire:
      return Get(change.key)->has_value();
    case BlobChange::Kind::kRequireEmpty:
      return List(change.key, false)->empty();
    case BlobChange::Kind::kCopy:
    case BlobChange::Kind::kDeleteBelow:
      return true;
  }
  return false;
}

// No condition is about what another change of the same transaction does.
Result<std::vector<std::string>> SimTable::Commit(const std::vector<BlobChange>& changes) {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  if (!std::all_of(changes.begin(), changes.end(), [this](const BlobChange& change) { return Holds(change); })) {
    return Status(Code::kFailedPrecondition,
                  printable_url() + "/" + changes.front().key + ": a condition does not hold");
  }
  std::vector<std::string> tags;
  for (const BlobChange& change : changes) {
    std::string& tag = tags.emplace_back();
    switch (change.kind) {
      case BlobChange::Kind::kPut:
        tag = *Put(change.key, change.bytes, PutCondition::Always(), kType);
        break;
      case BlobChange::Kind::kCopy:
        (void)Copy(change.from, change.key);
        break;
      case BlobChange::Kind::kDelete:
        (void)Delete(change.key);
        break;
      case BlobChange::Kind::kDeleteBelow:
        for (const BlobInfo& info : *List(change.key, false)) (void)Delete(info.key);
        break;
      case BlobChange::Kind::kRequire:
      case BlobChange::Kind::kRequireEmpty:
        break;
    }
  }
  return tags;
}

Status SimTable::PutGuarded(const std::string& guard, const std::string& key, std::string_view bytes) {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  const Result<std::optional<Blob>> there = Get(key);
  if (*there && (*there)->bytes == bytes) return Status::Ok();
  if (*there || !*Get(guard)) return {Code::kAborted, guard + ": the lock was removed; stopping"};
  return Put(key, bytes, PutCondition::IfAbsent(), kType).status();
}

Result<std::unique_ptr<LivenessLock>> SimTable::HoldLiveness(const std::string& name) {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  return std::unique_ptr<LivenessLock>(std::make_unique<Sign>(alive_, name));
}

Result<bool> SimTable::IsLive(const std::string& name) {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  return alive_->count(name) > 0;
}

}  // namespace kingpost::simulation
