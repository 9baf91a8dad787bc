// SPDX-License-Identifier: Apache-2.0
// Checks the displays of a running operation: what they print and when, on pipes and on terminals of several sizes.
#include "console/display/progress.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "console/display/display_setup.h"
#include "console/display/labels.h"
#include "console/display/live_region.h"
#include "console/display/row_tree.h"
#include "console/display/still_running.h"
#include "console/display/wait_reminder.h"

namespace kingpost::progress_test {

using display_setup::MakeState;
using display_setup::Step;
using std::chrono::seconds;

DiagnosticEvent Said(const std::string& text, const StatePtr& by = nullptr, Severity severity = Severity::kInfo) {
  DiagnosticEvent event;
  event.message = text + "\n";
  event.severity = severity;
  if (by) event.urn = by->urn;
  return event;
}

SummaryEvent Summary(const char* result = "succeeded") {
  SummaryEvent summary;
  summary.result = result;
  summary.duration_s = 1;
  return summary;
}

// A display that writes into a pipe, with a clock that the test sets.
class Stage {
 public:
  using Make = std::unique_ptr<EventConsumer> (*)(DisplayOptions);

  explicit Stage(Make make = NewPlainProgress, bool preview = false, ShowOptions show = {}) {
    REQUIRE(::pipe2(pipe_, O_NONBLOCK) == 0);
    DisplayOptions options;
    options.preview = preview;
    options.project = "site";
    options.stack = "dev";
    options.show = show;
    options.fd = pipe_[1];
    options.masking = std::make_shared<const Masking>();
    options.now = [this] { return now_; };
    options.waits = [this] { return wait_; };
    options.interruptions = [this] { return interruptions_; };
    display_ = make(std::move(options));
    Written();  // the title
  }
  ~Stage() {
    display_.reset();
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }

  void Play(const EngineEvent& event) {
    display_->Consume(event);
    display_->Pause();
  }
  void Begin(const StepMetadata& step) { Play(ResourcePreEvent{step, false}); }
  void End(const StepMetadata& step) { Play(ResourceOutputsEvent{step, false}); }
  void Pass(seconds time) {
    now_ += time;
    display_->Tick();
  }
  void Wait(std::chrono::milliseconds time) { now_ += time; }  // without a tick
  void Finish() { display_->Finish(); }
  void WaitFor(const std::string& what) { wait_ = kingpost::Wait{what, now_}; }
  void Interrupt() { ++interruptions_; }
  std::string Written() {
    std::string text;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(pipe_[0], buffer, sizeof buffer)) > 0;) text.append(buffer, got);
    return text;
  }

 private:
  int pipe_[2];
  std::chrono::steady_clock::time_point now_{};
  std::optional<kingpost::Wait> wait_;
  int interruptions_ = 0;
  std::unique_ptr<EventConsumer> display_;
};

TEST_CASE("reminders come after 10, 30 and 60 seconds, then every two minutes", "[cli][display]") {
  std::vector<long> moments;
  for (seconds at{0}; moments.size() < 6;) {
    at = NextReminder(at);
    moments.push_back(at.count());
  }
  CHECK(moments == std::vector<long>{10, 30, 60, 180, 300, 420});
  CHECK(NextReminder(seconds(65)) == seconds(180));
}

TEST_CASE("without a terminal each start, each end and each running step is a line", "[cli][display]") {
  Stage stage;
  const StepMetadata step = Step(StepOp::kCreate, nullptr, MakeState("db"));
  stage.Begin(step);
  CHECK(stage.Written() == " +  pkg:m:T db creating\n");
  stage.Pass(seconds(9));
  CHECK(stage.Written().empty());
  stage.Pass(seconds(1));
  CHECK(stage.Written() == " +  still creating db (10s)\n");
  stage.Pass(seconds(1));
  CHECK(stage.Written().empty());
  stage.Pass(seconds(230));
  CHECK(stage.Written() == " +  still creating db (4m)\n");
  stage.End(step);
  CHECK(stage.Written() == " +  pkg:m:T db created (4m1s)\n");
  stage.Pass(seconds(1000));
  CHECK(stage.Written().empty());
}

TEST_CASE(
    "on a terminal, lines name a service that does not answer, and the steps that an interrupted operation waits for",
    "[cli][display]") {
  Stage stage(NewTreeProgress);
  CHECK(IsLiveDisplayShown());
  const auto said = [&] { return StripAnsi(stage.Written()); };
  stage.WaitFor("https://states.example.com");
  stage.Pass(seconds(9));
  CHECK(said().find("waiting") == std::string::npos);
  stage.Pass(seconds(1));
  CHECK(said().find("still waiting for https://states.example.com to answer (10s)\n") != std::string::npos);
  stage.Pass(seconds(1));
  CHECK(said().find("waiting") == std::string::npos);
  stage.Interrupt();
  stage.Pass(seconds(1));
  CHECK(said().find("It waits for https://states.example.com to answer.\n") != std::string::npos);
  stage.WaitFor("another");
  stage.Pass(seconds(9));
  CHECK(said().find("waiting") == std::string::npos);
}

TEST_CASE("a reminder appears only after an answer is late", "[cli][display]") {
  WaitReminder reminder;
  const std::chrono::steady_clock::time_point begin{};
  const Wait wait{"a", begin};
  CHECK(reminder.Take(std::nullopt, begin + seconds(60)).empty());
  CHECK(reminder.Take(wait, begin + seconds(9)).empty());
  CHECK(reminder.Take(wait, begin + seconds(31)) == "still waiting for a to answer (31s)");
  CHECK(reminder.Take(wait, begin + seconds(59)).empty());
  CHECK_FALSE(reminder.Take(wait, begin + seconds(60)).empty());
}

TEST_CASE("a refresh is announced at its begin, and planned steps are not", "[cli][display]") {
  Stage stage(NewPlainProgress, true);
  stage.Begin(Step(StepOp::kRefresh, MakeState("db"), nullptr));
  CHECK(stage.Written() == " ~  pkg:m:T db refreshing\n");
  stage.Begin(Step(StepOp::kCreate, nullptr, MakeState("new")));
  CHECK(stage.Written().empty());
}

TEST_CASE("messages are printed at once, under the name of their resource, and only once", "[cli][display]") {
  Stage stage;
  const StatePtr db = MakeState("db");
  stage.Play(Said("hello"));
  CHECK(stage.Written() == "  pulumi:pulumi:Stack (site-dev):\n    hello\n");
  stage.Play(Said("two\n\nlines"));
  CHECK(stage.Written() == "    two\n\n    lines\n");
  stage.Play(Said("old", db, Severity::kWarning));
  CHECK(stage.Written() == "  pkg:m:T (db):\n    warning: old\n");
  stage.Play(Said("again"));
  CHECK(stage.Written() == "  pulumi:pulumi:Stack (site-dev):\n    again\n");
  stage.Play(Summary());
  stage.Finish();
  const std::string rest = stage.Written();
  CHECK(rest.find("hello") == std::string::npos);
  CHECK(rest.find("again") == std::string::npos);
  CHECK(rest.find("1 warning, see above") != std::string::npos);
}

TEST_CASE("a replacement is one row, and its halves are shown on request", "[cli][display]") {
  const StatePtr state = MakeState("a");
  StepMetadata create = Step(StepOp::kCreateReplacement, state, state);
  create.logical = false;
  StepMetadata remove = Step(StepOp::kDeleteReplaced, state, nullptr);
  remove.logical = false;
  const StepMetadata replace = Step(StepOp::kReplace, state, state);
  const auto play = [&](Stage* stage) {
    for (const StepMetadata& step : {create, replace, remove}) {
      stage->Begin(step);
      stage->End(step);
    }
    stage->Play(Summary());
    stage->Finish();
    const std::string text = stage->Written();
    return text.substr(0, text.find("\n\n") + 1);
  };
  Stage whole;
  CHECK(play(&whole) == " +- pkg:m:T a replacing\n +- pkg:m:T a replaced (0.00s)\n");
  Stage planned(NewPlainProgress, true);
  CHECK(play(&planned) == " +- pkg:m:T a replace\n");
  ShowOptions show;
  show.replacement_steps = true;
  Stage halves(NewPlainProgress, false, show);
  const std::string text = play(&halves);
  CHECK(text.find("++ pkg:m:T a created replacement") != std::string::npos);
  CHECK(text.find("-- pkg:m:T a deleted original") != std::string::npos);
}

TEST_CASE("the first half of a replacement that was cut short is shown", "[cli][display]") {
  Stage stage;
  const StatePtr state = MakeState("a");
  const StepMetadata create = Step(StepOp::kCreateReplacement, state, state);
  stage.Begin(create);
  stage.End(create);
  stage.Play(Summary("failed"));
  stage.Finish();
  CHECK(stage.Written().find(" +- pkg:m:T a created replacement (0.00s)\n") != std::string::npos);
}

TEST_CASE("a program that fails leaves a stack that failed", "[cli][display]") {
  Stage stage;
  const StatePtr root = MakeState("site-dev", {}, std::string(kRootStackType));
  stage.Begin(Step(StepOp::kCreate, nullptr, root));
  stage.Play(Said("Program failed with an unhandled exception:\nValueError: boom", nullptr, Severity::kError));
  stage.Play(Summary("failed"));
  stage.Finish();
  const std::string text = stage.Written();
  CHECK(text.find("site-dev **failed**") != std::string::npos);
  CHECK(text.find(" created") == std::string::npos);
  CHECK(text.find("    1 errored\n") != std::string::npos);
  CHECK(text.find("Diagnostics:\n  pulumi:pulumi:Stack (site-dev):\n    error: Program failed") != std::string::npos);
}

TEST_CASE("a heading whose text is on the lines below it ends with its colon", "[cli][display]") {
  Stage stage;
  stage.Play(
      Said("call to function 'm:index:f' failed: \n\t\t- property a has a problem: no", nullptr, Severity::kError));
  stage.Play(Summary("failed"));
  stage.Finish();
  CHECK(stage.Written().find("    error: call to function 'm:index:f' failed:\n    \t\t- property a") !=
        std::string::npos);
}

TEST_CASE("a failed run shows its stack as failed, whichever resource failed", "[cli][display]") {
  Stage stage;
  const StepMetadata root = Step(StepOp::kCreate, nullptr, MakeState("site-dev", {}, std::string(kRootStackType)));
  stage.Begin(root);
  stage.Play(Said("exit status 1", MakeState("default", {}, "pulumi:providers:pkg"), Severity::kError));
  stage.End(root);
  stage.Play(Summary("failed"));
  stage.Finish();
  const std::string text = stage.Written();
  CHECK(text.find("    pulumi:providers:pkg default **failed**; error: exit status 1\n") != std::string::npos);
  CHECK(text.find("site-dev **failed** (") != std::string::npos);
  CHECK(text.find("    2 errored\n") != std::string::npos);
}

TEST_CASE("a step that was running when the operation stopped is shown as interrupted", "[cli][display]") {
  Stage stage;
  stage.Begin(Step(StepOp::kCreate, nullptr, MakeState("db")));
  stage.Play(Summary("canceled"));
  stage.Finish();
  CHECK(stage.Written().find("db **creating interrupted**") != std::string::npos);
}

TEST_CASE("outputs have marks only where there were others before", "[cli][display]") {
  const auto outputs_of = [](StatePtr old_state, const char* result, bool preview) {
    Stage stage(NewPlainProgress, preview);
    State root = *MakeState("site-dev", {}, std::string(kRootStackType));
    root.outputs = {{"same", "s"}, {"url", "new"}};
    const StatePtr new_state = std::make_shared<const State>(root);
    const StepMetadata step = Step(old_state ? StepOp::kSame : StepOp::kCreate, old_state, new_state);
    stage.Begin(step);
    stage.End(step);
    stage.Play(Summary(result));
    stage.Finish();
    const std::string text = stage.Written();
    const size_t begin = text.find("Outputs:\n");
    return begin == std::string::npos ? "" : text.substr(begin + 9, text.find("\n\n", begin) - begin - 8);
  };
  State old_root = *MakeState("site-dev", {}, std::string(kRootStackType));
  old_root.outputs = {{"same", "s"}, {"url", "old"}};
  const StatePtr old_state = std::make_shared<const State>(old_root);
  CHECK(outputs_of(nullptr, "succeeded", false) == "    same: \"s\"\n    url : \"new\"\n");
  CHECK(outputs_of(old_state, "succeeded", false) == "    same: \"s\"\n  ~ url : \"old\" => \"new\"\n");
  CHECK(outputs_of(old_state, "succeeded", true) == "  ~ url : \"old\" => \"new\"\n");
  CHECK(outputs_of(old_state, "failed", false) == "    same: \"s\"\n  ~ url : \"old\" => \"new\"\n");
}

TEST_CASE("outputs that a failed program did not register again are shown as they are recorded", "[cli][display]") {
  State root = *MakeState("site-dev", {}, std::string(kRootStackType));
  root.outputs = {{"url", "old"}};
  const StatePtr old_state = std::make_shared<const State>(root);
  root.outputs = {};
  Stage stage(NewPlainProgress);
  stage.Begin(Step(StepOp::kSame, old_state, std::make_shared<const State>(root)));
  stage.Play(Said("boom", nullptr, Severity::kError));
  stage.Play(Summary("failed"));
  stage.Finish();
  CHECK(stage.Written().find("Outputs:\n    url: \"old\"\n") != std::string::npos);
}

TEST_CASE("a run that fails before it has a stack counts as one that failed", "[cli][display]") {
  Stage stage(NewPlainProgress);
  stage.Play(Said("no packages", nullptr, Severity::kError));
  stage.Play(Summary("failed"));
  stage.Finish();
  CHECK(stage.Written().find("    1 errored\n") != std::string::npos);
}

TEST_CASE("on a terminal, messages are printed above the rows at once", "[cli][display]") {
  Stage stage(NewTreeProgress);
  stage.Begin(Step(StepOp::kCreate, nullptr, MakeState("db")));
  CHECK(stage.Written().empty());  // rows are drawn with the next tick
  stage.Play(Said("hello"));
  const std::string frame = stage.Written();
  const size_t said = frame.find("    hello\n"), row = frame.find("db"), counts = frame.find("1 running");
  CHECK(said < row);
  CHECK(row < counts);
  stage.Play(Said("more"));
  CHECK(stage.Written().empty());  // of what comes close together, with the next frame
  stage.Wait(std::chrono::milliseconds(80));
  stage.Play(Said("much more"));
  const std::string next = stage.Written();
  CHECK(next.rfind("\x1b[4A\r\x1b[J    more\n    much more\n", 0) == 0);
  CHECK(next.find("Type     Name  Status") != std::string::npos);
  stage.Play(Summary());
  stage.Finish();
  CHECK(stage.Written().find("hello") == std::string::npos);
}

TEST_CASE("a frame is no larger than the screen, however many steps run", "[cli][display]") {
  Stage stage(NewTreeProgress);
  size_t frames = 0, longest = 0;
  for (int i = 0; i < 3000; ++i) {
    const StepMetadata step = Step(StepOp::kCreate, nullptr, MakeState("r" + std::to_string(i)));
    stage.Begin(step);
    stage.Play(Said("about " + std::to_string(i), step.new_state));
    if (i % 3 > 0) stage.End(step);
    stage.Wait(std::chrono::milliseconds(1));
    const std::string frame = stage.Written();
    frames += frame.empty() ? 0 : 1;
    longest = std::max(longest, frame.size());
  }
  CHECK(frames <= 3000 / 80 + 1);
  CHECK(longest < 80 * 24 * 8);  // what was said since the last frame, and a screen
  stage.Pass(seconds(1));
  const std::string last = stage.Written();
  CHECK(last.find("1000 running, 2000 done, 0 unchanged, 2981 not shown") != std::string::npos);
  CHECK(last.find(" r0 ") != std::string::npos);  // what runs longest
}

TEST_CASE("a terminal that became narrower is cleared of the folded lines", "[cli][display]") {
  int pipe[2];
  REQUIRE(::pipe2(pipe, O_NONBLOCK) == 0);
  Output output(pipe[1]);
  LiveRegion region(&output);
  region.Draw("", {std::string(70, 'x'), "y"}, {80, 24});
  CHECK(region.IsDrawnFor({80, 24}));
  CHECK_FALSE(region.IsDrawnFor({40, 24}));
  // The first line stands in two rows of 40 columns.
  CHECK(region.Erase({40, 24}) == "\x1b[3A\r\x1b[J");
  CHECK(region.Erase({40, 24}).empty());
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST_CASE("rows are a table that fits its terminal", "[cli][display]") {
  Masking masking;
  DisplayRows rows({}, true, &masking, "site-dev");
  const auto add = [&](const StatePtr& state) {
    rows.Apply(ResourcePreEvent{Step(StepOp::kCreate, nullptr, state), true}, {});
    rows.Apply(ResourceOutputsEvent{Step(StepOp::kCreate, nullptr, state), true}, {});
  };
  const StatePtr root = MakeState("site-dev", {}, std::string(kRootStackType));
  add(root);
  add(MakeState("web", {}, "kubernetes:networking.k8s.io/v1:Ingress", root->urn.str()));
  add(MakeState("資料", {}, "aws:s3/bucket:Bucket", root->urn.str()));
  const auto tree = TreeOf(rows, [](const DisplayRow&) { return true; });
  const std::vector<std::string> wide = TableLines(rows, tree, {100, true}, {}, Painter(false));
  REQUIRE(wide.size() == 3);
  CHECK(wide[0] == " +  pulumi:pulumi:Stack                         site-dev  create");
  CHECK(wide[1] == " +  ├─ kubernetes:networking.k8s.io/v1:Ingress  web       create");
  CHECK(wide[2] == " +  └─ aws:s3:Bucket                            資料      create");
  const std::vector<std::string> titled = TableLines(rows, tree, {100, true, "Plan"}, {}, Painter(false));
  CHECK(titled[0] == "    Type                                        Name      Plan");
  CHECK(TableLines(rows, {}, {100, true, "Plan"}, {}, Painter(false)).empty());
  for (int columns = 30; columns < 100; ++columns) {
    for (const std::string& line : TableLines(rows, tree, {columns, true, "Plan"}, {}, Painter(true))) {
      REQUIRE(DisplayWidth(line) < columns);
    }
  }
  CHECK(RoundDuration(seconds(3725)) == "1h2m");
}

}  // namespace kingpost::progress_test
