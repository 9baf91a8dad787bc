// Where the wall time of an operation goes (--timings). Everything that takes time begins and ends a span; many
// overlap. Each moment counts for one activity alone, the first of this list that is under way:
//
//   provider calls, saving, waiting for a slot, planning, plugins, the SDK's start, the program, everything else
//
// so that these shares add up to the whole. Beside them stands the sum of all spans, which shows how much overlapped.
// Loop thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace kingpost {

class Timings {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Activity { kProviderCall, kSaving, kSlot, kPlanning, kPlugins, kSdkStart, kProgram, kRest };
  static constexpr size_t kActivities = 8;

  explicit Timings(std::function<Clock::time_point()> now = Clock::now);

  // One piece of work, for as long as it lives.
  class Span {
   public:
    Span(Timings* timings, Activity activity, std::string what = "");
    Span(Span&& other) noexcept;
    Span& operator=(Span&&) = delete;
    ~Span() { End(); }
    void End();

   private:
    Timings* timings_;
    Activity activity_;
    std::string what_;  // the operation of the provider: "Diff"
    Clock::time_point begin_;
  };

  // The program has been started, and has sent its first request. Until then its SDK is starting.
  void ProgramStarts();
  void ProgramSpeaks();
  void ProgramEnds();

  // The table, for the end of an operation. `title` is "Timings of the update".
  std::string Table(const std::string& title);

 private:
  struct Sum {
    std::chrono::nanoseconds total{0}, longest{0};
    int64_t times = 0;
  };

  void Settle();  // the time since the last change goes to what was under way
  void Change(Activity activity, int by);
  void Add(Activity activity, const std::string& what, std::chrono::nanoseconds duration);

  std::function<Clock::time_point()> now_;
  const Clock::time_point begin_;
  Clock::time_point last_;
  std::array<int64_t, kActivities> under_way_{};
  std::array<std::chrono::nanoseconds, kActivities> alone_{};
  std::array<Sum, kActivities> sums_{};
  std::map<std::string, Sum> calls_;    // of providers, by operation
  Activity program_ = Activity::kRest;  // kSdkStart or kProgram while it runs
  Clock::time_point program_since_;
};

}  // namespace kingpost
