// SPDX-License-Identifier: Apache-2.0
// Checks which resources targets keep as they are, and which others stay with them, on every small graph and by cases.
#include "decisions/keep.h"

#include <catch2/catch.hpp>
#include <set>
#include <utility>

#include "decisions/make_state.h"
#include "support/small_graphs.h"

namespace kingpost::keep_test {

using namespace plan_test;
using testing::Edge;
using testing::SmallGraph;

std::string NameOf(int i) { return std::string(1, static_cast<char>('a' + i)); }

decisions::SelectionOptions KeepTargetsOf(std::vector<std::string> targets) {
  decisions::SelectionOptions options;
  options.targets = std::move(targets);
  return options;
}

std::vector<StatePtr> ListOf(const SmallGraph& graph) {
  std::vector<StatePtr> states;
  for (int i = 0; i < graph.size; ++i) {
    State state = StateOf(NameOf(i));
    for (int j = 0; j < i; ++j) {
      const Urn& other = states[j]->urn;
      if (graph.edge[i][j] == Edge::kParent) state.parent = other;
      if (graph.edge[i][j] == Edge::kDependency) state.dependencies.push_back(other);
      if (graph.edge[i][j] == Edge::kProperty) state.property_dependencies["of"].push_back(other);
      if (graph.edge[i][j] == Edge::kReplaceWith) state.replace_with.push_back(other);
    }
    states.push_back(Share(std::move(state)));
  }
  return states;
}

// Returns the nodes below `start` that can be reached without passing a handled one.
std::set<int> Below(const SmallGraph& graph, int start, int handled) {
  std::set<int> all = {start};
  for (bool grown = true; grown;) {
    grown = false;
    for (int i = 0; i < graph.size; ++i) {
      for (int j = 0; j < i; ++j) {
        if (graph.Names(i, j) && all.count(i) > 0 && j != handled) grown = all.insert(j).second || grown;
      }
    }
  }
  return all;
}

TEST_CASE("a kept resource keeps all unhandled ones below it, dependencies first") {
  int cases = 0;
  const auto compare = [&](const SmallGraph& graph) {
    if (!graph.IsPossible()) return;
    const std::vector<StatePtr> states = ListOf(graph);
    for (int start = 0; start < graph.size; ++start) {
      for (int handled = -1; handled < start; ++handled) {
        decisions::Rows rows;
        rows.SetBase(states);
        if (handled >= 0) rows.Decide(states[handled]->urn, decisions::RowOutcome::kUpdated, nullptr);
        const auto kept = decisions::StatesToKeep(states[start], states[start]->urn, rows);
        std::unordered_set<Urn> seen;
        std::vector<StatePtr> collected;
        decisions::CollectUnhandled(states[start]->urn, rows, &seen, &collected);
        REQUIRE(kept.ok());
        const std::vector<StatePtr>& together = *kept;
        for (const auto* list : {&together, &std::as_const(collected)}) {
          std::set<int> got;
          for (const StatePtr& state : *list) {
            const int number = state->urn.name()[0] - 'a';
            for (int j = 0; j < number; ++j) {
              const bool missing = graph.Names(number, j) && j != handled && got.count(j) == 0;
              if (missing) FAIL(graph.Text() << ": " << NameOf(number) << " comes before " << NameOf(j));
            }
            if (!got.insert(number).second) FAIL(graph.Text() << ": " << NameOf(number) << " is kept twice");
          }
          if (got != Below(graph, start, handled)) FAIL(graph.Text() << ", from " << NameOf(start) << ": others stay");
        }
        ++cases;
      }
    }
  };
  testing::ForEachGraph(4, {Edge::kParent, Edge::kDependency, Edge::kProperty, Edge::kReplaceWith}, compare);
  CHECK(cases > 10000);
}

TEST_CASE("a kept resource keeps the provider that serves it, and no other") {
  State served = StateOf("a"), provider = StateOf("p");
  provider.urn = UrnOf("p", "pulumi:providers:pkg");
  provider.type = "pulumi:providers:pkg";
  const auto kept = [&](const std::string& id) {
    served.provider = provider.urn.str() + "::" + id;
    decisions::Rows rows;
    const StatePtr state = Share(served);
    rows.SetBase({Share(provider), state});
    return decisions::StatesToKeep(state, state->urn, rows)->size();
  };
  CHECK(kept(provider.id) == 2);
  CHECK(kept("another") == 1);
}

TEST_CASE("a resource with a dependency that is not recorded cannot be kept") {
  State lost = StateOf("a");
  lost.property_dependencies["host"] = {UrnOf("nowhere")};
  const StatePtr state = Share(lost);
  decisions::Rows rows;
  rows.SetBase({state});
  const auto kept = decisions::StatesToKeep(state, UrnOf("now"), rows);
  CHECK(kept.status().message() == "property dependency " + UrnOf("nowhere").str() + " of untargeted resource " +
                                       UrnOf("now").str() + "'s property host has no old state");
}

TEST_CASE("a dependency on a live resource does not keep its pending delete") {
  State old_side = StateOf("a");
  old_side.pending_delete = true;
  const StatePtr state = Share(old_side);
  decisions::Rows rows;
  rows.SetBase({state});
  CHECK(decisions::StatesToKeep(state, state->urn, rows)->empty());
  std::unordered_set<Urn> seen;
  std::vector<StatePtr> collected;
  decisions::CollectUnhandled(state->urn, rows, &seen, &collected);
  CHECK(collected.empty());
}

TEST_CASE("a resource cannot be kept if its provider is missing, or recorded and not configured in this run") {
  State served = StateOf("a"), provider = StateOf("p");
  provider.urn = UrnOf("p", "pulumi:providers:pkg");
  provider.type = "pulumi:providers:pkg";
  served.provider = provider.urn.str() + "::" + provider.id;
  const StatePtr state = Share(served);
  const auto code = [&](bool is_configured, bool recorded, bool old_side, bool waits,
                        const std::string& target = "urn:pulumi:dev::shop::other:m:R::x") {
    provider.pending_delete = old_side;
    served.pending_replacement = waits;
    const StatePtr kept = Share(served);
    decisions::Rows rows;
    rows.SetBase(recorded ? std::vector<StatePtr>{Share(provider), kept} : std::vector<StatePtr>{kept});
    const decisions::Selection selection(KeepTargetsOf({target}));
    return decisions::CheckMayBeKept(kept, kept->urn, is_configured, rows, selection).code();
  };
  CHECK(code(true, false, false, false) == Code::kOk);
  CHECK(code(false, false, false, true) == Code::kOk);
  CHECK(code(false, true, true, false) == Code::kOk);
  CHECK(code(false, true, false, false) == Code::kFailedPrecondition);
  CHECK(code(false, false, false, false) == Code::kNotFound);
  // The run is about the same package.
  CHECK(code(false, true, false, false, provider.urn.str()) == Code::kOk);
  CHECK(code(false, false, false, false, provider.urn.str()) == Code::kNotFound);
}

TEST_CASE("a new provider is left out with its resource, unless the user named it") {
  const Urn owner = UrnOf("owner");
  State provider = StateOf("p");
  provider.type = "pulumi:providers:pkg";
  provider.urn = UrnOf("p", provider.type);
  provider.parent = owner;
  const decisions::Selection others(KeepTargetsOf({"**::x"})), named(KeepTargetsOf({provider.urn.str()})),
      all(KeepTargetsOf({}));
  decisions::Rows rows;
  CHECK_FALSE(decisions::IsLeftOutWithOwner(provider, nullptr, rows, others));
  rows.SkipCreate(owner);
  CHECK(decisions::IsLeftOutWithOwner(provider, nullptr, rows, others));
  CHECK_FALSE(decisions::IsLeftOutWithOwner(provider, Share(provider), rows, others));
  CHECK_FALSE(decisions::IsLeftOutWithOwner(provider, nullptr, rows, named));
  CHECK_FALSE(decisions::IsLeftOutWithOwner(provider, nullptr, rows, all));
  State plain = StateOf("a");
  plain.parent = owner;
  CHECK_FALSE(decisions::IsLeftOutWithOwner(plain, nullptr, rows, others));
  plain.provider = provider.urn.str() + "::1";
  CHECK(decisions::LeftOutProvider(plain, rows).empty());
  rows.SkipCreate(provider.urn);
  CHECK(decisions::LeftOutProvider(plain, rows) == provider.urn);
}

TEST_CASE("a provider that was kept for its resources may be registered unchanged only") {
  State provider = StateOf("p");
  provider.type = "pulumi:providers:pkg";
  provider.urn = UrnOf("p", provider.type);
  const StatePtr recorded = Share(provider);
  decisions::Rows rows;
  rows.SetBase({recorded});
  CHECK_FALSE(decisions::IsAlreadyKept(provider, recorded, rows));
  rows.Keep(provider.urn, nullptr);
  CHECK(decisions::IsAlreadyKept(provider, recorded, rows));
  provider.inputs.Set("region", Value("elsewhere"));
  CHECK_FALSE(decisions::IsAlreadyKept(provider, recorded, rows));
}

TEST_CASE("a step that depends on an excluded resource is refused with its name and the remedy") {
  decisions::Rows rows;
  rows.SkipCreate(UrnOf("missing"));
  State needing = StateOf("a");
  needing.dependencies = {UrnOf("other"), UrnOf("missing")};
  const decisions::StepPtr step = decisions::Create(std::make_shared<State>(needing));
  decisions::SelectionOptions targets, excludes;
  targets.targets = {"x"};
  excludes.excludes = {"x"};
  const auto by_target = decisions::MissingDependencyOf(*step, rows, decisions::Selection(targets));
  REQUIRE(by_target);
  CHECK(by_target->missing == UrnOf("missing"));
  CHECK(by_target->text.find("--target list") != std::string::npos);
  CHECK(
      decisions::MissingDependencyOf(*step, rows, decisions::Selection(excludes))->text.find("--exclude-dependents") !=
      std::string::npos);
  CHECK_FALSE(decisions::MissingDependencyOf(*decisions::SkippedCreate(std::make_shared<State>(needing)), rows,
                                             decisions::Selection(targets)));
  rows.ClearSkipped(UrnOf("missing"));
  CHECK_FALSE(decisions::MissingDependencyOf(*step, rows, decisions::Selection(targets)));
}

TEST_CASE("an excluded resource is not created if it is new, and else is kept once") {
  namespace way = decisions::way;
  decisions::Rows rows;
  const StatePtr recorded = Share(StateOf("a"));
  rows.SetBase({recorded});
  const auto because = decisions::Because(decisions::Rule::kExcluded);
  CHECK(decisions::ChooseLeftOut(nullptr, because, rows).is<way::SkipCreate>());
  CHECK(decisions::ChooseLeftOut(recorded, because, rows).is<way::Keep>());
  rows.Keep(UrnOf("a"), because);
  CHECK(decisions::ChooseLeftOut(recorded, because, rows).is<way::AnswerRecorded>());
  CHECK(decisions::ChooseLeftOut(recorded, because, rows).because == because);
}

TEST_CASE("the same of an excluded resource is written after its dependencies, and other steps need no order") {
  State state = StateOf("a");
  state.parent = UrnOf("parent");
  state.dependencies = {UrnOf("b"), UrnOf("c")};
  state.deleted_with = UrnOf("b");
  state.provider = UrnOf("p", "pulumi:providers:pkg").str() + "::id";
  const StatePtr recorded = Share(state);
  CHECK(decisions::DependenciesOfSames({decisions::UntargetedSame(recorded)}) ==
        std::vector<Urn>{UrnOf("p", "pulumi:providers:pkg"), UrnOf("parent"), UrnOf("b"), UrnOf("c")});
  CHECK(decisions::DependenciesOfSames(
            {decisions::Same(recorded, std::make_shared<State>(state)), decisions::Delete(recorded)})
            .empty());
}

}  // namespace kingpost::keep_test
