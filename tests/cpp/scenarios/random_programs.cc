// SPDX-License-Identifier: Apache-2.0
#include "scenarios/random_programs.h"

#include <algorithm>

namespace kingpost::scenarios {

namespace {

// An earlier resource.
std::string Earlier(Chance& chance, int i) { return Name(chance.Below(i)); }

void AddHook(Chance& chance, Json* resource) {
  static const char* const kKinds[] = {"beforeCreate", "afterCreate",  "beforeUpdate",
                                       "afterUpdate",  "beforeDelete", "afterDelete"};
  (*resource)["hooks"][kKinds[chance.Below(6)]] = Json::array({"guard"});
}

void AddOptions(Chance& chance, const Shape& shape, Json* resource) {
  if (!shape.at_rest && chance.OneIn(8)) (*resource)["protect"] = true;
  if (!shape.at_rest && chance.OneIn(8)) AddHook(chance, resource);
  if (chance.OneIn(8)) (*resource)["hooks"]["onError"] = Json::array({"again"});
  if (chance.OneIn(6)) (*resource)["replacementTrigger"] = chance.Below(2);
  if (chance.OneIn(10)) (*resource)["retainOnDelete"] = true;
  if (chance.OneIn(10)) (*resource)["ignoreChanges"] = Json::array({"size"});
  if (chance.OneIn(10)) (*resource)["replaceOnChanges"] = Json::array({"size"});
  if (chance.OneIn(8)) (*resource)["dependsOn"].push_back("kit");
}

Json RandomResource(Chance& chance, const Shape& shape, int i) {
  Json resource = {{"resource", Name(i)}, {"inputs", {{"size", chance.Below(2)}}}};
  if (chance.OneIn(3)) resource["inputs"]["zone"] = chance.Below(2);
  if (i > 0 && chance.OneIn(2)) resource["inputs"]["from"] = "${" + Earlier(chance, i) + ".id}";
  if (i > 0 && chance.OneIn(4)) resource["dependsOn"] = Json::array({Earlier(chance, i)});
  if (i > 0 && chance.OneIn(5)) resource["replaceWith"] = Json::array({Earlier(chance, i)});
  if (i > 0 && chance.OneIn(6)) resource["deletedWith"] = Earlier(chance, i);
  if (i % 3 == 0) resource["parent"] = "home";
  if (chance.OneIn(4)) resource["provider"] = "cloud";
  if (chance.OneIn(4)) resource["deleteBeforeReplace"] = true;
  if (chance.OneIn(4)) resource["inputs"]["word"] = {{"$secret", "hush"}};
  if (shape.all_options) AddOptions(chance, shape, &resource);
  return resource;
}

void Rename(Json* resource) {
  const std::string name = (*resource)["resource"];
  (*resource)["resource"] = name + "-new";
  (*resource)["as"] = name;
  (*resource)["aliases"] = Json::array({{{"name", name}}});
}

bool Mentions(const std::string& text, const std::string& name) {
  return text.find("\"" + name + "\"") != text.npos || text.find("${" + name + ".") != text.npos;
}

// Neighbours that do not mention each other register side by side, now and then.
Json SideBySide(Chance& chance, const Json& resources) {
  Json program = Json::array();
  Json group = Json::array();
  const auto close = [&] {
    if (group.size() > 1) {
      program.push_back({{"together", group}});
    } else if (!group.empty()) {
      program.push_back(group[0]);
    }
    group = Json::array();
  };
  for (const Json& resource : resources) {
    const std::string text = resource.dump();
    const bool apart = std::any_of(group.begin(), group.end(), [&text](const Json& earlier) {
      return Mentions(text, earlier.value("as", earlier["resource"].get<std::string>()));
    });
    if (apart || chance.OneIn(3)) close();
    group.push_back(resource);
  }
  close();
  return program;
}

// The provider of some, and what is not drawn for each resource.
Json Preamble(Chance& chance, const Shape& shape) {
  Json provider = {{"provider", "cloud"}, {"inputs", {{"region", chance.OneIn(5) ? 1 : 0}}}};
  Json statements = Json::array({{{"component", "home"}}});
  if (shape.all_options) {
    statements.push_back({{"hook", "guard"}});
    if (!shape.at_rest && chance.OneIn(3)) statements.back()["error"] = "no";
    statements.push_back({{"errorHook", "again"}, {"retries", 1}});
    if (chance.OneIn(4)) statements.push_back({{"stackTransform", "mark"}});
    if (chance.OneIn(3)) provider["inputs"]["tier"] = chance.Below(3);
    if (chance.OneIn(3)) {
      // Another resource makes an input of the provider.
      statements.push_back({{"resource", "seed"}, {"inputs", {{"size", chance.Below(2)}}}});
      if (chance.OneIn(3)) statements.back()["inputs"]["zone"] = chance.Below(2);
      provider["inputs"][chance.OneIn(2) ? "from" : "region"] = "${seed.id}";
    }
  }
  statements.push_back(provider);
  if (!shape.all_options) return statements;
  Json kit = {{"component", "kit"}, {"type", "pkg:m:Kit"}, {"remote", true}, {"inputs", {{"size", chance.Below(2)}}}};
  if (!shape.at_rest && chance.OneIn(8)) kit["protect"] = true;
  if (chance.OneIn(3)) kit["providers"] = Json::array({"cloud"});
  if (chance.OneIn(3)) kit["parent"] = "home";
  statements.push_back(kit);
  return statements;
}

// It failed, and yet something is there.
Json HalfDone(Chance& chance, const std::string& name) {
  const Json partial = {{"id", name + "-" + std::to_string(1000 + chance.Below(1000000))},
                        {"outputs", {{"size", chance.Below(2)}, {"made", true}}},
                        {"reasons", {"not healthy"}}};
  return {{"error", "not healthy"}, {"partial", partial}};
}

}  // namespace

std::string Name(int i) { return "r" + std::to_string(i); }

// Drops the resources that refer to a dropped one. Of two that register side by side, the order of decisions may make a
// difference, as it may for users.
Json RandomProgram(Chance& chance, const Shape& shape) {
  Json resources = Json::array();
  std::vector<std::string> dropped;
  for (int i = 0; i < shape.size; ++i) {
    Json resource = RandomResource(chance, shape, i);
    const std::string text = resource.dump();
    const bool names_dropped =
        std::any_of(dropped.begin(), dropped.end(), [&text](const std::string& name) { return Mentions(text, name); });
    if (names_dropped || (shape.change_one_in > 0 && chance.OneIn(shape.change_one_in))) {
      dropped.push_back(Name(i));
      continue;
    }
    if (shape.change_one_in > 0 && chance.OneIn(shape.change_one_in)) Rename(&resource);
    resources.push_back(std::move(resource));
  }
  Json program = Preamble(chance, shape);
  for (Json& statement : shape.side_by_side ? SideBySide(chance, resources) : resources) {
    program.push_back(std::move(statement));
  }
  return program;
}

Json RandomKit(Chance& chance) {
  Json program = Json::array();
  for (int i = 0, size = 1 + chance.Below(3); i < size; ++i) {
    Json resource = {{"resource", "part" + std::to_string(i)}, {"inputs", {{"size", chance.Below(2)}}}};
    if (chance.OneIn(4)) resource["inputs"]["zone"] = chance.Below(2);
    if (i > 0 && chance.OneIn(2)) resource["inputs"]["from"] = "${part" + std::to_string(i - 1) + ".id}";
    program.push_back(std::move(resource));
  }
  return {{"pkg", {{"components", {{"pkg:m:Kit", {{"program", program}}}}}}}};
}

Json RandomFaults(Chance& chance, int size) {
  static const char* const kCalls[] = {"create ", "update ", "delete ", "check ", "diff ", "read "};
  Json faults;
  for (int n = 1 + chance.Below(3); n > 0; --n) {
    const int call = chance.Below(6);
    const std::string name = Name(chance.Below(size));
    Json& fault = faults[kCalls[call] + name];
    fault = "broken";
    if (call < 2 && chance.OneIn(3)) fault = HalfDone(chance, name);
  }
  return faults;
}

Json WorldOfPrograms() {
  const Json plugin = {{"replaces", {"zone"}}, {"configReplaces", {"region"}}, {"adds", {{"made", true}}}};
  return {{"plugins", {{"pkg", plugin}}}};
}

Json Act(const std::string& run, Json program, Json faults) {
  return {{"run", run}, {"program", std::move(program)}, {"faults", std::move(faults)}};
}

Scenario MakeScenario(std::vector<Json> acts) {
  Scenario scenario;
  scenario.world = WorldOfPrograms();
  scenario.acts = std::move(acts);
  return scenario;
}

Json Sorted(Json list) {
  std::sort(list.begin(), list.end());
  return list;
}

bool OnlySames(const Happened& happened) {
  return std::all_of(happened.steps.begin(), happened.steps.end(), [](const Json& step) {
    const std::string text = step;
    return text.rfind("same ", 0) == 0 || text.rfind("refresh ", 0) == 0 || text.rfind("read ", 0) == 0;
  });
}

bool HasOwners(const Json& program) { return program.dump().find("deletedWith") != std::string::npos; }

std::string Story(const std::vector<Happened>& acts) {
  std::string text;
  for (const Happened& act : acts) text += "steps " + act.steps.dump() + "\n";
  return text;
}

}  // namespace kingpost::scenarios
