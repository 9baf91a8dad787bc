// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/pass_rules.h"

#include <catch2/catch.hpp>

namespace kingpost::fleet::pass_rules_test {

using State = Schedule::State;

constexpr State kDone = State::kDone, kFailed = State::kFailed, kSkipped = State::kSkipped;

// The turns of all members, by their first letters: run, (left) alone, (as) previewed, stopped.
std::string TurnsOf(const PassRules& rules, size_t count, bool stopped) {
  std::string turns;
  for (size_t member = 0; member < count; ++member) {
    switch (rules.ActionOf(member, stopped)) {
      case MemberAction::kRun:
        turns += 'r';
        break;
      case MemberAction::kUnaffected:
        turns += 'a';
        break;
      case MemberAction::kAsPreviewed:
        turns += 'p';
        break;
      case MemberAction::kStopped:
        turns += 's';
        break;
    }
  }
  return turns;
}

TEST_CASE("a preview decides which members run", "[fleet]") {
  struct Case {
    const char* what;
    std::vector<PreviewResult> previewed;
    std::string turns, turns_when_stopped;
  };
  const std::vector<Case> cases = {
      {"an unchanged member is left alone", {{kDone, false, {}}, {kDone, true, {}}}, "ar", "as"},
      {"a reader of a changed member runs", {{kDone, true, {}}, {kDone, false, {0}}, {kDone, false, {}}}, "rra", "ssa"},
      {"a reader of such a reader runs, whatever their order",
       {{kDone, false, {1}}, {kDone, false, {2}}, {kDone, true, {}}},
       "rrr",
       "sss"},
      {"a reader of an unchanged member is left alone", {{kDone, false, {}}, {kDone, false, {0}}}, "aa", "aa"},
      {"unchanged members that read each other are left alone", {{kDone, false, {1}}, {kDone, false, {0}}}, "aa", "aa"},
      {"failed and skipped members do not run", {{kFailed, true, {}}, {kSkipped, true, {}}}, "pp", "pp"},
      {"not even unchanged ones", {{kFailed, false, {}}, {kSkipped, false, {}}}, "pp", "pp"},
      {"a reader of a failed member is not left alone", {{kFailed, true, {}}, {kDone, false, {0}}}, "pr", "ps"},
  };
  for (const Case& one : cases) {
    INFO(one.what);
    const PassRules rules(one.previewed);
    CHECK(TurnsOf(rules, one.previewed.size(), false) == one.turns);
    CHECK(TurnsOf(rules, one.previewed.size(), true) == one.turns_when_stopped);
    for (size_t member = 0; member < one.previewed.size(); ++member) {
      CHECK(rules.EndedInPreview(member) == (one.turns[member] == 'p'));
    }
  }
}

TEST_CASE("without a preview all members run until the fleet is stopped", "[fleet]") {
  CHECK(TurnsOf(PassRules(), 2, false) == "rr");
  CHECK(TurnsOf(PassRules(), 2, true) == "ss");
  CHECK_FALSE(PassRules().EndedInPreview(0));
}

TEST_CASE("reads of a preview order the members, and a destroy reverses the order", "[fleet]") {
  const std::vector<Schedule::Member> members = {{"net", {}, {}}, {"web", {0}, {}}, {"dns", {}, {0}}};
  const PassRules rules({{kDone, true, {0}}, {kDone, true, {0}}, {kDone, true, {1}}});
  const std::vector<Schedule::Member> ordered = rules.InOrder(members, false);
  CHECK(ordered[0].references.empty());  // a stack that reads itself gets its last outputs
  CHECK(ordered[1].references == std::vector<size_t>{0});
  CHECK(ordered[2].references == std::vector<size_t>{1});
  CHECK(ordered[2].after == std::vector<size_t>{0});
  const std::vector<Schedule::Member> reversed = rules.InOrder(members, true);
  CHECK(reversed[0].references == std::vector<size_t>{1});
  CHECK(reversed[0].after == std::vector<size_t>{2});
  CHECK(reversed[1].references == std::vector<size_t>{2});
  CHECK(reversed[2].references.empty());
}

}  // namespace kingpost::fleet::pass_rules_test
