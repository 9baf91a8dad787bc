// Which steps one registration takes, for every combination of the facts that decide it, against rows 3.15 to 3.34
// written as a list of cases: the first that fits decides.
#include <catch2/catch.hpp>

#include "engine/small_run.h"

using namespace kingpost;
using namespace kingpost::engine_test;

namespace {

enum class Old { kNone, kLive, kExternal, kTainted, kInitErrors, kPendingReplacement };
enum class Change { kNone, kUpdate, kReplace };

struct Facts {
  Old old;
  Change change;
  bool targeted, forced, delete_first, was_protected, protect, ignore_protect, engine_diffs;

  static constexpr int kCount = 6 * 3 * 128;
  static Facts Of(int number) {
    const auto take = [&number](int choices) { return std::exchange(number, number / choices) % choices; };
    Facts facts;
    facts.old = static_cast<Old>(take(6));
    facts.change = static_cast<Change>(take(3));
    for (bool* fact : {&facts.targeted, &facts.forced, &facts.delete_first, &facts.was_protected, &facts.protect,
                       &facts.ignore_protect, &facts.engine_diffs}) {
      *fact = take(2);
    }
    return facts;
  }

  bool Replaces() const {
    // The engine's own comparison never asks for a replacement.
    return forced || old == Old::kTainted || old == Old::kPendingReplacement ||
           (change == Change::kReplace && !engine_diffs);
  }
  bool IsRefused() const { return old != Old::kNone && old != Old::kExternal && targeted && Replaces() && Guarded(); }
  bool Guarded() const { return was_protected && protect && !ignore_protect; }

  Log Expected() const {
    if (old == Old::kExternal) return {"create-replacement a", "replace a", "discard-replaced a"};
    if (!targeted) return {"same a"};
    if (old == Old::kNone) return {"create a"};
    if (IsRefused()) return {};
    if (Replaces() && !delete_first) return {"create-replacement a", "replace a", "delete-replaced a"};
    if (old == Old::kPendingReplacement) return {"replace a", "create-replacement a"};
    if (Replaces()) return {"delete-replaced a", "replace a", "create-replacement a"};
    if (change != Change::kNone || old == Old::kInitErrors) return {"update a"};
    return {"same a"};
  }
};

RunOutcome Run(const Facts& facts) {
  SmallGraph graph;
  graph.size = 1;
  RunSpec spec;
  spec.base = Recorded(graph, [&facts](int, State* state) {
    state->inputs.Set("kept", Value(1));
    state->protect = facts.was_protected;
    state->external = facts.old == Old::kExternal;
    state->taint = facts.old == Old::kTainted;
    state->pending_replacement = facts.old == Old::kPendingReplacement;
    if (facts.old == Old::kInitErrors) state->init_errors = {"not ready"};
  });
  if (facts.old == Old::kNone) spec.base.pop_back();
  if (!facts.targeted) spec.options.targets = {RecordedProvider()->urn.str()};
  if (facts.forced) spec.options.replaces = {"**::a"};
  spec.options.ignore_protect = facts.ignore_protect;
  if (facts.engine_diffs) spec.unknown_diffs = {"a"};
  SetProgram(&spec, graph, [&facts](int, RegisterResourceRequest* request) {
    request->inputs.Set("kept", Value(1));
    if (facts.change == Change::kUpdate) request->inputs.Set("update", Value(1));
    if (facts.change == Change::kReplace) request->inputs.Set("replace", Value(1));
    request->protect = facts.protect;
    request->delete_before_replace = facts.delete_first;
    request->delete_before_replace_defined = true;
  });
  return RunSmall(spec);
}

}  // namespace

TEST_CASE("a registration takes the steps that the rules say, for all combinations of facts") {
  int cases = 0;
  for (int number = 0; number < Facts::kCount; ++number) {
    const Facts facts = Facts::Of(number);
    // It was deleted to be made again: that it might be created first is not its way.
    if (facts.old == Old::kPendingReplacement && !facts.delete_first) continue;
    // As in Pulumi, targets do not stop what was read from becoming ours, but the old record may not go then.
    if (facts.old == Old::kExternal && !facts.targeted) continue;
    ++cases;
    RunOutcome outcome = Run(facts);
    std::erase_if(outcome.steps, [](const std::string& line) { return line.find("prov") != line.npos; });
    const bool sound = VerifyIntegrity(outcome.snapshot).ok();
    if (outcome.steps == facts.Expected() && outcome.result.status.ok() == !facts.IsRefused() && sound) continue;
    FAIL("old " << static_cast<int>(facts.old) << ", change " << static_cast<int>(facts.change) << ", targeted "
                << facts.targeted << ", forced " << facts.forced << ", delete first " << facts.delete_first
                << ", protect " << facts.was_protected << facts.protect << facts.ignore_protect << ", engine diffs "
                << facts.engine_diffs << ": " << Joined(outcome.steps) << " instead of " << Joined(facts.Expected())
                << "; " << outcome.errors);
  }
  CHECK(cases == 1920);
}
