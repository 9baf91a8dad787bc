// SPDX-License-Identifier: Apache-2.0
// A file in memory that fails when told to, and crashes as a disk does: what was not synced is lost, torn or reordered.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "journal/journal_file.h"

namespace kingpost::testing {

// Outlives the file that the journal owns, so that a test can look at it.
class FaultyDisk {
 public:
  int fail_write = 0;  // the Nth write fails after half its bytes; 0: none
  int fail_sync = 0;   // the Nth sync fails
  uint64_t capacity = ~uint64_t{0};
  std::function<void()> before_sync;  // writer thread

  Status Write(uint64_t offset, std::string_view bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool fails = ++writes_ == fail_write;
    if (fails) bytes = bytes.substr(0, bytes.size() / 2);
    unsynced_.push_back({offset, std::string(bytes)});
    return fails ? Status(Code::kUnavailable, "disk: write: Input/output error") : Status::Ok();
  }

  Status Sync() {
    if (before_sync) before_sync();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (++syncs_ == fail_sync) return Status(Code::kUnavailable, "disk: sync: Input/output error");
    for (const Patch& patch : unsynced_) Put(patch, &synced_);
    unsynced_.clear();
    return Status::Ok();
  }

  Status Reserve(uint64_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (size > capacity) return Status(Code::kResourceExhausted, "disk: reserve space: No space left on device");
    reserved_ = std::max(reserved_, size);
    return Status::Ok();
  }

  // The content that a read finds as long as the machine runs.
  std::string Bytes() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::string bytes = synced_;
    for (const Patch& patch : unsynced_) Put(patch, &bytes);
    bytes.resize(std::max<size_t>(bytes.size(), reserved_));
    return bytes;
  }

  // The content after a power cut: the synced bytes, and any 64-byte pieces of the unsynced writes.
  std::string AfterCrash(std::mt19937& random) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::string bytes = synced_;
    for (const Patch& patch : unsynced_) {
      for (size_t at = 0; at < patch.bytes.size(); at += 64) {
        if (random() % 2) Put({patch.offset + at, patch.bytes.substr(at, 64)}, &bytes);
      }
    }
    return bytes;
  }

  int syncs() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return syncs_;
  }
  int writes() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return writes_;
  }

 private:
  struct Patch {
    uint64_t offset;
    std::string bytes;
  };
  static void Put(const Patch& patch, std::string* bytes) {
    bytes->resize(std::max<size_t>(bytes->size(), patch.offset + patch.bytes.size()));
    bytes->replace(patch.offset, patch.bytes.size(), patch.bytes);
  }

  std::mutex mutex_;
  std::string synced_;
  std::vector<Patch> unsynced_;
  uint64_t reserved_ = 0;
  int writes_ = 0, syncs_ = 0;
};

class FaultyFile : public JournalFile {
 public:
  explicit FaultyFile(FaultyDisk* disk) : disk_(disk) {}
  Status Write(uint64_t offset, std::string_view bytes) override { return disk_->Write(offset, bytes); }
  Status Sync() override { return disk_->Sync(); }
  Status Reserve(uint64_t size) override { return disk_->Reserve(size); }

 private:
  FaultyDisk* const disk_;
};

// Holds a thread until the gate is opened.
class Gate {
 public:
  void Pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void WaitForSomeone() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }
  void Open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

}  // namespace kingpost::testing
