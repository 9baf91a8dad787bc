// SPDX-License-Identifier: Apache-2.0
// A bucket whose puts wait on their way until the test lets each of them arrive, in any order.
#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "remote/blob/blob_bucket.h"

namespace kingpost {

class HeldBucket : public BlobBucket {
 public:
  enum class Outcome { kStored, kRefused, kLostAnswer };
  using Late = std::function<Status()>;  // a put that arrives after all

  explicit HeldBucket(std::shared_ptr<BlobBucket> inner) : inner_(std::move(inner)) {}

  // From now on, puts whose key holds `part`.
  void Hold(const std::string& part) { part_ = part; }
  void AwaitHeld(size_t count) {
    std::unique_lock<std::mutex> lock(mutex_);
    REQUIRE(changed_.wait_for(lock, std::chrono::seconds(60), [&] { return held_.size() >= count; }));
  }
  // The put whose key ends in `number`; done when it is settled.
  void Release(int number, Outcome outcome) {
    std::unique_lock<std::mutex> lock(mutex_);
    HeldPut& put = held_.at(std::to_string(number).back());
    put.outcome = outcome;
    put.released = true;
    changed_.notify_all();
    REQUIRE(changed_.wait_for(lock, std::chrono::seconds(60), [&] { return put.done; }));
  }
  // Nothing arrives any more, neither what is held nor what comes; what is held may arrive late.
  std::vector<Late> CutOff() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Late> late;
    for (auto& [digit, put] : held_) {
      if (!put.released) late.push_back(put.arrive);
      put.released = true;
    }
    cut_ = true;
    changed_.notify_all();
    return late;
  }
  std::string KeyOf(int number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return held_.at(std::to_string(number).back()).key;
  }

  std::string printable_url() const override { return inner_->printable_url(); }
  Result<std::optional<Blob>> Get(const std::string& key) override {
    return cut() ? Result<std::optional<Blob>>(Gone()) : inner_->Get(key);
  }
  Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                          const std::string& content_type) override {
    const auto arrive = [inner = inner_, key, text = std::string(bytes), condition, content_type] {
      return inner->Put(key, text, condition, content_type).status();
    };
    std::unique_lock<std::mutex> lock(mutex_);
    if (cut_) return Gone();
    if (part_.empty() || key.find(part_) == std::string::npos) return inner_->Put(key, bytes, condition, content_type);
    HeldPut& put = held_[key.back()];
    put.key = key;
    put.arrive = arrive;
    changed_.notify_all();
    changed_.wait(lock, [&] { return put.released; });
    const Status arrived = cut_ || put.outcome == Outcome::kRefused ? Gone() : arrive();
    put.done = true;
    changed_.notify_all();
    if (!arrived.ok()) return arrived;
    return put.outcome == Outcome::kLostAnswer ? Result<std::string>(Gone()) : Result<std::string>("tag");
  }
  Status Copy(const std::string& from, const std::string& to) override {
    return cut() ? Gone() : inner_->Copy(from, to);
  }
  Status Delete(const std::string& key) override { return cut() ? Gone() : inner_->Delete(key); }
  Status DeleteIf(const std::string& key, const std::string& tag) override {
    return cut() ? Gone() : inner_->DeleteIf(key, tag);
  }
  Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) override {
    return cut() ? Result<std::vector<BlobInfo>>(Gone()) : inner_->List(prefix, one_level);
  }

 private:
  struct HeldPut {
    std::string key;
    Late arrive;
    Outcome outcome = Outcome::kStored;
    bool released = false, done = false;
  };
  static Status Gone() { return {Code::kUnavailable, "connection reset by peer"}; }
  bool cut() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return cut_;
  }

  const std::shared_ptr<BlobBucket> inner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string part_;
  bool cut_ = false;
  std::map<char, HeldPut> held_;  // by the last digit of the key
};

}  // namespace kingpost
