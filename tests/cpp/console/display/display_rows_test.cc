// SPDX-License-Identifier: Apache-2.0
// Feeds displays with sequences of events, and checks the rows, their words, and what never reaches a terminal.
#include "console/display/display_rows.h"

#include <catch2/catch.hpp>

#include "console/display/diff.h"
#include "console/display/display_setup.h"
#include "console/display/labels.h"
#include "console/display/progress.h"
#include "console/display/value_text.h"

namespace kingpost::rows_test {

using display_setup::MakeState;
using display_setup::Step;

const DisplayClock::time_point kStart{};

class Fixture {
 public:
  explicit Fixture(bool preview = false, ShowOptions show = {}) : rows_(show, preview, &masking_) {}

  RowChange Begin(const StepMetadata& step) { return rows_.Apply(ResourcePreEvent{step, false}, kStart); }
  RowChange End(const StepMetadata& step) {
    return rows_.Apply(ResourceOutputsEvent{step, false}, kStart + std::chrono::seconds(3));
  }
  void Run(const StepMetadata& step) {
    Begin(step);
    End(step);
  }
  std::vector<std::string> Lines() {
    std::vector<std::string> lines;
    for (const DisplayRow& row : rows_.all()) {
      if (rows_.IsListed(row)) lines.push_back(rows_.Line(row, kStart + std::chrono::seconds(3), Painter(false)));
    }
    return lines;
  }
  DisplayRows& rows() { return rows_; }

 private:
  Masking masking_;
  DisplayRows rows_;
};

TEST_CASE("an ephemeral message is the status before the first step, and is not in the footer") {
  Fixture fixture;
  DiagnosticEvent event;
  event.message = "Compiling\x1b[31m the program ...\n";
  event.ephemeral = true;
  fixture.rows().Apply(event, kStart);
  CHECK(fixture.rows().status() == "Compiling the program ...");
  CHECK(fixture.rows().all().empty());
  CHECK(fixture.rows().Footer(Painter(false)).find("Compiling") == std::string::npos);
}

TEST_CASE("a finished creation is one line with its time", "[cli]") {
  Fixture fixture;
  fixture.Run(Step(StepOp::kCreate, nullptr, MakeState("a", {})));
  CHECK(fixture.Lines() == std::vector<std::string>{"+  pkg:m:T a created (3s)"});
}

TEST_CASE("a step that fails before its begin event has no duration", "[cli]") {
  Fixture fixture;
  fixture.rows().Apply(ResourceFailedEvent{Step(StepOp::kCreate, nullptr, MakeState("a", {})), 2, 1},
                       kStart + std::chrono::hours(4));
  CHECK(fixture.Lines() == std::vector<std::string>{"+  pkg:m:T a **creating failed** (0.00s)"});
}

TEST_CASE("a preview shows the steps of the update", "[cli]") {
  Fixture fixture(true);
  StepMetadata step = Step(StepOp::kUpdate, MakeState("a", {{"x", Value(1)}}), MakeState("a", {{"x", Value(2)}}));
  step.diffs = {"x"};
  fixture.Run(step);
  CHECK(fixture.Lines() == std::vector<std::string>{"~  pkg:m:T a update [diff: ~x]"});
}

TEST_CASE("unchanged and internal resources are not listed", "[cli]") {
  Fixture fixture;
  fixture.Run(Step(StepOp::kSame, MakeState("a", {}), MakeState("a", {})));
  StepMetadata provider = Step(StepOp::kCreate, nullptr, MakeState("default", {}, "pulumi:providers:pkg"));
  provider.internal = true;
  fixture.Run(provider);
  CHECK(fixture.Lines().empty());
  ShowOptions show;
  show.sames = true;
  Fixture showing(false, show);
  showing.Run(Step(StepOp::kSame, MakeState("a", {}), MakeState("a", {})));
  CHECK(showing.Lines().size() == 1);
}

TEST_CASE("the steps of a replacement are one line", "[cli]") {
  Fixture fixture;
  const StatePtr state = MakeState("a", {});
  StepMetadata create = Step(StepOp::kCreateReplacement, state, state);
  create.logical = false;
  fixture.Run(create);
  fixture.Run(Step(StepOp::kReplace, state, state));
  StepMetadata remove = Step(StepOp::kDeleteReplaced, state, nullptr);
  remove.logical = false;
  fixture.Run(remove);
  CHECK(fixture.Lines() == std::vector<std::string>{"+- pkg:m:T a replaced (9s)"});  // three steps
}

TEST_CASE("a failure is listed with its first error and counted", "[cli]") {
  Fixture fixture;
  const StepMetadata step = Step(StepOp::kCreate, nullptr, MakeState("a", {}));
  fixture.Begin(step);
  DiagnosticEvent diagnostic;
  diagnostic.urn = step.urn;
  diagnostic.severity = Severity::kError;
  diagnostic.message = "no\nreally";
  fixture.rows().Apply(diagnostic, kStart);
  fixture.rows().Apply(ResourceFailedEvent{step, 2, 1}, kStart);
  CHECK(fixture.Lines() == std::vector<std::string>{"+  pkg:m:T a **creating failed** (0.00s); error: no"});
  CHECK(fixture.rows().errored() == 1);
  CHECK(fixture.rows().Footer(Painter(false)).find("Diagnostics:\n  pkg:m:T (a):\n    error: no\n    really\n") == 0);
}

TEST_CASE("a preview in which a read fails without a failed step shows the row as failed", "[cli]") {
  Fixture fixture(true);
  const StepMetadata step = Step(StepOp::kImport, nullptr, MakeState("a", {}));
  fixture.Begin(step);
  fixture.Begin(Step(StepOp::kImport, nullptr, MakeState("b", {})));  // the failure of a ends the preview
  DiagnosticEvent diagnostic;
  diagnostic.urn = step.urn;
  diagnostic.severity = Severity::kError;
  diagnostic.message = "no";
  fixture.rows().Apply(diagnostic, kStart);
  SummaryEvent summary;
  summary.result = "failed";
  fixture.rows().Apply(summary, kStart);
  fixture.rows().Settle(kStart);
  CHECK(fixture.Lines() == std::vector<std::string>{"=  pkg:m:T a **importing failed**; error: no",
                                                    "=  pkg:m:T b **importing interrupted**"});
  CHECK(fixture.rows().errored() == 1);
}

TEST_CASE("an awaited resource has not failed, and neither has its stack", "[cli]") {
  Fixture fixture;
  const StatePtr stack = MakeState("p-dev", {}, std::string(kRootStackType));
  fixture.Begin(Step(StepOp::kCreate, nullptr, stack));
  const StepMetadata create = Step(StepOp::kCreate, nullptr, MakeState("a", {}));
  const StepMetadata update = Step(StepOp::kUpdate, MakeState("b", {}), MakeState("b", {}));
  for (const StepMetadata& step : {create, update}) {
    fixture.Begin(step);
    fixture.rows().Apply(ResourceFailedEvent{step, 0, 0, /*awaited=*/true}, kStart);
  }
  SummaryEvent summary;
  summary.result = "failed";
  fixture.rows().Apply(summary, kStart);
  fixture.rows().Settle(kStart);
  const std::vector<std::string> lines = fixture.Lines();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].find("failed") == std::string::npos);
  CHECK(lines[1] == "+  pkg:m:T a **create awaiting** (0.00s)");
  CHECK(lines[2] == "~  pkg:m:T b **update awaiting** (0.00s)");
  CHECK(fixture.rows().errored() == 0);
  CHECK(fixture.rows().awaited() == 2);
  CHECK(fixture.rows().Footer(Painter(false)).find("    2 awaiting\n") != std::string::npos);
}

TEST_CASE("a resource with an error before its first step has failed, unless a step begins later", "[cli]") {
  Fixture fixture(true);
  const StatePtr state = MakeState("a");
  DiagnosticEvent error;
  error.urn = state->urn;
  error.severity = Severity::kError;
  error.message = "resource violates plan";
  fixture.rows().Apply(error, kStart);
  CHECK(fixture.Lines() == std::vector<std::string>{"   pkg:m:T a **failed**; error: resource violates plan"});
  CHECK(fixture.rows().errored() == 1);
  CHECK(fixture.rows().counts().done + fixture.rows().counts().unchanged == 1);
  fixture.Run(Step(StepOp::kCreate, nullptr, state));
  CHECK(fixture.rows().errored() == 0);
  CHECK(fixture.rows().counts().done == 1);
  CHECK(fixture.rows().counts().unchanged == 0);
}

TEST_CASE("control characters in names and messages are spelled out", "[cli]") {
  Fixture fixture;
  const StepMetadata step = Step(StepOp::kCreate, nullptr, MakeState("a\x1b]0;title\x07\r", {}));
  fixture.Run(step);
  CHECK(fixture.Lines().front() == "+  pkg:m:T a\\x1b]0;title\\x07\\x0d created (3s)");
  CHECK(Printable("\xc2\x9b"
                  "2J") == "\\u009b2J");
  CHECK(Printable("a\nb", true) == "a\nb");
  // A character that turns the direction of writing would show "txt.exe" as "exe.txt".
  CHECK(Printable("a\u202etxt.exe\u2066\u2028") == "a\\u202etxt.exe\\u2066\\u2028");
  CHECK(Printable("gr\u00fc\u00df \u65e5\u672c \U0001F600") == "gr\u00fc\u00df \u65e5\u672c \U0001F600");
  CHECK(Printable("\x9b"
                  "2J \xe2\x80") == "\\x9b2J \\xe2\\x80");
}

TEST_CASE("no line begins with a command to a CI system, or holds one", "[cli]") {
  const auto [text, printed] = GENERATE(table<std::string, std::string>({
      {"::error::boo", "\\x3a:error::boo"},
      {"a\n  ::add-mask::x\n::", "a\n  \\x3a:add-mask::x\n::"},
      {"\t##vso[task.setvariable]", "\t\\x23#vso[task.setvariable]"},
      {"##[group]x", "\\x23#[group]x"},
      {"## Heading\n# x", "## Heading\n# x"},
      {"a ::error::", "a ::error::"},
      {"a ##vso[task.setvariable]b", "a \\x23#vso[task.setvariable]b"},
      {"error: ##[error]b", "error: \\x23#[error]b"},
      {"###[error]b", "#\\x23#[error]b"},
      {"\u00a0\u2003::error::b", "\u00a0\u2003\\x3a:error::b"},
      {"a ## b [c] ##d", "a ## b [c] ##d"},
      {"urn:pulumi:a::b", "urn:pulumi:a::b"},
  }));
  CHECK(Printable(text, true) == printed);
}

TEST_CASE("a JSON text keeps its value and loses terminal control characters", "[cli]") {
  CHECK(PrintableJson(R"({"x": "plain"})") == R"({"x": "plain"})");
  CHECK(PrintableJson("{\"x\": \"a\u202eb\u009bc\x7f gr\u00fc\u00df\"}") ==
        "{\"x\": \"a\\u202eb\\u009bc\\u007f gr\u00fc\u00df\"}");
  CHECK(PrintableJson(R"({"x": "a ##vso[task]b # ## c"})") == R"({"x": "a \u0023#vso[task]b # ## c"})");
}

TEST_CASE("an error that quotes a whole file leaves out the middle", "[cli]") {
  CHECK(PrintableError("a\nb") == "a\nb");
  CHECK(PrintableError("cannot reach s3://me:hush@host/b?sig=hush today") ==
        "cannot reach s3://****:****@host/b?sig=**** today");
  const std::string shown = PrintableError("begin " + std::string(100'000'000, 'x') + "\u00fc" + " end");
  CHECK(shown.size() < 66'000);
  CHECK(shown.starts_with("begin xxx"));
  CHECK(shown.ends_with("xxx\u00fc end"));
  CHECK(shown.find(" bytes left out)") != std::string::npos);
}

TEST_CASE("values are printed without characters that would steer the terminal", "[cli]") {
  CHECK(ValueText(Value("a\u202e\u009bb"), {}) == "\"a\\u202e\\u009bb\"");
}

TEST_CASE("the summary has the lines that programs look for", "[cli]") {
  SummaryEvent summary;
  summary.resource_changes = {{"create", 1001}};
  summary.duration_s = 1.2;
  CHECK(SummaryText(summary, {}, Painter(false)) == "Resources:\n    + 1001 created\n\nDuration: 2s\n");
  summary.resource_changes = {{"update", 10}, {"same", 991}};
  CHECK(SummaryText(summary, {}, Painter(false)) ==
        "Resources:\n    ~ 10 updated\n    991 unchanged\n\nDuration: 2s\n");
  summary.resource_changes = {{"update", 1}, {"delete", 2}};
  summary.is_preview = true;
  CHECK(SummaryText(summary, {1, 2}, Painter(false)) ==
        "Resources:\n    ~ 1 to update\n    - 2 to delete\n    3 changes\n    1 errored\n    2 awaiting\n");
}

TEST_CASE("outputs of the stack show their changes, with secrets masked", "[cli]") {
  Fixture fixture;
  const PropertyMap old_outputs = {{"gone", Value(1)}, {"key", Value::Secret(Value("k1"))}, {"same", Value("s")}};
  const PropertyMap new_outputs = {{"key", Value::Secret(Value("k2"))}, {"same", Value("s")}, {"url", Value("u")}};
  fixture.Run(Step(StepOp::kSame, MakeState("p-dev", old_outputs, std::string(kRootStackType)),
                   MakeState("p-dev", new_outputs, std::string(kRootStackType))));
  SummaryEvent summary;
  summary.result = "succeeded";
  fixture.rows().Apply(summary, kStart);
  CHECK(fixture.rows()
            .Footer(Painter(false))
            .find("Outputs:\n  - gone: 1\n  ~ key : [secret] => [secret]\n    same: \"s\"\n  + url : \"u\"\n\n") == 0);
}

TEST_CASE("a structural diff shows the changes and counts the rest", "[cli]") {
  const PropertyMap old_inputs = {
      {"a", Value(1)}, {"b", Value(PropertyMap{{"x", Value(1)}, {"y", Value(2)}})}, {"c", Value(3)}};
  const PropertyMap new_inputs = {{"a", Value(1)}, {"b", Value(PropertyMap{{"x", Value(9)}, {"y", Value(2)}})}};
  const StepMetadata step = Step(StepOp::kUpdate, MakeState("r", old_inputs), MakeState("r", new_inputs));
  DiffTextOptions options;
  options.summary = true;
  CHECK(StepDiffText(step, options, Painter(false)) ==
        "~ pkg:m:T: (update)\n"
        "  ~ b: {\n"
        "      ~ x: 1 => 9\n"
        "        (1 unchanged property hidden)\n"
        "    }\n"
        "  - c: 3\n"
        "    (1 unchanged property hidden)\n");
}

TEST_CASE("a detailed diff shows the side that the provider names, and no hidden property", "[cli]") {
  State old_state = *MakeState("r", {{"scalar", Value("in")}, {"secret", Value::Secret(Value("old"))}});
  old_state.outputs = {{"scalar", Value("out")}, {"secret", Value::Secret(Value("old"))}};
  State new_state =
      *MakeState("r", {{"scalar", Value("new")}, {"secret", Value::Secret(Value("fresh"))}, {"map", Value(1)}});
  new_state.hide_diffs = {"map"};
  StepMetadata step =
      Step(StepOp::kUpdate, std::make_shared<const State>(old_state), std::make_shared<const State>(new_state));
  step.detailed = DetailedDiff{{"map", {DiffKind::kUpdate, false}},
                               {"scalar", {DiffKind::kUpdateReplace, false}},
                               {"secret", {DiffKind::kUpdate, true}}};
  DiffTextOptions options;
  options.summary = true;
  CHECK(StepDiffText(step, options, Painter(false)) ==
        "~ pkg:m:T: (update)\n"
        "  ~ map (hidden)\n"
        "  ~ scalar: \"out\" => \"new\"  # forces replacement\n"
        "  ~ secret: [secret] => [secret]\n");
}

}  // namespace kingpost::rows_test
