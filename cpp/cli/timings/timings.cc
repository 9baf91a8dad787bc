#include "cli/timings/timings.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace kingpost {

namespace {

using std::chrono::nanoseconds;

struct Row {
  Timings::Activity activity;
  const char* name;
};
constexpr Row kRows[] = {
    {Timings::Activity::kProviderCall, "provider calls"},
    {Timings::Activity::kSaving, "saving"},
    {Timings::Activity::kSlot, "waiting for a slot"},
    {Timings::Activity::kPlanning, "planning"},
    {Timings::Activity::kPlugins, "finding and starting plugins"},
    {Timings::Activity::kSdkStart, "start of the SDK"},
    {Timings::Activity::kProgram, "program"},
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

Timings::Span::Span(Timings* timings, Activity activity, std::string what)
    : timings_(timings), activity_(activity), what_(std::move(what)) {
  if (!timings_) return;
  timings_->Change(activity_, +1);
  begin_ = timings_->last_;
}

Timings::Span::Span(Span&& other) noexcept
    : timings_(std::exchange(other.timings_, nullptr)),
      activity_(other.activity_),
      what_(std::move(other.what_)),
      begin_(other.begin_) {}

void Timings::Span::End() {
  Timings* timings = std::exchange(timings_, nullptr);
  if (!timings) return;
  timings->Change(activity_, -1);
  timings->Add(activity_, what_, timings->last_ - begin_);
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

void Timings::Add(Activity activity, const std::string& what, nanoseconds duration) {
  const auto add = [duration](Sum* sum) {
    sum->total += duration;
    sum->longest = std::max(sum->longest, duration);
    ++sum->times;
  };
  add(&sums_[static_cast<size_t>(activity)]);
  if (activity == Activity::kProviderCall && !what.empty()) add(&calls_[what]);
}

void Timings::ProgramStarts() {
  program_ = Activity::kSdkStart;
  Change(program_, +1);
  program_since_ = last_;
}

void Timings::ProgramSpeaks() {
  if (program_ != Activity::kSdkStart) return;
  ProgramEnds();
  program_ = Activity::kProgram;
  Change(program_, +1);
  program_since_ = last_;
}

void Timings::ProgramEnds() {
  if (program_ == Activity::kRest) return;
  Change(program_, -1);
  Add(program_, "", last_ - program_since_);
  program_ = Activity::kRest;
}

std::string Timings::Table(const std::string& title) {
  Settle();
  std::string table =
      title + "\n" + Format("    %-30s %10s %10s %8s %10s\n", "", "seconds", "summed up", "times", "longest");
  for (const Row& row : kRows) {
    const size_t at = static_cast<size_t>(row.activity);
    table += Format("    %-30s %10.3f", row.name, Seconds(alone_[at]));
    if (const Sum& sum = sums_[at]; sum.times > 0) {
      table +=
          Format(" %10.3f %8lld %10.3f", Seconds(sum.total), static_cast<long long>(sum.times), Seconds(sum.longest));
    }
    table += "\n";
    if (row.activity != Activity::kProviderCall) continue;
    for (const auto& [name, sum] : calls_) {
      table += Format("      %-28s %10s %10.3f %8lld %10.3f\n", name.c_str(), "", Seconds(sum.total),
                      static_cast<long long>(sum.times), Seconds(sum.longest));
    }
  }
  table += Format("    %-30s %10.3f\n", "all", Seconds(last_ - begin_));
  return table + "    What overlaps counts for the first line that it belongs to; \"summed up\" counts all of it.\n";
}

}  // namespace kingpost
