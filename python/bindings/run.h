// SPDX-License-Identifier: Apache-2.0
// One operation on a thread of its own, begun from Python. Python waits in Python for a descriptor, and then asks for
// news. So signals reach it, no C++ function is on the stack of the waiting thread, and the operation needs no GIL to
// report.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bindings/fleet.h"
#include "bindings/host.h"
#include "bindings/session.h"
#include "bindings/wake_descriptor.h"
#include "kingpost/engine.h"
#include "operation/reason_log.h"

namespace kingpost::python {

struct RunSettings {
  OperationOptions options;
  std::map<std::string, ConfigValue> config;
  PythonParts parts;
  std::string project_folder;  // of the program, if it is not Python's
  std::string virtualenv;      // that this process runs in, or ""
  std::string import_json;     // what to import, as an import file says it
  bool protect_imports = false;
  std::string message;                // for the history
  bool wants_events = false;          // from the beginning
  std::shared_ptr<FleetBoard> fleet;  // that the stack is a member of, or null
  size_t member = 0;
};

struct RunOutcome {
  Status status;  // the first trouble: of the set-up, the operation, or saving
  OperationResult result;
  bool program_failed = false;
  std::vector<EngineEvent> events;
  std::shared_ptr<const Snapshot> snapshot;  // what is recorded now; null if nothing could be read
};

struct RunNews {
  std::vector<EngineEvent> events;  // since the last time, if they are wanted
  bool ended = false;
};

class Run {
 public:
  Run(std::shared_ptr<Session> session, RunSettings settings);  // begins
  ~Run();                                                       // waits for the end; not with the GIL held
  Run(const Run&) = delete;

  bool ended();
  void Cancel();
  void Terminate();
  void WantEvents();                                   // from now on
  int news_descriptor() const { return news_.get(); }  // readable: ask for the news
  RunNews TakeNews();
  const RunOutcome& outcome() const { return outcome_; }  // once it has ended

 private:
  void Work();
  Status Operate();
  Status FindProject();
  Status LoadProject(LoadedOperation* loaded);
  Status ReadImports(LoadedOperation* loaded);
  ConfigMap RecordedConfig(SecretsManager& secrets);
  void RunEngine(const LoadedOperation& loaded, Recorder* recorder);
  void Note(const EngineEvent& event);

  const std::shared_ptr<Session> session_;
  const RunSettings settings_;
  const std::shared_ptr<Loop> loop_ = std::make_shared<Loop>();
  Cancellation cancellation_{*loop_};
  Project project_;
  std::optional<StackConfig> stack_file_;  // of a project in a folder
  RunOutcome outcome_;
  ReasonLog reasons_;
  Listener listener_{[this](const EngineEvent& event) { Note(event); }};

  std::mutex mutex_;  // guards outcome_.events until the end, and what follows
  WakeDescriptor news_;
  bool done_ = false, wants_events_ = false;
  size_t told_ = 0;  // of outcome_.events
  std::thread thread_;
};

}  // namespace kingpost::python
