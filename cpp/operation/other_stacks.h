// SPDX-License-Identifier: Apache-2.0
// What other stacks of the store have recorded, for the stack references of a run. Each is read once, on a worker: its
// key takes a fair part of a second to derive, and the engine does other things meanwhile. Loop thread.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/loop.h"
#include "model/snapshot.h"
#include "operation/stack_context.h"

namespace kingpost {

class OtherStacks {
 public:
  using Loaded = Result<std::shared_ptr<const Snapshot>>;

  // `own`: the stack that the run is of. Names without a project are of `project`.
  OtherStacks(Loop& loop, StackContext own, std::string project);

  // By its name as a program writes it. kNotFound if there is none.
  Task<Loaded> Load(std::string typed);

 private:
  struct Reading {
    explicit Reading(Loop& loop) : done(loop) {}
    Event done;
    Loaded loaded = Status();
  };
  WorkerPool& workers();

  Loop& loop_;
  const StackContext own_;
  const std::string project_;
  std::map<std::string, std::shared_ptr<Reading>> readings_;  // by full name
  std::unique_ptr<WorkerPool> workers_;
};

}  // namespace kingpost
