// SPDX-License-Identifier: Apache-2.0
#include "cli/timings/step_times.h"

#include <algorithm>
#include <cstdio>
#include <queue>

#include "console/display/labels.h"
#include "model/references.h"

namespace kingpost {

namespace {

using std::chrono::microseconds;

constexpr size_t kSlowestShown = 5;
constexpr size_t kPathShown = 20;

// Components do nothing of their own, and the halves of a replacement stand for the whole.
bool TakesTime(const StepMetadata& step) {
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  return state && state->custom && !step.internal && step.op != StepOp::kSame && step.op != StepOp::kReplace;
}

std::string KeyOf(const StepMetadata& step) { return StepOpName(step.op) + (" " + step.urn.str()); }

// Each step takes the first lane that is free when it begins.
void AssignLanes(std::vector<TimedStep>* steps) {
  using Busy = std::pair<microseconds, int>;  // until when, which lane
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  std::priority_queue<int, std::vector<int>, std::greater<>> free;
  int lanes = 0;
  for (TimedStep& step : *steps) {
    for (; !busy.empty() && busy.top().first <= step.begin; busy.pop()) free.push(busy.top().second);
    step.lane = free.empty() ? ++lanes : free.top();
    if (!free.empty()) free.pop();
    busy.push({step.end, step.lane});
  }
}

// Which steps belong to resources that name each other, in either direction: creates wait for what they need, deletes
// for what needs them.
class Neighbours {
 public:
  explicit Neighbours(const std::vector<TimedStep>& steps) : steps_(steps) {
    for (size_t i = 0; i < steps.size(); ++i) {
      of_urn_[steps[i].urn].push_back(i);
      for (const Urn& other : steps[i].others) naming_[other].push_back(i);
    }
  }

  // The one that ended last before this step began; its own place if there is none.
  size_t LastBefore(size_t at) const {
    size_t best = at;
    const auto consider = [&](const std::unordered_map<Urn, std::vector<size_t>>& places, const Urn& urn) {
      const auto found = places.find(urn);
      if (found == places.end()) return;
      for (const size_t i : found->second) {
        const bool before = i != at && steps_[i].end <= steps_[at].begin;
        if (before && (best == at || steps_[i].end > steps_[best].end)) best = i;
      }
    };
    consider(of_urn_, steps_[at].urn);
    consider(naming_, steps_[at].urn);
    for (const Urn& other : steps_[at].others) consider(of_urn_, other);
    return best;
  }

 private:
  const std::vector<TimedStep>& steps_;
  std::unordered_map<Urn, std::vector<size_t>> of_urn_, naming_;
};

std::string StepLine(const TimedStep& step) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%10.3f  ", std::chrono::duration<double>(step.duration()).count());
  const StepLabel& label = LabelOf(step.op);
  const char* word = step.ended ? label.done : label.doing;
  return "    " + std::string(seconds) + Printable(step.urn.name()) + " " + (step.failed ? "failed" : word) + " (" +
         Printable(step.type) + ")\n";
}

}  // namespace

microseconds StepTimes::Now() const { return std::chrono::duration_cast<microseconds>(now_() - began_); }

void StepTimes::Emit(const EngineEvent& event) {
  if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) Begin(pre->metadata);
  if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) End(outputs->metadata, false);
  if (const auto* failed = std::get_if<ResourceFailedEvent>(&event)) End(failed->metadata, true);
}

void StepTimes::Begin(const StepMetadata& step) {
  if (!TakesTime(step)) return;
  open_[KeyOf(step)] = steps_.size();
  TimedStep timed;
  timed.op = step.op;
  timed.urn = step.urn;
  timed.type = step.type;
  timed.begin = Now();
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  ForEachReference(*state, [&](ReferenceKind, const Urn& urn, const std::string&) { timed.others.push_back(urn); });
  steps_.push_back(std::move(timed));
}

// A refresh ends as what it has found, so the step that is open may have another name.
void StepTimes::End(const StepMetadata& step, bool failed) {
  auto found = open_.find(KeyOf(step));
  if (found == open_.end()) {
    StepMetadata refresh;
    refresh.op = StepOp::kRefresh;
    refresh.urn = step.urn;
    found = open_.find(KeyOf(refresh));
  }
  if (found == open_.end()) return;
  TimedStep& timed = steps_[found->second];
  timed.end = Now();
  timed.ended = true;
  timed.failed = failed;
  open_.erase(found);
}

std::vector<TimedStep> StepTimes::Steps() const {
  std::vector<TimedStep> steps = steps_;
  for (TimedStep& step : steps) {
    if (!step.ended) step.end = Now();
  }
  AssignLanes(&steps);
  return steps;
}

std::vector<size_t> CriticalPath(const std::vector<TimedStep>& steps) {
  if (steps.empty()) return {};
  const auto ends_earlier = [](const TimedStep& a, const TimedStep& b) { return a.end < b.end; };
  const Neighbours neighbours(steps);
  std::vector<size_t> path = {
      static_cast<size_t>(std::max_element(steps.begin(), steps.end(), ends_earlier) - steps.begin())};
  // Steps of no length could wait for one another.
  while (path.size() <= steps.size()) {
    const size_t before = neighbours.LastBefore(path.back());
    if (std::find(path.begin(), path.end(), before) != path.end()) break;
    path.push_back(before);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<size_t> SlowestSteps(const std::vector<TimedStep>& steps, size_t count) {
  std::vector<size_t> places(steps.size());
  for (size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::stable_sort(places.begin(), places.end(),
                   [&](size_t a, size_t b) { return steps[a].duration() > steps[b].duration(); });
  places.resize(std::min(places.size(), count));
  return places;
}

std::string StepTimesText(const std::vector<TimedStep>& steps) {
  if (steps.empty()) return "";
  const std::vector<size_t> path = CriticalPath(steps);
  const double whole = std::chrono::duration<double>(steps[path.back()].end - steps[path.front()].begin).count();
  std::string text = "Critical path, " + ShortDuration(whole) + ": each step waited for the one before\n";
  const size_t first = path.size() > kPathShown ? path.size() - kPathShown : 0;
  if (first > 0) text += "    … " + std::to_string(first) + " earlier steps\n";
  for (size_t i = first; i < path.size(); ++i) text += StepLine(steps[path[i]]);
  text += "Slowest\n";
  for (const size_t i : SlowestSteps(steps, kSlowestShown)) text += StepLine(steps[i]);
  return text;
}

}  // namespace kingpost
