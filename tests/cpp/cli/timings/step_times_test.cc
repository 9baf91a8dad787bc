// SPDX-License-Identifier: Apache-2.0
// Checks which steps are the slowest, which chain determines how long the operation took, and how both are printed.
#include "cli/timings/step_times.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/timings/timings_file.h"
#include "console/display/display_setup.h"

namespace kingpost::step_times_test {

using std::chrono::milliseconds;

// Steps as they begin and end, on a clock of their own.
class Run {
 public:
  Run() : times_([this] { return now_; }) {}

  StepMetadata Begin(StepOp op, const std::string& name, const std::vector<std::string>& needs = {}) {
    State state = *display_setup::MakeState(name);
    for (const std::string& other : needs) state.dependencies.push_back(display_setup::MakeState(other)->urn);
    const auto shared = std::make_shared<const State>(std::move(state));
    const bool removes = op == StepOp::kDelete;
    const StepMetadata step = display_setup::Step(op, removes ? shared : nullptr, removes ? nullptr : shared);
    times_.Emit(ResourcePreEvent{step, false});
    return step;
  }
  void Pass(int time_ms) { now_ += milliseconds(time_ms); }
  void End(const StepMetadata& step) { times_.Emit(ResourceOutputsEvent{step, false}); }
  void Fail(const StepMetadata& step) {
    ResourceFailedEvent event;
    event.metadata = step;
    times_.Emit(event);
  }
  std::vector<TimedStep> Steps() const { return times_.Steps(); }

 private:
  StepTimes::Clock::time_point now_{};
  StepTimes times_;
};

std::vector<std::string> Names(const std::vector<TimedStep>& steps, const std::vector<size_t>& places) {
  std::vector<std::string> names;
  for (const size_t i : places) names.emplace_back(steps[i].urn.name());
  return names;
}

// lane 1   |-- network --|---- db ----|- web -|
// lane 2   |- bucket -|
std::vector<TimedStep> Site() {
  Run run;
  const StepMetadata network = run.Begin(StepOp::kCreate, "network");
  const StepMetadata bucket = run.Begin(StepOp::kCreate, "bucket");
  run.Pass(200);
  run.End(bucket);
  run.Pass(100);
  run.End(network);
  const StepMetadata db = run.Begin(StepOp::kCreate, "db", {"network"});
  run.Pass(900);
  run.End(db);
  const StepMetadata web = run.Begin(StepOp::kCreate, "web", {"bucket", "db"});
  run.Pass(50);
  run.Fail(web);
  return run.Steps();
}

TEST_CASE("the critical path is the chain in which each waited for the one before", "[timings]") {
  const std::vector<TimedStep> steps = Site();
  CHECK(Names(steps, CriticalPath(steps)) == std::vector<std::string>{"network", "db", "web"});
  CHECK(Names(steps, SlowestSteps(steps, 2)) == std::vector<std::string>{"db", "network"});
  CHECK(StepTimesText(steps).rfind("Critical path, 1s: each step waited for the one before\n"
                                   "         0.300  network created (pkg:m:T)\n",
                                   0) == 0);
  CHECK(StepTimesText({}).empty());
  CHECK(CriticalPath({}).empty());
}

TEST_CASE("a delete waits for the deletes of its dependents", "[timings]") {
  Run run;
  const StepMetadata web = run.Begin(StepOp::kDelete, "web", {"db"});
  run.Pass(10);
  run.End(web);
  const StepMetadata db = run.Begin(StepOp::kDelete, "db");
  run.Pass(10);
  run.End(db);
  const std::vector<TimedStep> steps = run.Steps();
  CHECK(Names(steps, CriticalPath(steps)) == std::vector<std::string>{"web", "db"});
}

TEST_CASE("no two steps of a lane overlap, and there are no more lanes than ran at once", "[timings]") {
  Run run;
  std::vector<StepMetadata> open;
  for (int i = 0; i < 60; ++i) {
    open.push_back(run.Begin(StepOp::kCreate, "r" + std::to_string(i)));
    run.Pass(1 + i % 7);
    if (open.size() < 4) continue;
    run.End(open[static_cast<size_t>(i) % 4]);
    open.erase(open.begin() + i % 4);
  }
  const std::vector<TimedStep> steps = run.Steps();  // three of them have not ended
  for (size_t i = 0; i < steps.size(); ++i) {
    CHECK((steps[i].lane >= 1 && steps[i].lane <= 4));
    for (size_t k = i + 1; k < steps.size(); ++k) {
      const bool overlap = steps[k].begin < steps[i].end && steps[i].begin < steps[k].end;
      CHECK_FALSE((overlap && steps[k].lane == steps[i].lane));
    }
  }
}

TEST_CASE("sames and logical replaces are not listed as steps", "[timings]") {
  Run run;
  run.End(run.Begin(StepOp::kSame, "same"));
  run.End(run.Begin(StepOp::kReplace, "whole"));
  CHECK(run.Steps().empty());
}

TEST_CASE("the trace gives each step its lane and times, and the page escapes names", "[timings]") {
  const std::vector<TimedStep> steps = Site();
  const auto trace = nlohmann::json::parse(TimingsTrace("Timings of the update", steps));
  std::vector<nlohmann::json> spans;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] == "X") spans.push_back(event);
  }
  REQUIRE(spans.size() == 4);
  CHECK(spans[2]["name"] == "db creating");
  CHECK(spans[2]["ts"] == 300000);
  CHECK(spans[2]["dur"] == 900000);
  CHECK(spans[2]["tid"] == 1);
  CHECK(spans[1]["args"]["critical"] == false);
  CHECK(spans[3]["args"]["outcome"] == "failed");

  Run run;
  run.End(run.Begin(StepOp::kCreate, "<b>\"x\""));
  const std::string page = TimingsPage("Timings of the update", run.Steps());
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("\\u003cb>") != std::string::npos);
  CHECK(page.find("http") == std::string::npos);
  CHECK(CheckTimingsFile("a.html").ok());
  CHECK_FALSE(CheckTimingsFile("a.txt").ok());
}

}  // namespace kingpost::step_times_test
