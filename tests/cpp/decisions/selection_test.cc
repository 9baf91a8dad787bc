// SPDX-License-Identifier: Apache-2.0
// Checks which resources targets and excludes include, how these sets grow, and which resources are forced.
#include "decisions/selection.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::selection_test {

using namespace plan_test;
using decisions::Selection;
using decisions::SelectionOptions;

State On(const std::string& name, const std::string& other) {
  State state = StateOf(name);
  state.dependencies = {UrnOf(other)};
  return state;
}

SelectionOptions Targets(bool dependents) {
  SelectionOptions options;
  options.targets = {UrnOf("a").str()};
  options.target_dependents = dependents;
  return options;
}

SelectionOptions TargetsOf(std::vector<std::string> targets) {
  SelectionOptions options;
  options.targets = std::move(targets);
  return options;
}

SelectionOptions Excludes(bool dependents) {
  SelectionOptions options;
  options.excludes = {UrnOf("a").str()};
  options.exclude_dependents = dependents;
  return options;
}

TEST_CASE("without options every resource is included and none is forced") {
  const Selection all{SelectionOptions()};
  CHECK(all.IsIncluded(StateOf("a")));
  CHECK_FALSE(all.IsForcedReplace(UrnOf("a")));
  CHECK_FALSE(all.RefusalFor(UrnOf("a"), UrnOf("b")));
  CHECK_FALSE(all.KeepsTargetDependencies());
}

TEST_CASE("targets include the named resources, and dependents only with --target-dependents") {
  Selection named(Targets(false)), with_dependents(Targets(true));
  for (Selection* selection : {&named, &with_dependents}) {
    CHECK(selection->IsIncluded(StateOf("a")));
    CHECK_FALSE(selection->IsIncluded(StateOf("b")));
    selection->Grow(StateOf("a"), true);
  }
  CHECK_FALSE(named.IsIncluded(On("b", "a")));
  CHECK(with_dependents.IsIncluded(On("b", "a")));
  CHECK_FALSE(with_dependents.IsIncluded(On("c", "b")));
  with_dependents.Grow(On("b", "a"), true);
  CHECK(with_dependents.IsIncluded(On("c", "b")));
  with_dependents.Grow(StateOf("d"), false);
  CHECK_FALSE(with_dependents.IsIncluded(On("e", "d")));
}

TEST_CASE("a target may concern its own package, and any package with its dependents or an unknown name") {
  const auto concerns = [](const SelectionOptions& options, const char* package) {
    State depends = On("b", "a");
    depends.type = "other:m:R";
    depends.urn = UrnOf("b", depends.type);
    decisions::Rows rows;
    rows.SetBase({Share(StateOf("a")), Share(depends)});
    return Selection(options).MayInclude(package, rows);
  };
  const std::string known(PackageOfType(StateOf("a").type));
  CHECK(concerns(Targets(false), known.c_str()));
  CHECK_FALSE(concerns(Targets(false), "other"));
  CHECK(concerns(Targets(true), "other"));
  CHECK_FALSE(concerns(TargetsOf({"**::a"}), "other"));
  // A target that no state has may be of any package, unless its URN names the type.
  CHECK(concerns(TargetsOf({"**::a", "**::new"}), "other"));
  CHECK_FALSE(concerns(TargetsOf({UrnOf("new").str()}), "other"));
  CHECK(concerns(TargetsOf({UrnOf("new", "other:m:R").str()}), "other"));
  CHECK(concerns(TargetsOf({UrnOf("p", "pulumi:providers:other").str()}), "other"));
  CHECK(concerns(Excludes(false), "other"));
  CHECK(concerns(SelectionOptions(), "other"));
}

TEST_CASE("excludes leave out the named resources, and dependents only with --exclude-dependents") {
  Selection named(Excludes(false)), with_dependents(Excludes(true));
  CHECK_FALSE(named.IsIncluded(StateOf("a")));
  CHECK(named.IsIncluded(On("b", "a")));
  CHECK(named.WhyLeftOut()->rule == decisions::Rule::kExcluded);
  CHECK_FALSE(with_dependents.IsIncluded(On("b", "a")));
  CHECK(with_dependents.IsIncluded(On("c", "b")));
  with_dependents.Grow(On("b", "a"), false);
  CHECK_FALSE(with_dependents.IsIncluded(On("c", "b")));
}

TEST_CASE("targets count before excludes") {
  SelectionOptions both = Targets(false);
  both.excludes = {UrnOf("a").str()};
  const Selection selection(both);
  CHECK(selection.IsIncluded(StateOf("a")));
  CHECK(selection.WhyLeftOut()->rule == decisions::Rule::kNotTargeted);
}

TEST_CASE("--replace forces a replacement, and --target-replace makes a target of it as well") {
  SelectionOptions options;
  options.replaces = {UrnOf("a").str()};
  options.target_replaces = {UrnOf("b").str()};
  const Selection selection(options);
  CHECK(selection.IsForcedReplace(UrnOf("a")));
  CHECK(selection.IsForcedReplace(UrnOf("b")));
  CHECK_FALSE(selection.IsForcedReplace(UrnOf("c")));
  CHECK(selection.IsIncluded(StateOf("b")));
  CHECK_FALSE(selection.IsIncluded(StateOf("a")));
  CHECK(selection.RefusalFor(UrnOf("a"), UrnOf("b")));
}

TEST_CASE("providers, the stack and condemned resources take part despite targets and excludes") {
  for (const SelectionOptions& options : {Targets(false), Excludes(false)}) {
    const Selection selection(options);
    State left_out = StateOf(options.targets.empty() ? "a" : "b");
    CHECK_FALSE(selection.TakesPart(left_out, /*was_deleted_first=*/false));
    CHECK(selection.TakesPart(left_out, /*was_deleted_first=*/true));
    left_out.type = "pulumi:providers:pkg";
    CHECK(selection.TakesPart(left_out, false));
    CHECK_FALSE(selection.IsIncluded(left_out));
    State stack = StateOf("b");
    stack.urn = UrnOf("b", std::string(kRootStackType));
    CHECK(selection.TakesPart(stack, false));
  }
}

TEST_CASE("a resource that needs an excluded one is refused, if any option restricts the run") {
  const auto text_of = [](const SelectionOptions& options) {
    return Selection(options).RefusalFor(UrnOf("b"), UrnOf("a")).value_or("");
  };
  CHECK(text_of(SelectionOptions()).empty());
  CHECK(text_of(Targets(false)).find("--target list") != std::string::npos);
  CHECK(text_of(Excludes(false)).find("pass --exclude-dependents") != std::string::npos);
  SelectionOptions replaces;
  replaces.replaces = {UrnOf("c").str()};
  CHECK(text_of(replaces).find("--target list") != std::string::npos);
  CHECK(Selection(Targets(false)).KeepsTargetDependencies());
  CHECK_FALSE(Selection(Excludes(false)).KeepsTargetDependencies());
}

TEST_CASE("a delete that no target names is refused, unless dependents go along or its former name is a target") {
  decisions::Rows rows;
  rows.SetBase({Share(StateOf("a")), Share(StateOf("b"))});
  rows.Claim(UrnOf("now"));
  rows.Continue(UrnOf("now"), UrnOf("a"));
  const Selection named(Targets(false));
  CHECK_FALSE(named.RefusalOfDelete(UrnOf("a"), rows));
  CHECK_FALSE(named.RefusalOfDelete(UrnOf("now"), rows));
  CHECK(named.RefusalOfDelete(UrnOf("b"), rows)->find("--target-dependents") != std::string::npos);
  CHECK_FALSE(Selection(Targets(true)).RefusalOfDelete(UrnOf("b"), rows));
  CHECK_FALSE(Selection(Excludes(false)).RefusalOfDelete(UrnOf("b"), rows));
}

TEST_CASE("targets that match no resource are reported, patterns never") {
  decisions::Rows rows;
  rows.SetBase({Share(StateOf("recorded"))});
  rows.Claim(UrnOf("registered"));
  SelectionOptions options;
  options.targets = {UrnOf("recorded").str(), UrnOf("registered").str(), UrnOf("nobody").str(), "**nothing*"};
  options.excludes = {UrnOf("other").str()};
  options.replaces = {UrnOf("recorded").str(), "urn:pulumi:stack::project::a$b::c"};
  const Selection selection(options);
  using Given = Selection::Given;
  CHECK(selection.FirstNotRecorded(rows) == UrnOf("registered"));
  CHECK(selection.UnknownLiterals(Given::kTargets, rows, /*registered_too=*/false).size() == 2);
  const auto unknown = selection.UnknownLiterals(Given::kTargets, rows, /*registered_too=*/true);
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0] == "Target '" + UrnOf("nobody").str() +
                          "' could not be found in the stack. Did you forget to escape $ in your shell?");
  CHECK(selection.UnknownLiterals(Given::kExcludes, rows, false).size() == 1);
  const auto with_type = selection.UnknownLiterals(Given::kReplaces, rows, false);
  CHECK(with_type.back().find("escape") == std::string::npos);
  options.targets = {UrnOf("recorded").str()};
  CHECK(Selection(options).FirstNotRecorded(rows) == UrnOf("other"));
  options.excludes.clear();
  CHECK(Selection(options).FirstNotRecorded(rows).empty());
}

}  // namespace kingpost::selection_test
