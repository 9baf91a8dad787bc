// SPDX-License-Identifier: Apache-2.0
// The screen of an operation on many stacks: a row for each stack on a terminal, else lines that begin with the stack's
// name, or one report at the end. Any thread; one lock.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "console/display/masking.h"
#include "console/display/progress.h"
#include "console/display/sink_queue.h"

namespace kingpost {

enum class FleetPhase {
  kPending,    // its turn has not come
  kRunning,    // or being loaded
  kWaiting,    // reads a stack that is not done
  kUpdated,    // done, and something was changed, or would be
  kUnchanged,  // done
  kFailed,
  kSkipped,  // because of another, or of a lock
  kStopped   // by an interrupt
};

// How one stack ended.
struct FleetOutcome {
  FleetPhase phase = FleetPhase::kUnchanged;
  std::string why;                      // of one that failed, was skipped or stopped: one sentence, masked
  std::map<std::string, int> changes;   // op name → count
  std::chrono::milliseconds took{0};    // without what it waited
  std::chrono::milliseconds waited{0};  // for other stacks
  std::string began, ended;             // RFC 3339; "" of one that did not run
};

enum class FleetFormat { kText, kDiff, kMarkdown, kJson, kJsonEvents };

struct FleetScreenOptions {
  OperationKind kind = OperationKind::kUpdate;
  bool preview = false;
  ShowOptions show;
  FleetFormat format = FleetFormat::kText;
  bool live = false;  // standard output is a terminal
  bool color = false;
  int fd = 1;
  struct Stack {
    std::string name;  // "network/prod", as everywhere
    std::string project, stack;
    std::string folder;               // as the user would write it
    std::vector<std::string> reads;   // names of other members
    std::vector<size_t> comes_after;  // places of those that are to be over before it begins
  };
  std::vector<Stack> stacks;
  std::function<int()> interruptions = [] { return 0; };  // so far
};

class FleetScreen {
 public:
  virtual ~FleetScreen() = default;
  FleetScreen() = default;
  FleetScreen(const FleetScreen&) = delete;

  // For the events of one run of a stack.
  virtual std::unique_ptr<EventConsumer> Display(size_t stack, std::shared_ptr<const Masking> masking) = 0;
  virtual void Changed(size_t stack, FleetPhase phase, std::vector<std::string> waits_for) = 0;
  virtual void Ended(size_t stack, FleetOutcome outcome) = 0;
  // Lines about a stack, masked.
  virtual void Say(size_t stack, const std::string& text) = 0;
  // After the last. Nothing else is called then.
  virtual void Finish() = 0;
};

std::unique_ptr<FleetScreen> NewFleetScreen(FleetScreenOptions show);

}  // namespace kingpost
