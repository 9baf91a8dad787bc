// SPDX-License-Identifier: Apache-2.0
// Commands on a stack that several machines share, as far as the store takes part.
#pragma once

#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>

#include "kingpost/state_store.h"
#include "remote/blob/blob_bucket.h"
#include "store/blob_store.h"

namespace kingpost::simulation {

// The resources that the store has acknowledged to commands, by name.
class Told {
 public:
  void Acknowledge(const std::string& name);
  // A command is about to delete these: from now on either outcome is right.
  void Doubt(const std::set<std::string>& names);
  std::set<std::string> certain() const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> certain_, doubted_;
};

class SharedCommand {
 public:
  // `other`: where it migrates to.
  SharedCommand(std::shared_ptr<BlobBucket> bucket, std::shared_ptr<BlobBucket> other, unsigned seed, std::string name,
                Told* told);

  Status Run(const std::string& kind);

  // Takes the stack, and what was left of it; gives the names of its resources.
  struct Taken {
    std::unique_ptr<StackLock> lock;
    StackDocument document;
    std::set<std::string> names;
    bool recovered = false;
  };
  Result<Taken> Take(const StackName& stack);

  bool took() const { return took_; }
  int acknowledged() const { return acknowledged_; }
  bool recovered() const { return recovered_; }
  bool took_over() const { return took_over_; }

 private:
  Status Init();
  Status Up();
  Status Import();
  Status Rollback();
  Status Remove();
  Status Rename();
  Status Migrate();
  Status Tag();
  Status Cancel();
  Status Save(Taken& taken, const StackName& stack, const std::set<std::string>& names);
  StackName Pick();

  const std::shared_ptr<BlobBucket> bucket_, other_;
  BlobStore store_;
  std::mt19937 random_;
  const std::string name_;
  Told* const told_;
  bool took_ = false, recovered_ = false, took_over_ = false;
  int acknowledged_ = 0;
};

extern const StackName kSharedStacks[2];

}  // namespace kingpost::simulation
