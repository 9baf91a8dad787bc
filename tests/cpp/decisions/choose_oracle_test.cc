// SPDX-License-Identifier: Apache-2.0
// Checks which steps a registration takes (rows 3.15 to 3.34), over combinations of all facts that decide it. The tests
// say which results are impossible, which facts decide alone, and which make no difference. They do not say in which
// order Choose looks at the facts. Every combination of two facts is among those tried.
#include <catch2/catch.hpp>
#include <optional>
#include <utility>

#include "decisions/choose.h"
#include "decisions/make_state.h"

namespace kingpost::choose_oracle_test {

using namespace plan_test;
using namespace decisions;

enum class Old { kNone, kLive, kExternal, kTainted, kInitErrors, kPendingReplacement };
enum class Trigger { kSame, kOther, kUnknown };
enum class Served { kSame, kOther, kByNothing, kRenamed };
enum class Says { kNone, kSome, kReplace, kUnknown };

struct Facts {
  Old old;
  Trigger trigger;
  Served served;
  Says says;
  bool included, was_deleted_first, kept, forced, replaced_with, deleted_with, provider_replaces, component, legacy,
      equal, promotes, provider_deletes_first, program_creates_first, preview, imported, targets;

  static constexpr long kCount = 6L * 3 * 4 * 4 << 16;
  static Facts Of(long number) {
    const auto take = [&number](int choices) { return std::exchange(number, number / choices) % choices; };
    Facts f{};
    f.old = static_cast<Old>(take(6));
    f.trigger = static_cast<Trigger>(take(3));
    f.served = static_cast<Served>(take(4));
    f.says = static_cast<Says>(take(4));
    for (bool* fact : {&f.included, &f.was_deleted_first, &f.kept, &f.forced, &f.replaced_with, &f.deleted_with,
                       &f.provider_replaces, &f.component, &f.legacy, &f.equal, &f.promotes, &f.provider_deletes_first,
                       &f.program_creates_first, &f.preview, &f.imported, &f.targets}) {
      *fact = take(2) == 1;
    }
    return f;
  }
  bool IsPossible() const {
    if (old == Old::kNone && (was_deleted_first || kept || imported)) return false;
    if (was_deleted_first && (kept || imported)) return false;
    return !(component && served != Served::kSame);
  }

  std::string Text() const;
};

struct Stage {
  explicit Stage(const Facts& f)
      : facts(f), selection(MakeSelection(f)), rows(), goal(MakeGoal(f)), draft(StateOf("r")) {
    draft.custom = !f.component;
    draft.inputs = {{"x", f.equal ? 1 : 2}};
    if (f.served == Served::kByNothing) draft.provider = "";
    if (f.served == Served::kSame) draft.provider = Reference("p");
    if (f.served == Served::kOther || f.served == Served::kRenamed) draft.provider = Reference("q");
    if (f.replaced_with) draft.replace_with = {UrnOf("w")};
    if (f.deleted_with) draft.deleted_with = UrnOf("w");
    if (f.trigger == Trigger::kOther) draft.replacement_trigger = Value(2);
    if (f.trigger == Trigger::kUnknown) draft.replacement_trigger = Value(Computed());
    if (f.component) draft.provider = "";
    if (f.old != Old::kNone) old_state = MakeOld();
    std::vector<StatePtr> base = {ProviderState("p"), Share(StateOf("w"))};
    if (old_state) base.push_back(old_state);
    rows.SetBase(base);
    rows.Decide(UrnOf("w"), RowOutcome::kReplaced, Because(Rule::kForced));
    if (f.served == Served::kRenamed) {
      rows.Claim(ProviderUrnOf("q"));
      rows.Continue(ProviderUrnOf("q"), ProviderUrnOf("p"));
    }
    if (f.kept) rows.Keep(draft.urn, Because(Rule::kNotTargeted));
    if (f.was_deleted_first)
      rows.MarkDeletedFirst(old_state, {}, Because(Rule::kProviderCondemned, {}, UrnOf("w"), Because(Rule::kForced)));
  }
  static Urn ProviderUrnOf(const std::string& name) { return UrnOf(name, "pulumi:providers:pkg"); }
  static std::string Reference(const std::string& name) { return ProviderUrnOf(name).str() + "::" + name + "-id"; }
  static StatePtr ProviderState(const std::string& name) {
    State state = StateOf(name);
    state.urn = ProviderUrnOf(name);
    state.type = "pulumi:providers:pkg";
    return Share(std::move(state));
  }
  static Selection MakeSelection(const Facts& f) {
    SelectionOptions options;
    if (f.targets) options.targets = {UrnOf("elsewhere").str()};
    if (!f.targets) options.excludes = {UrnOf("elsewhere").str()};
    if (f.forced) options.replaces = {UrnOf("r").str()};
    return Selection(options);
  }
  static Goal MakeGoal(const Facts& f) {
    Goal goal;
    goal.type = "pkg:m:Typ";
    goal.name = "r";
    goal.custom = !f.component;
    if (f.promotes) goal.replace_on_changes = {"x"};
    if (f.program_creates_first) goal.delete_before_replace = false;
    return goal;
  }
  StatePtr MakeOld() const {
    State state = StateOf("r");
    state.custom = !facts.component;
    state.inputs = {{"x", 1}};
    state.provider = facts.component ? "" : Reference("p");
    state.replacement_trigger = Value(1);
    if (facts.trigger == Trigger::kSame) state.replacement_trigger = Value();
    state.external = facts.old == Old::kExternal;
    state.taint = facts.old == Old::kTainted;
    state.pending_replacement = facts.old == Old::kPendingReplacement;
    if (facts.old == Old::kInitErrors) state.init_errors = {"it was not finished"};
    return Share(std::move(state));
  }
  DiffResponse Answer() const {
    DiffResponse diff;
    diff.changes = facts.says == Says::kUnknown ? DiffChanges::kUnknown
                   : facts.says == Says::kNone  ? DiffChanges::kNone
                                                : DiffChanges::kSome;
    if (facts.says == Says::kSome || facts.says == Says::kReplace) diff.changed_keys = {"x"};
    if (facts.says == Says::kReplace) diff.replaces = {"x"};
    diff.delete_before_replace = facts.provider_deletes_first;
    return diff;
  }

  struct Outcome {
    std::optional<Decision> decision;  // none: it failed
    bool asked_provider = false, asked_diff = false, endless = false;

    template <class... Ways>
    bool is() const {
      return decision && (decision->is<Ways>() || ...);
    }
    bool because(Rule rule) const { return decision && decision->because && decision->because->rule == rule; }
    const way::Replace* replace() const { return decision ? decision->is<way::Replace>() : nullptr; }
  };
  Outcome Decide() const {
    Candidate candidate{goal, old_state, draft};
    candidate.included = facts.included;
    candidate.imported = facts.imported;
    candidate.preview = facts.preview;
    candidate.legacy_diff = facts.legacy;
    Answers answers;
    Outcome outcome;
    for (int asked = 0; asked < 3; ++asked) {
      const Result<Choice> choice = Choose(candidate, rows, selection, answers);
      if (!choice.ok()) return outcome;
      if (const auto* decision = std::get_if<Decision>(&*choice)) {
        outcome.decision = *decision;
        return outcome;
      }
      if (std::holds_alternative<AskProvider>(*choice)) {
        outcome.asked_provider = true;
        answers.provider_replaces = facts.provider_replaces;
      } else {
        outcome.asked_diff = true;
        answers.diff = Answer();
      }
    }
    outcome.endless = true;
    return outcome;
  }

  Facts facts;
  Selection selection;
  Rows rows;
  Goal goal;
  State draft;
  StatePtr old_state;
};

std::string Facts::Text() const {
  static const char* const kOld[] = {"none", "live", "external", "tainted", "init errors", "awaits remaking"};
  std::string text = std::string("old: ") + kOld[static_cast<int>(old)] + ", trigger " +
                     std::to_string(static_cast<int>(trigger)) + ", served " +
                     std::to_string(static_cast<int>(served)) + ", says " + std::to_string(static_cast<int>(says));
  const std::pair<const char*, bool> kFacts[] = {{"included", included},
                                                 {"went first", was_deleted_first},
                                                 {"kept", kept},
                                                 {"forced", forced},
                                                 {"replaced with", replaced_with},
                                                 {"deleted with", deleted_with},
                                                 {"provider replaces", provider_replaces},
                                                 {"component", component},
                                                 {"legacy", legacy},
                                                 {"equal", equal},
                                                 {"promotes", promotes},
                                                 {"provider deletes first", provider_deletes_first},
                                                 {"program creates first", program_creates_first},
                                                 {"preview", preview},
                                                 {"imported", imported}};
  for (const auto& [name, is] : kFacts) text += is ? std::string(", ") + name : "";
  return text;
}

template <class Check>
void ForAll(const Check& check) {
  int cases = 0;
  for (long number = 0; number < Facts::kCount; number += 97) {
    const Facts facts = Facts::Of(number);
    if (!facts.IsPossible()) continue;
    ++cases;
    const std::string wrong = check(facts, Stage(facts).Decide());
    if (!wrong.empty()) FAIL("number " << number << ": " << wrong << "; " << facts.Text());
  }
  CHECK(cases > 40000);
}

// True if the recorded resource is compared with the program's goal, which the rows from 3.17 on are about.
bool IsCompared(const Facts& facts) {
  const bool is_ours = facts.old != Old::kNone && facts.old != Old::kExternal;
  return is_ours && facts.included && !facts.kept && !facts.was_deleted_first;
}
bool IsRefusedForItsTrigger(const Facts& facts) { return facts.trigger == Trigger::kUnknown && !facts.preview; }
// True if something other than its inputs makes it be replaced.
bool IsCondemned(const Facts& facts) {
  return facts.trigger != Trigger::kSame || facts.forced || facts.old == Old::kTainted || facts.replaced_with ||
         facts.deleted_with || facts.served == Served::kByNothing ||
         (facts.served == Served::kOther && facts.provider_replaces);
}

TEST_CASE("every choice ends with a reason, and fails only for an unknown diff") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    if (outcome.endless) return "asks without end";
    if (!outcome.decision && !(outcome.asked_diff && facts.says == Says::kUnknown)) return "fails";
    if (outcome.decision && !outcome.decision->because) return "has no reason";
    return "";
  });
}

TEST_CASE("an unrecorded resource is created or left out, and a recorded one is never created a second time") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    const bool is_new = outcome.is<way::Create, way::SkipCreate>();
    if (facts.old == Old::kNone && !is_new) return "something is done to what is not there";
    if (facts.old != Old::kNone && is_new) return "it is there already";
    if (outcome.is<way::SkipCreate>() && facts.included) return "it is wanted";
    if (outcome.is<way::TakeOver>() && facts.old != Old::kExternal) return "it was ours";
    if (facts.old == Old::kExternal && !outcome.is<way::TakeOver, way::Recreate>()) return "it stays somebody else's";
    return "";
  });
}

TEST_CASE("an excluded resource does not change, unless it was condemned or is external") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    if (facts.included || facts.was_deleted_first || facts.old == Old::kExternal) return "";
    if (outcome.asked_diff || outcome.asked_provider) return "a provider is asked about it";
    const Rule why = facts.targets ? Rule::kNotTargeted : Rule::kExcluded;
    if (!outcome.because(why)) return "the reason is another";
    if (!outcome.is<way::Keep, way::AnswerRecorded, way::SkipCreate>()) return "it changes";
    if (outcome.is<way::Keep>() && facts.kept) return "it is kept twice";
    return "";
  });
}

TEST_CASE("a resource is recreated exactly if it was condemned") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    if (outcome.is<way::Recreate>() != facts.was_deleted_first) return "it went, or not";
    if (facts.was_deleted_first && !outcome.because(Rule::kProviderCondemned)) return "the reason is not why it went";
    return "";
  });
}

TEST_CASE("a resource is refused if it was kept already, or if its trigger is unknown outside a preview") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    const bool may_be_changed = facts.included && !facts.was_deleted_first && facts.old != Old::kExternal;
    const bool kept = may_be_changed && facts.kept;
    const bool unknown = IsCompared(facts) && IsRefusedForItsTrigger(facts);
    if (outcome.is<way::Refuse>() != (kept || unknown)) return "it is refused, or not";
    return "";
  });
}

TEST_CASE("a provider is asked only if its answer can change the decision") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    const bool asks = outcome.asked_diff || outcome.asked_provider;
    if (asks && !IsCompared(facts)) return "asks about what is not compared";
    if (asks && (facts.forced || facts.old == Old::kTainted || facts.replaced_with || facts.deleted_with ||
                 facts.trigger != Trigger::kSame)) {
      return "asks although it is replaced in any case";
    }
    if (outcome.asked_diff && facts.component) return "asks for the diff of a component";
    if (outcome.asked_diff && facts.legacy && facts.equal) return "asks for the diff of equals, in the legacy mode";
    if (outcome.asked_provider && facts.served != Served::kOther) return "asks about a provider that is the same";
    if (outcome.asked_diff && IsCondemned(facts)) return "asks for a diff although it is replaced";
    return "";
  });
}

TEST_CASE("a resource condemned by a rule outside its own diff is replaced") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    if (!IsCompared(facts) || IsRefusedForItsTrigger(facts) || !IsCondemned(facts)) return "";
    return outcome.replace() ? "" : "it is not replaced";
  });
}

TEST_CASE("a pending replacement is replaced, and a resource with init errors does not stay the same") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    if (!IsCompared(facts) || IsRefusedForItsTrigger(facts) || !outcome.decision) return "";
    if (facts.old == Old::kPendingReplacement && !outcome.replace()) return "it is not made again";
    if (facts.old == Old::kInitErrors && !outcome.is<way::Update, way::Replace>()) return "it stays unfinished";
    return "";
  });
}

TEST_CASE("the provider's diff decides between same, update and replace") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    if (!outcome.asked_diff || !outcome.decision) return "";
    if (facts.says == Says::kReplace && !outcome.replace()) return "it is not replaced";
    if (facts.says == Says::kSome && !outcome.is<way::Update, way::Replace>()) return "it is not changed";
    if (facts.says == Says::kSome && facts.promotes && !outcome.replace()) return "replaceOnChanges is not heard";
    const bool unfinished = facts.old == Old::kInitErrors || facts.old == Old::kPendingReplacement;
    if (facts.says == Says::kNone && !unfinished && !outcome.is<way::Same, way::AnswerRecorded>())
      return "it is changed";
    return "";
  });
}

TEST_CASE("a component changes with its inputs, whatever a provider says") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    if (!facts.component || !IsCompared(facts) || IsCondemned(facts)) return "";
    if (facts.old == Old::kInitErrors || facts.old == Old::kPendingReplacement) return "";
    if (facts.equal && !outcome.is<way::Same, way::AnswerRecorded>()) return "it is changed";
    if (!facts.equal && !outcome.is<way::Update>()) return "it is not updated";
    return "";
  });
}

TEST_CASE(
    "deleteBeforeReplace follows the program, then the provider; a forced replacement was checked as new already") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    const way::Replace* replace = outcome.replace();
    if (!replace) return "";
    if (replace->delete_first && facts.program_creates_first) return "the program is not heard";
    if (replace->delete_first && !(facts.provider_deletes_first && outcome.asked_diff))
      return "nobody wants it to go first";
    const bool by_provider = outcome.asked_diff && facts.provider_deletes_first && !facts.program_creates_first;
    if (by_provider && !replace->delete_first) return "the provider is not heard";
    const bool checked_already = facts.component || facts.forced || facts.old == Old::kTainted;
    if (replace->checks_again == checked_already) return "it is checked again, or not";
    return "";
  });
}

TEST_CASE("the reason of each decision is true") {
  ForAll([](const Facts& facts, const Stage::Outcome& outcome) -> std::string {
    if (!outcome.decision || outcome.is<way::Refuse>()) return "";
    const bool some = outcome.asked_diff ? facts.says == Says::kSome || facts.says == Says::kReplace : !facts.equal;
    const std::pair<Rule, bool> kTrue[] = {
        {Rule::kNew, facts.old == Old::kNone && facts.included},
        {Rule::kBecomesManaged, facts.old == Old::kExternal},
        {Rule::kTrigger, facts.trigger != Trigger::kSame},
        {Rule::kForced, facts.forced},
        {Rule::kTainted, facts.old == Old::kTainted},
        {Rule::kReplaceWith, facts.replaced_with},
        {Rule::kDeletedWith, facts.deleted_with},
        {Rule::kProviderReplaced, facts.served == Served::kByNothing || facts.provider_replaces},
        {Rule::kNotInPlace, outcome.asked_diff && facts.says == Says::kReplace},
        {Rule::kReplaceOnChanges, outcome.asked_diff && facts.promotes && some},
        {Rule::kResumed, facts.old == Old::kPendingReplacement},
        {Rule::kInputsChanged, some},
        {Rule::kInitErrors, facts.old == Old::kInitErrors},
        {Rule::kInputsEqual, facts.equal},
        {Rule::kProviderSeesNoChange, !facts.equal && outcome.asked_diff},
        {Rule::kImported, facts.imported},
        {Rule::kNotTargeted, facts.targets && !facts.included},
        {Rule::kExcluded, !facts.targets && !facts.included},
        {Rule::kProviderCondemned, facts.was_deleted_first},
    };
    for (const auto& [rule, is_true] : kTrue) {
      if (outcome.because(rule)) return is_true ? "" : "untrue: " + std::string(RuleName(rule));
    }
    return "no reason of a registration: " + std::string(RuleName(outcome.decision->because->rule));
  });
}

TEST_CASE("one more cause of a replacement removes no other, and changes nothing for an excluded resource") {
  for (long number = 0; number < Facts::kCount; number += 1009) {
    const Facts facts = Facts::Of(number);
    if (!facts.IsPossible()) continue;
    const Stage::Outcome before = Stage(facts).Decide();
    for (bool Facts::*cause :
         {&Facts::forced, &Facts::replaced_with, &Facts::deleted_with, &Facts::promotes, &Facts::provider_replaces}) {
      Facts more = facts;
      more.*cause = true;
      const Stage::Outcome after = Stage(more).Decide();
      INFO(facts.Text());
      if (before.replace()) CHECK(after.replace());
      if (!IsCompared(facts) && before.decision) {
        REQUIRE(after.decision);
        CHECK(after.decision->way.index() == before.decision->way.index());
      }
    }
  }
}

TEST_CASE("reasons tell from which resource a changed input comes") {
  Facts facts{};
  facts.old = Old::kLive;
  facts.included = true;
  Stage stage(facts);
  stage.draft.property_dependencies["x"] = {UrnOf("w")};
  const Candidate candidate{stage.goal, stage.old_state, stage.draft};
  const ReasonPtr because = WhyInputsChanged(candidate, stage.rows, {"x.y"}, Rule::kNotInPlace);
  CHECK(because->by == UrnOf("w"));
  CHECK(because->cause->rule == Rule::kForced);
  CHECK(ReasonText(*because) == "`x.y` changed and the provider cannot change it in place");
}

TEST_CASE("inputs differ by what was added, changed and left out") {
  const PropertyMap before = {{"same", 1}, {"changed", 1}, {"left", 1}},
                    after = {{"same", 1}, {"changed", 2}, {"added", 1}};
  CHECK(DifferingInputs(before, after) == std::vector<std::string>{"added", "changed", "left"});
}

TEST_CASE("an update names the paths of the detailed diff, else the provider's keys, else the differing inputs") {
  Facts facts{};
  facts.old = Old::kLive;
  facts.included = true;
  const Stage stage(facts);
  const Candidate candidate = [&] {
    Candidate made{stage.goal, stage.old_state, stage.draft};
    made.included = true;
    return made;
  }();
  const auto named = [&](const DiffResponse& diff) {
    Answers answers;
    answers.provider_replaces = false;
    answers.diff = diff;
    const Result<Choice> choice = Choose(candidate, stage.rows, stage.selection, answers);
    return std::get<Decision>(*choice).because->properties;
  };
  DiffResponse diff;
  diff.changes = DiffChanges::kSome;
  CHECK(named(diff) == std::vector<std::string>{"x"});
  diff.changed_keys = {"size"};
  CHECK(named(diff) == std::vector<std::string>{"size"});
  diff.detailed = {{"size.height", {DiffKind::kUpdate, true}}};
  CHECK(named(diff) == std::vector<std::string>{"size.height"});
}

TEST_CASE("the reason is a policy if its remediations are the only changes") {
  Facts facts{};
  facts.old = Old::kLive;
  facts.included = true;
  Stage stage(facts);
  Candidate candidate{stage.goal, stage.old_state, stage.draft};
  candidate.remediated = {"x"};
  const auto rule = [&](std::vector<std::string> keys, Rule asked) {
    return WhyInputsChanged(candidate, stage.rows, keys, asked)->rule;
  };
  CHECK(rule({"x.y", "x"}, Rule::kInputsChanged) == Rule::kRemediated);
  CHECK(rule({"x", "z"}, Rule::kInputsChanged) == Rule::kInputsChanged);
  CHECK(rule({"x"}, Rule::kNotInPlace) == Rule::kNotInPlace);
  CHECK(rule({}, Rule::kInputsChanged) == Rule::kProviderSeesChange);
  CHECK(Because(Rule::kRemediated)->source == Source::kPolicy);
}

}  // namespace kingpost::choose_oracle_test
