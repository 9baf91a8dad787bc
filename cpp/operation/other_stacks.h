// SPDX-License-Identifier: Apache-2.0
// The records of other stacks of the store, for the stack references of a run. Each is read once, on a worker: its key
// takes a fair part of a second to derive, and the engine does other things meanwhile. The key is asked for only if
// what is read holds secrets; those that it does not open stay sealed. Loop thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/loop.h"
#include "kingpost/engine.h"
#include "model/snapshot.h"
#include "operation/stack_context.h"

namespace kingpost {

class OtherStacks {
 public:
  using Loaded = Result<std::shared_ptr<const Snapshot>>;

  // `own`: the stack that the run is of. Names without a project are of `project`.
  OtherStacks(Loop& loop, StackContext own, std::string project);

  // By its name as a program writes it. kNotFound if there is none.
  Task<Loaded> Load(std::string typed, StackPart part);

 private:
  struct Reading {
    explicit Reading(Loop& loop) : done(loop) {}
    Event done;
    Loaded loaded = Status();
  };
  // Runs the work unless that was done for the entry before; others wait for it.
  Task<Loaded> Once(std::shared_ptr<Reading>* entry, std::function<Loaded()> work);
  WorkerPool& workers();

  Loop& loop_;
  const StackContext own_;
  const std::string project_;
  std::map<std::string, std::shared_ptr<Reading>> sealed_;                           // by full name
  std::map<std::pair<std::string, StackPart>, std::shared_ptr<Reading>> decrypted_;  // for those that hold secrets
  std::unique_ptr<WorkerPool> workers_;
};

}  // namespace kingpost
