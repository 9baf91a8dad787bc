// SPDX-License-Identifier: Apache-2.0
// One operation on a thread of its own, begun from Python and waited for there, so that Python can react to signals in
// the meantime.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bindings/host.h"
#include "bindings/session.h"
#include "kingpost/engine.h"
#include "operation/reason_log.h"

namespace kingpost::python {

struct RunSettings {
  OperationOptions options;
  std::map<std::string, ConfigValue> config;
  PythonParts parts;
};

struct RunOutcome {
  Status status;  // the first trouble: of the set-up, the operation, or saving
  OperationResult result;
  std::vector<EngineEvent> events;
  std::shared_ptr<const Snapshot> snapshot;  // what is recorded now; null if nothing could be read
};

class Run {
 public:
  Run(std::shared_ptr<Session> session, RunSettings settings);  // begins
  ~Run();                                                       // waits for the end; not with the GIL held
  Run(const Run&) = delete;

  bool Wait(double seconds);  // true once it has ended
  void Cancel() { cancellation_.Cancel(); }
  void Terminate() { cancellation_.Terminate(); }
  const RunOutcome& outcome() const { return outcome_; }  // after Wait was true

 private:
  void Work();
  Status Operate();
  ConfigMap RecordedConfig(SecretsManager& secrets);
  void RunEngine(const OperationBasis& basis, Recorder* recorder);

  const std::shared_ptr<Session> session_;
  const RunSettings settings_;
  const std::shared_ptr<Loop> loop_ = std::make_shared<Loop>();
  Cancellation cancellation_{*loop_};
  RunOutcome outcome_;
  ReasonLog reasons_;
  Listener listener_{&outcome_.events};

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace kingpost::python
