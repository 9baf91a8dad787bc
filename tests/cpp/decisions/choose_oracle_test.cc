// SPDX-License-Identifier: Apache-2.0
// Which steps a registration takes, for the combinations of all facts that decide it, against rows 3.15 to 3.34 written
// as a list of cases: the first that fits decides. Every combination of two facts is among those that are tried.
#include <catch2/catch.hpp>
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
  bool included, went_first, kept, forced, replaced_with, deleted_with, provider_replaces, component, legacy, equal,
      promotes, provider_deletes_first, program_creates_first, preview, imported, targets;

  static constexpr long kCount = 6L * 3 * 4 * 4 << 16;
  static Facts Of(long number) {
    const auto take = [&number](int choices) { return std::exchange(number, number / choices) % choices; };
    Facts f{};
    f.old = static_cast<Old>(take(6));
    f.trigger = static_cast<Trigger>(take(3));
    f.served = static_cast<Served>(take(4));
    f.says = static_cast<Says>(take(4));
    for (bool* fact : {&f.included, &f.went_first, &f.kept, &f.forced, &f.replaced_with, &f.deleted_with,
                       &f.provider_replaces, &f.component, &f.legacy, &f.equal, &f.promotes, &f.provider_deletes_first,
                       &f.program_creates_first, &f.preview, &f.imported, &f.targets}) {
      *fact = take(2) == 1;
    }
    return f;
  }
  bool IsPossible() const {
    if (old == Old::kNone && (went_first || kept || imported)) return false;
    if (went_first && (kept || imported)) return false;
    return !(component && served != Served::kSame);
  }

  // What is decided, and why.
  std::string Expected() const {
    if (went_first) return "recreate provider-goes";
    if (old == Old::kExternal) return "take over becomes-ours";
    if (old == Old::kNone && included) return "create new";
    if (old == Old::kNone) return "skip " + LeftOut();
    if (!included) return kept ? "answer " + LeftOut() : "keep " + LeftOut();
    if (kept) return "refuse";
    if (trigger == Trigger::kUnknown && !preview) return "refuse";
    if (trigger != Trigger::kSame) return Replace("trigger");
    if (forced) return Replace("forced");
    if (old == Old::kTainted) return Replace("tainted");
    if (replaced_with) return Replace("replace-with");
    if (deleted_with) return Replace("deleted-with");
    if (served == Served::kByNothing || (served == Served::kOther && provider_replaces)) {
      return Replace("provider-replaced");
    }
    const bool own = component || (legacy && equal);
    if (!own && says == Says::kUnknown) return "fails";
    const bool some = own ? !equal : says == Says::kSome || says == Says::kReplace;
    if (!own && says == Says::kReplace) return Replace("not-in-place");
    // The engine's own comparison names no property, so that none can be promoted.
    if (!own && some && promotes) return Replace("replace-on-changes");
    if (old == Old::kPendingReplacement) return Replace("resumed");
    if (some) return "update inputs-changed";
    if (old == Old::kInitErrors) return "update init-errors";
    if (imported) return "answer imported";
    return equal ? "same inputs-equal" : "same provider-sees-no-change";
  }
  std::string LeftOut() const { return targets ? "not-targeted" : "excluded"; }
  std::string Replace(const std::string& why) const {
    const bool own = component || (legacy && equal);
    const bool asked = !own && (why == "not-in-place" || why == "replace-on-changes" || why == "resumed");
    const bool by_provider = asked && provider_deletes_first;
    const bool first = !program_creates_first && by_provider;
    return std::string(first ? "delete first " : "create first ") + why;
  }
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
    if (f.went_first) rows.GoFirst(old_state, {}, Because(Rule::kProviderGoes, {}, UrnOf("w"), Because(Rule::kForced)));
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

  std::string Decide() const {
    Candidate candidate{goal, old_state, draft};
    candidate.included = facts.included;
    candidate.imported = facts.imported;
    candidate.preview = facts.preview;
    candidate.legacy_diff = facts.legacy;
    Answers answers;
    for (int asked = 0; asked < 3; ++asked) {
      const Result<Choice> choice = Choose(candidate, rows, selection, answers);
      if (!choice.ok()) return "fails";
      if (const auto* decision = std::get_if<Decision>(&*choice)) return Text(*decision);
      if (std::holds_alternative<AskProvider>(*choice)) answers.provider_replaces = facts.provider_replaces;
      if (std::holds_alternative<AskDiff>(*choice)) answers.diff = Answer();
    }
    return "asks without end";
  }
  static std::string Text(const Decision& decision) {
    static const char* const kWays[] = {"same",      "create", "update",       "replace", "recreate",
                                        "take over", "read",   "read instead", "import",  "import instead",
                                        "keep",      "skip",   "answer",       "refuse"};
    if (decision.is<way::Refuse>()) return "refuse";
    std::string text = kWays[decision.way.index()];
    if (const auto* replace = decision.is<way::Replace>())
      text = replace->delete_first ? "delete first" : "create first";
    return text + " " + std::string(RuleName(decision.because->rule));
  }

  Facts facts;
  Selection selection;
  Rows rows;
  Goal goal;
  State draft;
  StatePtr old_state;
};

TEST_CASE("what is decided, and why, is the first case that fits") {
  int cases = 0;
  for (long number = 0; number < Facts::kCount; number += 97) {
    const Facts facts = Facts::Of(number);
    if (!facts.IsPossible()) continue;
    ++cases;
    const std::string decided = Stage(facts).Decide();
    if (decided == facts.Expected()) continue;
    FAIL("number " << number << ": decided: " << decided << ", expected: " << facts.Expected());
  }
  CHECK(cases > 40000);
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

TEST_CASE("an update names the paths of the detailed diff, or the keys that the provider names, or what differs") {
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

TEST_CASE("what policies set is said of them, if nothing else changed") {
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

TEST_CASE("an import is asked for once, and replaces what is there under another ID") {
  Goal goal;
  goal.custom = true;
  goal.import_id = "wanted";
  const auto way_of = [&](const StatePtr& old_state, bool went_first) {
    const auto decision = ChooseImport(goal, old_state, went_first);
    return !decision ? "none" : decision->is<way::ImportInstead>() ? "instead" : "import";
  };
  State other = StateOf("r"), same = StateOf("r"), imported = StateOf("r"), external = StateOf("r");
  same.id = "wanted";
  imported.import_id = "wanted";
  external.external = true;
  external.id = "wanted";
  CHECK(way_of(nullptr, false) == std::string("import"));
  CHECK(way_of(Share(other), false) == std::string("instead"));
  CHECK(way_of(Share(other), true) == std::string("import"));
  CHECK(way_of(Share(same), false) == std::string("none"));
  CHECK(way_of(Share(imported), false) == std::string("none"));
  CHECK(way_of(Share(external), false) == std::string("instead"));
  goal.custom = false;
  CHECK(way_of(nullptr, false) == std::string("none"));
}

TEST_CASE("a read replaces what was the program's own, under another ID") {
  State own = StateOf("r"), external = StateOf("r");
  external.external = true;
  CHECK(ChooseRead(nullptr, "x").is<way::ReadIt>());
  CHECK(ChooseRead(Share(own), own.id).is<way::ReadIt>());
  CHECK(ChooseRead(Share(own), "x").is<way::ReadInstead>());
  CHECK(ChooseRead(Share(external), "x").is<way::ReadIt>());
}

TEST_CASE("what destroy and refresh answer a registration") {
  enum Kind { kCustom, kComponent, kProvider };
  const auto answer = [](RunMode mode, Kind kind, bool recorded, bool on_skipped) -> std::string {
    Rows rows;
    rows.SkipCreate(UrnOf("skipped"));
    Goal goal;
    goal.custom = kind != kComponent;
    goal.type = kind == kProvider ? "pulumi:providers:pkg" : "pkg:m:Typ";
    State draft = StateOf("r");
    if (on_skipped) draft.dependencies = {UrnOf("skipped")};
    const auto decision = ChooseByMode(mode, goal, recorded ? Share(StateOf("r")) : nullptr, draft, rows);
    if (!decision) return "goes on";
    if (decision->is<way::AnswerRecorded>()) return "answer";
    return decision->is<way::SkipCreate>() ? "skip" : "same";
  };
  for (Kind kind : {kCustom, kComponent, kProvider}) {
    for (bool recorded : {false, true}) {
      for (bool on_skipped : {false, true}) {
        CHECK(answer(RunMode::kUpdate, kind, recorded, on_skipped) == "goes on");
        const bool plain = kind == kCustom;
        const std::string refresh = !plain && !on_skipped ? "goes on" : recorded ? "answer" : "skip";
        CHECK(answer(RunMode::kRefresh, kind, recorded, on_skipped) == refresh);
        const std::string destroy = on_skipped || (plain && !recorded) ? "skip" : plain ? "same" : "goes on";
        CHECK(answer(RunMode::kDestroy, kind, recorded, on_skipped) == destroy);
      }
    }
  }
}

}  // namespace kingpost::choose_oracle_test
