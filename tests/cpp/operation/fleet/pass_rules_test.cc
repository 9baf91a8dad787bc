// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/pass_rules.h"

#include <catch2/catch.hpp>

namespace kingpost::fleet::pass_rules_test {

using State = Schedule::State;

constexpr State kDone = State::kDone, kFailed = State::kFailed, kSkipped = State::kSkipped;

// "run", "alone", "previewed" and "stopped" of each, by their first letters.
std::string TurnsOf(const PassRules& rules, size_t count, bool stopped) {
  std::string turns;
  for (size_t member = 0; member < count; ++member) {
    switch (rules.TurnOf(member, stopped)) {
      case Turn::kRun:
        turns += 'r';
        break;
      case Turn::kLeftAlone:
        turns += 'a';
        break;
      case Turn::kAsPreviewed:
        turns += 'p';
        break;
      case Turn::kStopped:
        turns += 's';
        break;
    }
  }
  return turns;
}

TEST_CASE("who has to run after a preview, and who is not to", "[fleet]") {
  struct Case {
    const char* what;
    std::vector<Previewed> previewed;
    std::string turns, turns_when_stopped;
  };
  const std::vector<Case> cases = {
      {"what would stay is left alone", {{kDone, false, {}}, {kDone, true, {}}}, "ar", "as"},
      {"who reads a change runs", {{kDone, true, {}}, {kDone, false, {0}}, {kDone, false, {}}}, "rra", "ssa"},
      {"and who reads that one, in whatever order they stand",
       {{kDone, false, {1}}, {kDone, false, {2}}, {kDone, true, {}}},
       "rrr",
       "sss"},
      {"who reads what stays does so, too", {{kDone, false, {}}, {kDone, false, {0}}}, "aa", "aa"},
      {"those that read each other and stay do so", {{kDone, false, {1}}, {kDone, false, {0}}}, "aa", "aa"},
      {"what failed or was skipped is not run", {{kFailed, true, {}}, {kSkipped, true, {}}}, "pp", "pp"},
      {"even if nothing would change", {{kFailed, false, {}}, {kSkipped, false, {}}}, "pp", "pp"},
      {"who has read what failed cannot be left alone", {{kFailed, true, {}}, {kDone, false, {0}}}, "pr", "ps"},
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

TEST_CASE("without a preview all run until the fleet is stopped", "[fleet]") {
  CHECK(TurnsOf(PassRules(), 2, false) == "rr");
  CHECK(TurnsOf(PassRules(), 2, true) == "ss");
  CHECK_FALSE(PassRules().EndedInPreview(0));
}

TEST_CASE("what was read in a preview orders the members as well, for a destroy the other way round", "[fleet]") {
  const std::vector<Schedule::Member> members = {{"net", {}, {}}, {"web", {0}, {}}, {"dns", {}, {0}}};
  const PassRules rules({{kDone, true, {0}}, {kDone, true, {0}}, {kDone, true, {1}}});
  const std::vector<Schedule::Member> ordered = rules.InOrder(members, false);
  CHECK(ordered[0].references.empty());  // of itself a stack reads what it was before
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
