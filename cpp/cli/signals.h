// SIGINT, SIGTERM and SIGHUP while an operation runs: the first asks it to finish what is in flight and stop, the
// second to stop now. If even that takes too long the process ends; its journal tells the next command what was under
// way.
//
// The handler only writes to a pipe; a thread reads it. One object at a time.
#pragma once

#include <thread>

#include "kingpost/engine.h"

namespace kingpost {

class OperationSignals {
 public:
  explicit OperationSignals(Cancellation& cancellation);
  ~OperationSignals();  // the former handlers are back
  OperationSignals(const OperationSignals&) = delete;

 private:
  void Watch();

  Cancellation& cancellation_;
  int pipe_[2] = {-1, -1};
  std::thread watcher_;
};

}  // namespace kingpost
