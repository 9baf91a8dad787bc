// SPDX-License-Identifier: Apache-2.0
// Checks the import option, the import command, and the states that both make of what they read.
#include "decisions/import_rules.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::import_rules_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("a resource recorded under the ID is not imported again, unless it is external and the program asks") {
  struct Row {
    const char *id, *import_id;
    bool external, option, command;
  };
  static constexpr Row kTable[] = {
      {"wanted", "", false, true, true},        {"other", "", false, false, false},
      {"wanted", "", true, false, true},        {"other", "wanted", false, true, true},
      {"wanted", "other", false, false, false}, {"other", "wanted", true, false, true},
      {"other", "", true, false, false},
  };
  for (const Row& row : kTable) {
    State recorded = StateOf("r");
    recorded.id = row.id;
    recorded.import_id = row.import_id;
    recorded.external = row.external;
    INFO(row.id << "/" << row.import_id << (row.external ? ", only read" : ""));
    CHECK(IsImportedAlready(recorded, "wanted", ImportedBy::kOption) == row.option);
    CHECK(IsImportedAlready(recorded, "wanted", ImportedBy::kCommand) == row.command);
  }
}

TEST_CASE("a resource is imported once, and replaces a recorded one with another ID") {
  Goal goal;
  goal.custom = true;
  goal.import_id = "wanted";
  const auto way_of = [&](const StatePtr& old_state, bool was_deleted_first) {
    const auto decision = ChooseImport(goal, old_state, was_deleted_first);
    return !decision ? "none" : decision->is<way::ImportReplacement>() ? "instead" : "import";
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

TEST_CASE("a resource that still has its import option is not replaced, and the error lists the changes") {
  Goal goal;
  State recorded = StateOf("r"), draft = StateOf("r");
  recorded.inputs = {{"size", 1}};
  draft.inputs = {{"size", 2}};
  DiffResponse diff;
  diff.replaces = {"size", "gone"};
  CHECK_FALSE(ImportForbidsReplacement(goal, recorded, draft, diff));
  goal.import_id = "wanted";
  const auto text = ImportForbidsReplacement(goal, recorded, draft, diff);
  REQUIRE(text);
  CHECK(text->find("please remove the `import` declaration") != std::string::npos);
  CHECK(text->find("\nsize: {1} => {2}\ngone: ") != std::string::npos);
}

struct List {
  ImportResource& Add(const std::string& name, const std::string& parent = "", const char* type = "pkg:m:Typ") {
    imports.emplace_back();
    imports.back().type = type;
    imports.back().name = name;
    imports.back().id = name + "-id";
    if (!parent.empty()) imports.back().parent = UrnOf(parent);
    return imports.back();
  }
  std::vector<NamedImport> Named() const {
    std::vector<NamedImport> named;
    for (const ImportResource& import : imports) named.push_back({UrnOf(import.name, import.type), &import});
    return named;
  }
  std::vector<ImportResource> imports;
};

std::string NamesOf(const std::vector<NamedImport>& imports) {
  std::string names;
  for (const NamedImport& one : imports) names += one.import->name;
  return names;
}

TEST_CASE("the import command imports resources that are not recorded under their ID, and no providers") {
  State recorded = StateOf("a"), other = StateOf("b"), only_read = StateOf("c");
  other.id = "something-else";
  only_read.external = true;
  Rows rows;
  rows.SetBase({Share(recorded), Share(other), Share(only_read)});
  List list;
  for (const char* name : {"a", "b", "c", "d"}) list.Add(name);
  list.Add("p", "", "pulumi:providers:pkg");
  const auto wanted = ImportsToMake(list.Named(), rows);
  REQUIRE(wanted.ok());
  CHECK(NamesOf(*wanted) == "bd");  // b is refused when its turn comes
  list.Add("a");
  const auto twice = ImportsToMake(list.Named(), rows);
  CHECK(twice.status().message() == "duplicate import 'a' of type 'pkg:m:Typ'");
}

TEST_CASE("parents are imported before children, however the list has them") {
  List list;
  list.Add("c", "b");
  list.Add("a", "recorded");
  list.Add("b", "a");
  list.Add("d", "a");
  const auto batches = ImportsByDepth(list.Named());
  REQUIRE(batches.size() == 3);
  CHECK(NamesOf(batches.at(0)) == "a");
  CHECK(NamesOf(batches.at(1)) == "bd");
  CHECK(NamesOf(batches.at(2)) == "c");
}

TEST_CASE("the import command refuses recorded resources, and unknown parents") {
  Rows rows;
  rows.SetBase({Share(StateOf("a"))});
  rows.Publish(Share(StateOf("made")), false);
  rows.Publish(Share(StateOf("read")), true);
  const auto refused = [&](const char* name, const Urn& parent) {
    State draft = StateOf(name);
    draft.parent = parent;
    return CheckImportable(draft, rows).code();
  };
  const Urn stack = UrnOf("project-stack", "pulumi:pulumi:Stack");
  CHECK(refused("a", stack) == Code::kAlreadyExists);
  CHECK(refused("b", stack) == Code::kOk);
  CHECK(refused("b", UrnOf("made")) == Code::kOk);
  CHECK(refused("b", UrnOf("read")) == Code::kNotFound);
  CHECK(refused("b", UrnOf("nobody")) == Code::kNotFound);
}

TEST_CASE("an import takes the properties that its list names, and all if it names none") {
  List list;
  list.Add("a").properties = {"size", "absent"};
  list.Add("b");
  CHECK(ChosenProperties(list.imports, "a-id") == std::vector<std::string>{"size", "absent"});
  CHECK(ChosenProperties(list.imports, "b-id").empty());
  CHECK(ChosenProperties(list.imports, "nobody").empty());
  const PropertyMap read = {{"size", 1}, {"color", "red"}};
  CHECK(DeepEqual(FilterProperties(read, {"size", "absent"}), PropertyMap{{"size", 1}}));
  CHECK(DeepEqual(FilterProperties(read, {}), read));
}

TEST_CASE("an import takes the read inputs, fills gaps with the supplied ones, and keeps their secrets") {
  const PropertyMap merged = MergeSupplied({{"a", 1}, {"b", Value()}, {"c", 3}},
                                           {{"a", 2}, {"b", 2}, {"c", Value::Secret(Value(9))}, {"d", 4}});
  CHECK(DeepEqual(*merged.Find("a"), Value(1)));
  CHECK(DeepEqual(*merged.Find("b"), Value(2)));
  CHECK(DeepEqual(*merged.Find("c"), Value::Secret(Value(3))));
  CHECK(DeepEqual(*merged.Find("d"), Value(4)));
  State imported = StateOf("a");
  imported.created = "now";
  imported.aliases = {UrnOf("b")};
  const StatePtr found = FoundByImport(imported);
  CHECK(found->created.empty());
  CHECK(found->aliases.empty());
  CHECK(found->id == imported.id);
}

}  // namespace kingpost::import_rules_test
