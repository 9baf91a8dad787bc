// SPDX-License-Identifier: Apache-2.0
// Checks reports of previews: their contents, their escaping and their maximal length.
#include "console/display/markdown_report.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "console/display/display_setup.h"
#include "console/display/markdown_text.h"

namespace kingpost::markdown_report_test {

using display_setup::MakeState;
using display_setup::Step;

std::string Report(const std::vector<EngineEvent>& events, OperationKind kind = OperationKind::kUpdate) {
  std::FILE* file = std::tmpfile();
  DisplayOptions options;
  options.kind = kind;
  options.preview = true;
  options.project = "site";
  options.stack = "dev";
  options.fd = ::fileno(file);
  options.masking = std::make_shared<const Masking>(std::vector<std::string>{"hunter22"}, false);
  auto report = NewMarkdownReport(std::move(options));
  for (const EngineEvent& event : events) report->Consume(event);
  report->Finish();
  std::string text(static_cast<size_t>(std::ftell(file) > 0 ? std::ftell(file) : ::lseek(::fileno(file), 0, SEEK_END)),
                   0);
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

SummaryEvent Summary(std::map<std::string, int> changes, const char* result = "succeeded") {
  SummaryEvent summary;
  summary.is_preview = true;
  summary.resource_changes = std::move(changes);
  summary.result = result;
  return summary;
}

TEST_CASE("a report lists the changes and folds their details", "[cli][report]") {
  const StepMetadata update = Step(StepOp::kUpdate, MakeState("web", {{"port", 1}}), MakeState("web", {{"port", 2}}));
  const StepMetadata remove = Step(StepOp::kDelete, MakeState("old", {{"a", 1}}), nullptr);
  CHECK(Report({ResourcePreEvent{update, true}, ResourceOutputsEvent{update, true}, ResourcePreEvent{remove, true},
                Summary({{"update", 1}, {"delete", 1}, {"same", 3}})}) ==
        "### Preview of update of <code>site/dev</code>\n\n"
        "**2 changes**: 1 to delete, 1 to update; 3 unchanged.\n\n"
        "| | Change | Resource | Type | Properties |\n|---|---|---|---|---|\n"
        "| <code>-</code> | delete | <code>old</code> | <code>pkg:m:T</code> |  |\n"
        "| <code>&#126;</code> | update | <code>web</code> | <code>pkg:m:T</code> | <code>&#126;port</code> |\n\n"
        "<details><summary>delete <code>old</code></summary>\n\n```diff\n      a: 1\n```\n\n</details>\n"
        "<details><summary>update <code>web</code></summary>\n\n```diff\n!   port: 1 => 2\n```\n\n</details>\n\n");
}

TEST_CASE("a report says in words that nothing changes or that the preview failed", "[cli][report]") {
  CHECK(Report({Summary({{"same", 3}})}).find("**No changes.** The stack is up to date; 3 unchanged.") !=
        std::string::npos);
  CHECK(Report({Summary({{"same", 3}})}, OperationKind::kRefresh).find("### Drift of") == 0);
  DiagnosticEvent error;
  error.severity = Severity::kError;
  error.message = "boom with hunter22\n";
  const std::string failed = Report({error, Summary({}, "failed")});
  CHECK(failed.find("**The preview failed.**") != std::string::npos);
  CHECK(failed.find("boom with [secret]") != std::string::npos);
  CHECK(failed.find("hunter22") == std::string::npos);
}

TEST_CASE("secrets stay masked and markup in values stays text", "[cli][report]") {
  const StepMetadata step =
      Step(StepOp::kUpdate, MakeState("a|b<script>", {{"s", Value::Secret("one")}, {"t", "plain hunter22"}}),
           MakeState("a|b<script>", {{"s", Value::Secret("two")}, {"t", "```\n</details>\n````\n"}}));
  const std::string text = Report({ResourcePreEvent{step, true}, Summary({{"update", 1}})});
  CHECK(text.find("hunter22") == std::string::npos);
  CHECK(text.find("one") == std::string::npos);
  CHECK(text.find("a&#124;b&lt;script&gt;") != std::string::npos);
  CHECK(text.find("`````diff") != std::string::npos);  // longer than what it holds
  CHECK(MarkdownText("a*b|[c](d)<e>") == "a\\*b\\|\\[c\\]\\(d\\)&lt;e&gt;");
}

TEST_CASE("a report of a large stack is still a comment", "[cli][report]") {
  std::vector<EngineEvent> events;
  for (int i = 0; i < 5000; ++i) {
    const std::string name = "resource-" + std::to_string(i);
    const StepMetadata step = Step(StepOp::kUpdate, MakeState(name, {{"text", std::string(300, 'x')}}),
                                   MakeState(name, {{"text", std::string(300, 'y')}}));
    events.push_back(ResourcePreEvent{step, true});
  }
  events.push_back(Summary({{"update", 5000}}));
  const std::string text = Report(events);
  CHECK(text.size() < 65000);
  CHECK(text.find("more resources.") != std::string::npos);
  CHECK(text.find("are left out") != std::string::npos);
}

}  // namespace kingpost::markdown_report_test
