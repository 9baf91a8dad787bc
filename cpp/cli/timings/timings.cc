// SPDX-License-Identifier: Apache-2.0
#include "cli/timings/timings.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace kingpost {

namespace {

using std::chrono::nanoseconds;

struct TimingRow {
  Timings::Activity activity;
  const char* name;
};
constexpr TimingRow kRows[] = {
    {Timings::Activity::kProviderCall, "provider calls"},
    {Timings::Activity::kSaving, "saving"},
    {Timings::Activity::kSlot, "waiting for a slot"},
    {Timings::Activity::kPlanning, "planning"},
    {Timings::Activity::kPlugins, "starting plugins"},
    {Timings::Activity::kSdkStart, "start of the SDK"},
    {Timings::Activity::kProgram, "program"},
    {Timings::Activity::kEarly, "plugins, begun early"},
    {Timings::Activity::kRest, "everything else"},
};

std::string Format(const char* format, auto... values) {
  char line[160];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

double Seconds(nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

Timings::Timings(std::function<Clock::time_point()> now) : now_(std::move(now)), begin_(now_()), last_(begin_) {}

Timings::Span::Span(Timings* timings, Activity activity, std::string what, std::string about) : timings_(timings) {
  if (!timings_) return;
  work_.activity = activity;
  work_.what = std::move(what);
  work_.about = std::move(about);
  timings_->Begin(&work_);
}

Timings::Span::Span(Span&& other) noexcept
    : timings_(std::exchange(other.timings_, nullptr)), work_(std::move(other.work_)) {}

void Timings::Span::End() {
  Timings* timings = std::exchange(timings_, nullptr);
  if (timings) timings->End(&work_);
}

void Timings::Settle() {
  const Clock::time_point now = now_();
  size_t current = 0;
  while (current + 1 < kActivities && under_way_[current] == 0) ++current;
  alone_[current] += now - last_;
  last_ = now;
}

void Timings::Change(Activity activity, int by) {
  Settle();
  under_way_[static_cast<size_t>(activity)] += by;
}

void Timings::Begin(Work* work) {
  Change(work->activity, +1);
  work->begin = last_;
  if (listener_) listener_(*work, false);
}

void Timings::End(Work* work) {
  Change(work->activity, -1);
  work->end = last_;
  const nanoseconds duration = work->end - work->begin;
  const auto add = [duration](Sum* sum) {
    sum->total += duration;
    sum->longest = std::max(sum->longest, duration);
    ++sum->times;
  };
  add(&sums_[static_cast<size_t>(work->activity)]);
  if (work->activity == Activity::kProviderCall && !work->what.empty()) add(&calls_[work->what]);
  if (listener_) listener_(*work, true);
}

void Timings::ProgramStarts() {
  program_.activity = Activity::kSdkStart;
  Begin(&program_);
}

void Timings::ProgramConnects() {
  if (program_.activity != Activity::kSdkStart) return;
  ProgramEnds();
  program_.activity = Activity::kProgram;
  Begin(&program_);
}

void Timings::ProgramEnds() {
  if (program_.activity == Activity::kRest) return;
  End(&program_);
  program_.activity = Activity::kRest;
}

const char* ActivityName(Timings::Activity activity) {
  for (const TimingRow& row : kRows) {
    if (row.activity == activity) return row.name;
  }
  return "";
}

std::string Timings::Table(const std::string& title) {
  Settle();
  // As wide as a narrow terminal, no wider.
  std::string table =
      title + "\n" + Format("    %-21s %8s %9s %5s %8s\n", "", "seconds", "summed up", "times", "longest");
  for (const TimingRow& row : kRows) {
    const size_t at = static_cast<size_t>(row.activity);
    table += Format("    %-21s %8.3f", row.name, Seconds(alone_[at]));
    if (const Sum& sum = sums_[at]; sum.times > 0) {
      table +=
          Format(" %9.3f %5lld %8.3f", Seconds(sum.total), static_cast<long long>(sum.times), Seconds(sum.longest));
    }
    table += '\n';
    if (row.activity != Activity::kProviderCall) continue;
    for (const auto& [name, sum] : calls_) {
      table += Format("      %-19s %8s %9.3f %5lld %8.3f\n", name.c_str(), "", Seconds(sum.total),
                      static_cast<long long>(sum.times), Seconds(sum.longest));
    }
  }
  table += Format("    %-21s %8.3f\n", "all", Seconds(last_ - begin_));
  return table + "    Overlapping time counts for the first line that it belongs to; \"summed up\" counts all of it.\n";
}

}  // namespace kingpost
