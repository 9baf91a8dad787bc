// SPDX-License-Identifier: Apache-2.0
// Checks the result that a member's process returns, and the flags that the process gets.
#include "cli/fleet/member_result.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <set>

#include "base/json_access.h"
#include "cli/fleet/member_command.h"

namespace kingpost::member_result_test {

TEST_CASE("the result of a member is read as it was written", "[fleet]") {
  MemberResult ended;
  EndAs(FleetPhase::kFailed, "a \"quoted\"\nerror", &ended);
  ended.outcome.changes = {{"create", 2}, {"same", 1}};
  ended.changes = ended.has_changes = ended.awaits = true;
  MemberResult read;
  ReadMemberResult(ParseJson(WriteMemberResult(ended)), &read);
  CHECK(read.outcome.phase == FleetPhase::kFailed);
  CHECK(read.outcome.why == ended.outcome.why);
  CHECK(read.outcome.changes == ended.outcome.changes);
  CHECK((read.changes && read.has_changes && read.awaits && !read.terminated));

  for (const FleetPhase phase :
       {FleetPhase::kUpdated, FleetPhase::kUnchanged, FleetPhase::kSkipped, FleetPhase::kStopped}) {
    EndAs(phase, "", &ended);
    ReadMemberResult(ParseJson(WriteMemberResult(ended)), &read);
    CHECK(read.outcome.phase == phase);
  }
  ReadMemberResult(ParseJson("nothing of the kind"), &read);
  CHECK(read.outcome.phase == FleetPhase::kFailed);
}

TEST_CASE("a member fails by its own errors, and not by a read that got no answer", "[fleet]") {
  constexpr const char* kOwnError = "web: no outputs";
  const UnansweredRead stopped{""}, of_failed{"'network/prod' failed"};
  const struct {
    std::optional<UnansweredRead> unanswered;
    bool resource_failed;
    FleetPhase phase;
    std::string why;
  } rows[] = {
      {std::nullopt, false, FleetPhase::kFailed, kOwnError},
      {std::nullopt, true, FleetPhase::kFailed, kOwnError},
      {stopped, false, FleetPhase::kStopped, ""},
      {stopped, true, FleetPhase::kStopped, ""},
      {of_failed, false, FleetPhase::kSkipped, of_failed.why},
      {of_failed, true, FleetPhase::kFailed, kOwnError},
  };
  for (const auto& row : rows) {
    INFO((row.unanswered ? "unanswered: '" + row.unanswered->why + "'" : "all answered")
         << ", " << row.resource_failed);
    RunOutcome outcome;
    outcome.result.status = Status::Bail();
    outcome.first_error = kOwnError;
    outcome.resource_failed = row.resource_failed;
    MemberResult result;
    EndAsFailed(outcome, Masking(), false, row.unanswered, &result);
    CHECK(result.outcome.phase == row.phase);
    CHECK(result.outcome.why == row.why);
  }
}

TEST_CASE("a member gets the flags of its operation, and not those of the fleet", "[fleet]") {
  OperationFlags flags;
  flags.kind = OperationKind::kDestroy;
  flags.stack = "prod";
  flags.config = {"p:key=a=b", "p:other=1"};
  flags.refresh = "true";
  flags.exclude_protected = flags.remove_stack = flags.target_dependents = true;
  flags.targets = {"urn:pulumi:prod::p::t::a"};
  flags.parallel = 3;
  flags.expect_no_changes = flags.json = flags.diff = true;
  const std::vector<std::string> arguments = MemberArguments(flags);
  const auto has = [&arguments](const char* one) {
    return std::find(arguments.begin(), arguments.end(), one) != arguments.end();
  };
  for (const char* expected : {"--as-member", "--stack=prod", "--yes", "--skip-preview", "--config=p:key=a=b",
                               "--config=p:other=1", "--refresh=true", "--exclude-protected", "--remove",
                               "--target=urn:pulumi:prod::p::t::a", "--target-dependents", "--parallel=3"}) {
    INFO(expected);
    CHECK(has(expected));
  }
  for (const char* other : {"--expect-no-changes", "--json", "--diff", "--all"}) CHECK_FALSE(has(other));
}

TEST_CASE("each flag of an operation reaches its members, or FleetFlagNames names it", "[fleet]") {
  const std::vector<std::string> own = FleetFlagNames();
  std::set<std::string> known;
  const auto declare = [](OperationKind kind, bool preview, Flags* flags, OperationFlags* values) {
    values->kind = kind;
    values->is_preview_command = preview;
    DeclareOperationFlags(flags, values);
  };
  for (const auto& [kind, preview] : std::vector<std::pair<OperationKind, bool>>{{OperationKind::kUpdate, true},
                                                                                 {OperationKind::kUpdate, false},
                                                                                 {OperationKind::kRefresh, false},
                                                                                 {OperationKind::kDestroy, false}}) {
    Flags all("", "");
    OperationFlags unset;
    declare(kind, preview, &all, &unset);
    for (const FlagFacts& facts : all.KnownFlags()) {
      if (facts.hidden) continue;
      const std::string& name = facts.names.front();
      INFO(name << " of operation " << static_cast<int>(kind) << (preview ? ", previewed" : ""));
      known.insert(name);
      Flags flags("", "");
      OperationFlags values;
      declare(kind, preview, &flags, &values);
      REQUIRE(flags.Parse({name + (facts.takes_value ? "=7" : "")}).ok());
      const std::vector<std::string> arguments = MemberArguments(values);
      const bool is_handed_on = std::any_of(arguments.begin(), arguments.end(), [&name](const std::string& argument) {
        return argument == name || argument.starts_with(name + "=");
      });
      const bool is_own = std::find(own.begin(), own.end(), name) != own.end();
      CHECK((is_handed_on || is_own));
    }
  }
  for (const std::string& name : own) {
    INFO(name);
    CHECK(known.contains(name));
  }
}

TEST_CASE("a member gets a switch that is off although the environment turns it on", "[fleet]") {
  setenv("PULUMI_RUN_PROGRAM", "true", 1);
  OperationFlags flags;
  const std::vector<std::string> arguments = MemberArguments(flags);
  unsetenv("PULUMI_RUN_PROGRAM");
  CHECK(std::find(arguments.begin(), arguments.end(), "--run-program=false") != arguments.end());
}

}  // namespace kingpost::member_result_test
