// SPDX-License-Identifier: Apache-2.0
// Where the wall time of an operation goes (--timings). Everything that takes time begins and ends a span; many
// overlap. Each moment counts for one activity alone, the first of this list that is under way:
//
//   provider calls, saving, waiting for a slot, planning, plugins, the SDK's start, the program, plugins that are begun
//   before anybody asks for them, everything else
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
  enum class Activity { kProviderCall, kSaving, kSlot, kPlanning, kPlugins, kSdkStart, kProgram, kEarly, kRest };
  static constexpr size_t kActivities = 9;

  explicit Timings(std::function<Clock::time_point()> now = Clock::now);

  // A piece of work, for those who listen.
  struct Work {
    Activity activity = Activity::kRest;
    std::string what;   // the operation of the provider, the request of the program: "Diff"
    std::string about;  // a URN, a token, a package
    std::string failure;
    Clock::time_point begin, end;
  };
  // Told of each piece of work when it begins, and again when it has ended.
  using Listener = std::function<void(const Work& work, bool ended)>;
  void set_listener(Listener listener) { listener_ = std::move(listener); }
  bool has_listener() const { return listener_ != nullptr; }

  // One piece of work, for as long as it lives. `about` is for the listener alone.
  class Span {
   public:
    Span(Timings* timings, Activity activity, std::string what = "", std::string about = "");
    Span(Span&& other) noexcept;
    Span& operator=(Span&&) = delete;
    ~Span() { End(); }
    void End();
    void Fail(std::string why) { work_.failure = std::move(why); }

   private:
    Timings* timings_;
    Work work_;
  };

  // The program has been started, and has sent its first request. Until then its SDK is starting.
  void ProgramStarts();
  void ProgramConnects();
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
  void Begin(Work* work);
  void End(Work* work);

  std::function<Clock::time_point()> now_;
  const Clock::time_point begin_;
  Clock::time_point last_;
  std::array<int64_t, kActivities> under_way_{};
  std::array<std::chrono::nanoseconds, kActivities> alone_{};
  std::array<Sum, kActivities> sums_{};
  std::map<std::string, Sum> calls_;  // of providers, by operation
  Work program_;                      // kSdkStart or kProgram while it runs
  Listener listener_;
};

// "provider calls", as the table has it.
const char* ActivityName(Timings::Activity activity);

}  // namespace kingpost
