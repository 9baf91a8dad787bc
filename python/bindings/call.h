// SPDX-License-Identifier: Apache-2.0
// Calls of Python code from the engine. User code runs on threads of Python's own (kingpost/_pool.py), with no C++
// function on their stacks: it may hang, and the interpreter may end meanwhile.
//
//     engine thread ─▶ dispatcher: GIL for a moment, bridge.submit(method, request, answer) ─▶ a thread of Python
//           ▲                                                                                      │ answer.set({...})
//           └──────────────────────────── Completion ◀─────────────────────────────────────────────┘
//
// The answer is a dict, in which "error" stands for an exception of the user's code.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/loop.h"
#include "base/status.h"
#include "bindings/python_object.h"

namespace kingpost::python {

using MakeRequest = std::function<pybind11::dict()>;
using ReadAnswer = std::function<Status(const pybind11::dict& answer)>;

// A bridge answers with this object, once; later answers are dropped.
class Answer {
 public:
  Answer(ReadAnswer read, Completion<Status> done) : read_(std::move(read)), done_(std::move(done)) {}
  void Set(const pybind11::dict& answer);  // with the GIL
  void Fail(Status status);
  void
  Begin();  // the user's code runs from now on; until then the call waits for a thread, and is not late. Any thread
  bool settled() const { return settled_; }
  std::chrono::milliseconds LeftOf(std::chrono::milliseconds limit) const;

 private:
  using Clock = std::chrono::steady_clock;
  void Settle(Status status);

  std::atomic<bool> settled_{false};
  std::atomic<Clock::rep> begun_{0};  // of Clock; 0: not yet
  const ReadAnswer read_;
  const Completion<Status> done_;
};

struct PythonCall {
  SharedObject bridge;
  std::string method;
  int instance = 0;      // of a provider: each provider resource of a program has a configuration of its own
  MakeRequest request;   // with the GIL
  ReadAnswer read;       // with the GIL
  double timeout_s = 0;  // 0: as long as it takes
  std::string what;      // for the message when it took longer: "create of 'page'"
};

// Loop thread.
class PythonCalls {
 public:
  explicit PythonCalls(Loop& loop) : loop_(loop), dispatcher_(loop, 1) {}

  Task<Status> Call(PythonCall call);
  int NewInstance() { return ++instances_; }
  // Running calls are answered now, and later ones at once: kCancelled. Python goes on with it, unheard.
  void Abandon();

 private:
  struct Job {
    PythonCall call;
    std::shared_ptr<Answer> answer;
  };
  void Submit(Job job);
  void TellLost(const SharedObject& bridge);
  void Dispatch();
  static void Begin(const Job& job);

  Loop& loop_;
  bool abandoned_ = false;
  int next_ = 0, instances_ = 0;
  std::map<int, std::shared_ptr<Answer>> under_way_;

  std::mutex mutex_;
  std::vector<Job> jobs_;  // for the dispatcher; guarded by mutex_
  WorkerPool dispatcher_;  // last: it uses the others
};

// The failure that an answer with "error" tells, with what a partial one leaves behind. With the GIL.
Status FailureIn(const pybind11::dict& answer);

}  // namespace kingpost::python
