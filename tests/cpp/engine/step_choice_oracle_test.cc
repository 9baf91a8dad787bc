// SPDX-License-Identifier: Apache-2.0
// Checks the steps of one registration, import or read, for every combination of the facts that decide them. The oracle
// writes rows 3.15 to 3.34 and 3.45 as a list of cases: the first that fits decides.
#include <catch2/catch.hpp>

#include "engine/small_run.h"

namespace kingpost::step_choice_oracle_test {

using namespace engine_test;

enum class Old { kNone, kLive, kExternal, kTainted, kInitErrors, kPendingReplacement };
enum class Change { kNone, kUpdate, kReplace };
// The program's request: to register the resource, to import it by one of these IDs, or to read one of these.
enum class Ask { kRegister, kImportSame, kImportFormer, kImportOther, kReadSame, kReadOther };

struct Facts {
  Ask ask;
  Old old;
  Change change;
  // `was_imported`: the old one, by another ID than it has now.
  bool targeted, forced, delete_first, was_protected, protect, ignore_protect, engine_diffs, was_imported;

  static constexpr int kCount = 6 * 6 * 3 * 256;
  static Facts Of(int number) {
    const auto take = [&number](int choices) { return std::exchange(number, number / choices) % choices; };
    Facts facts;
    facts.ask = static_cast<Ask>(take(6));
    facts.old = static_cast<Old>(take(6));
    facts.change = static_cast<Change>(take(3));
    for (bool* fact : {&facts.targeted, &facts.forced, &facts.delete_first, &facts.was_protected, &facts.protect,
                       &facts.ignore_protect, &facts.engine_diffs, &facts.was_imported}) {
      *fact = take(2);
    }
    return facts;
  }

  bool Reads() const { return ask == Ask::kReadSame || ask == Ask::kReadOther; }
  bool Registers() const { return ask == Ask::kRegister; }
  std::string AskedId() const {
    static const char* const kIds[] = {"", "id-a", "id-former", "id-other", "id-a", "id-other"};
    return kIds[static_cast<int>(ask)];
  }
  bool IsPossible() const {
    // It was deleted to be made again: that it might be created first is not its way.
    if (old == Old::kPendingReplacement && !delete_first) return false;
    if (Registers() || old == Old::kNone) return !was_imported;  // the ID of an import counts in imports alone
    // A read does not ask for any of these.
    return !Reads() || (change == Change::kNone && !delete_first && !protect && !engine_diffs && !forced);
  }

  // Row 3.16: what is ours under this ID is not imported again; what we only read is.
  bool Imports() const {
    if (Registers() || Reads()) return false;
    return old == Old::kNone || old == Old::kExternal || AskedId() != (was_imported ? "id-former" : "id-a");
  }
  // Row 3.45: what is ours goes when another is read in its place.
  bool ReadReplaces() const { return Reads() && old != Old::kNone && old != Old::kExternal && ask == Ask::kReadOther; }

  bool Replaces() const {
    const bool changes = forced || (change == Change::kReplace && !engine_diffs);
    // The engine's own comparison never asks for a replacement; what was just imported is neither tainted nor pending.
    return changes || (!Imports() && (old == Old::kTainted || old == Old::kPendingReplacement));
  }
  bool Updates() const { return change != Change::kNone || (old == Old::kInitErrors && !Imports()); }
  // True if the step leaves an old side that targets do not let go. As in Pulumi, targets do not stop imports, reads,
  // or a resource that was only read before from becoming the stack's own.
  bool Clashes() const {
    const bool leaves_old =
        ReadReplaces() || (Imports() && old != Old::kNone) || (Registers() && old == Old::kExternal);
    return leaves_old && !targeted;
  }
  bool Fails() const { return IsRefused() || Clashes(); }
  bool IsRefused() const {
    if (Reads() || !targeted || !Replaces()) return false;
    if (!Registers()) return true;  // one that still names its ID may not be replaced
    return old != Old::kNone && old != Old::kExternal && Guarded();
  }
  bool Guarded() const { return was_protected && protect && !ignore_protect; }

  Log ExpectedOfRegistration() const {
    if (old == Old::kExternal && !targeted) return {"create-replacement a", "replace a"};
    if (old == Old::kExternal) return {"create-replacement a", "replace a", "discard-replaced a"};
    if (!targeted) return {"same a"};
    if (old == Old::kNone) return {"create a"};
    if (IsRefused()) return {};
    if (old == Old::kPendingReplacement) return {"replace a", "create-replacement a"};
    if (Replaces() && !delete_first) return {"create-replacement a", "replace a", "delete-replaced a"};
    if (Replaces()) return {"delete-replaced a", "replace a", "create-replacement a"};
    if (Updates()) return {"update a"};
    return {"same a"};
  }
  Log ExpectedOfImport() const {
    const bool takes_place = old != Old::kNone;
    Log steps = takes_place ? Log{"import-replacement a", "replace a"} : Log{"import a"};
    if (IsRefused()) return steps;
    if (!targeted) steps.push_back("same a");
    if (targeted && Updates()) steps.push_back("update a");
    if (takes_place && targeted) AddLast(&steps);
    return steps;
  }
  Log ExpectedOfRead() const {
    if (!ReadReplaces()) return {"read a"};
    Log steps = {"read-replacement a", "replace a"};
    if (targeted) AddLast(&steps);
    return steps;
  }
  // Adds the last step of the old side. A pending replacement has none: its old side is gone, and only leaves the
  // record.
  void AddLast(Log* steps) const {
    if (old == Old::kPendingReplacement) return;
    steps->push_back(old == Old::kExternal ? "discard-replaced a" : "delete-replaced a");
  }
  Log Expected() const {
    return Reads() ? ExpectedOfRead() : Imports() ? ExpectedOfImport() : ExpectedOfRegistration();
  }

  // "" if the record is as it must be then.
  std::string RecordFailure(const RunOutcome& outcome, const Urn& urn) const {
    const StatePtr state = outcome.Live(urn);
    if (Reads() || Imports()) {
      if (!state || state->id != AskedId()) return "the record has another ID";
      if (state->external != Reads()) return "it is ours, or not, against the rule";
      if (!state->init_errors.empty() || state->taint) return "old faults stay";
    }
    return VerifyIntegrity(outcome.snapshot).message();
  }
  std::string Text() const {
    std::string text = "asks " + std::to_string(static_cast<int>(ask)) + ", old " +
                       std::to_string(static_cast<int>(old)) + ", change " + std::to_string(static_cast<int>(change));
    const std::pair<const char*, bool> kFacts[] = {{"targeted", targeted},         {"forced", forced},
                                                   {"delete first", delete_first}, {"was protected", was_protected},
                                                   {"protect", protect},           {"ignore protect", ignore_protect},
                                                   {"engine diffs", engine_diffs}, {"was imported", was_imported}};
    for (const auto& [name, is] : kFacts) text += is ? std::string(", ") + name : "";
    return text;
  }
};

RunOutcome Run(const SmallGraph& graph, const Facts& facts) {
  RunSpec spec;
  spec.base = Recorded(graph, [&facts](int, State* state) {
    state->inputs.Set("kept", Value(1));
    state->protect = facts.was_protected;
    state->external = facts.old == Old::kExternal;
    state->taint = facts.old == Old::kTainted;
    state->pending_replacement = facts.old == Old::kPendingReplacement;
    if (facts.old == Old::kInitErrors) state->init_errors = {"not ready"};
    if (facts.was_imported) state->import_id = "id-former";
  });
  if (facts.old == Old::kNone) spec.base.pop_back();
  if (!facts.targeted) spec.options.targets = {RecordedProvider()->urn.str()};
  if (facts.forced) spec.options.replaces = {"**::a"};
  spec.options.ignore_protect = facts.ignore_protect;
  if (facts.engine_diffs) spec.unknown_diffs = {"a"};
  if (facts.Reads()) spec.reads = {"a"};
  PropertyMap there;
  there.Set("kept", Value(1));
  spec.existing = {{facts.AskedId(), there}};
  SetProgram(&spec, graph, [&facts](int, RegisterResourceRequest* request) {
    request->inputs.Set("kept", Value(1));
    if (facts.change == Change::kUpdate) request->inputs.Set("update", Value(1));
    if (facts.change == Change::kReplace) request->inputs.Set("replace", Value(1));
    request->protect = facts.protect;
    request->delete_before_replace = facts.delete_first;
    request->import_id = facts.AskedId();
  });
  return RunSmall(spec);
}

TEST_CASE("a registration takes the steps that the rules say, for all combinations of facts") {
  SmallGraph graph;
  graph.size = 1;
  int cases = 0;
  for (int number = 0; number < Facts::kCount; ++number) {
    const Facts facts = Facts::Of(number);
    if (!facts.IsPossible()) continue;
    ++cases;
    RunOutcome outcome = Run(graph, facts);
    std::erase_if(outcome.steps, [](const std::string& line) { return line.find("prov") != line.npos; });
    std::string failure = facts.RecordFailure(outcome, UrnIn(graph, 0));
    if (outcome.result.status.ok() == facts.Fails()) failure = facts.Fails() ? "succeeds" : "fails";
    if (outcome.steps == facts.Expected() && failure.empty()) continue;
    FAIL(facts.Text() << ": " << failure << "; steps " << Joined(outcome.steps) << ", wanted "
                      << Joined(facts.Expected()) << "; " << outcome.errors);
  }
  CHECK(cases == 14528);
}

}  // namespace kingpost::step_choice_oracle_test
