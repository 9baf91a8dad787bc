// Programs made by chance, changed, broken and interrupted, on the engine: whatever happens, the promises of the stage
// hold, a run that is repeated has nothing to do, and a destroy leaves nothing behind. A failure names its seed.
//
//   KINGPOST_RANDOM_RUNS=20000 kp_tests "[random]"    more of them than the 150 of each kind
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "scenarios/stage.h"

using namespace kingpost::scenarios;

namespace {

unsigned Runs() {
  const char* runs = std::getenv("KINGPOST_RANDOM_RUNS");
  return runs ? static_cast<unsigned>(std::stoul(runs)) : 150;
}

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  std::mt19937 random_;
};

std::string Name(int i) { return "r" + std::to_string(i); }

// An earlier resource, or "".
std::string Earlier(Chance& chance, int i) { return i == 0 ? "" : Name(chance.Below(i)); }

// Resource `i` of a program: what it says of itself is drawn anew each time, whom it may name is not.
Json RandomResource(Chance& chance, int i) {
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

// Some resources are dropped and some renamed, one in `change_one_in` (0: none). Resources that name a dropped one are
// left out with it. Side by side, who of two is decided on first may make a difference, as it may to users.
Json RandomProgram(Chance& chance, int size, int change_one_in, bool side_by_side) {
  Json resources = Json::array();
  std::vector<std::string> dropped;
  for (int i = 0; i < size; ++i) {
    Json resource = RandomResource(chance, i);
    const std::string text = resource.dump();
    const bool names_dropped =
        std::any_of(dropped.begin(), dropped.end(), [&text](const std::string& name) { return Mentions(text, name); });
    if (names_dropped || (change_one_in > 0 && chance.OneIn(change_one_in))) {
      dropped.push_back(Name(i));
      continue;
    }
    if (change_one_in > 0 && chance.OneIn(change_one_in)) Rename(&resource);
    resources.push_back(std::move(resource));
  }
  Json program = side_by_side ? SideBySide(chance, resources) : resources;
  const Json first = {{"component", "home"}};
  const Json second = {{"provider", "cloud"}, {"inputs", {{"region", chance.OneIn(5) ? 1 : 0}}}};
  program.insert(program.begin(), {first, second});
  return program;
}

Json Act(const std::string& run, Json program, Json faults = Json::object()) {
  return {{"run", run}, {"program", std::move(program)}, {"faults", std::move(faults)}};
}

Scenario MakeScenario(std::vector<Json> acts) {
  Scenario scenario;
  scenario.world = {
      {"plugins", {{"pkg", {{"replaces", {"zone"}}, {"configReplaces", {"region"}}, {"adds", {{"made", true}}}}}}}};
  scenario.acts = std::move(acts);
  return scenario;
}

Json RandomFaults(Chance& chance, int size) {
  static const char* const kCalls[] = {"create ", "update ", "delete ", "check ", "diff "};
  Json faults;
  for (int n = 1 + chance.Below(3); n > 0; --n) faults[kCalls[chance.Below(5)] + Name(chance.Below(size))] = "broken";
  return faults;
}

// Who registers first of two that register side by side differs; all else must not.
Json WithoutTimes(Json state) {
  for (Json& resource : state) {
    resource.erase("created");
    resource.erase("modified");
  }
  return state;
}

Json Sorted(Json list) {
  std::sort(list.begin(), list.end());
  return list;
}

bool OnlySames(const Happened& happened) {
  return std::all_of(happened.steps.begin(), happened.steps.end(), [](const Json& step) {
    const std::string text = step;
    return text.rfind("same ", 0) == 0 || text.rfind("refresh ", 0) == 0;
  });
}

// Resources with an owner go with it, without a call.
bool HasOwners(const Json& program) { return program.dump().find("deletedWith") != std::string::npos; }

std::string Story(const std::vector<Happened>& acts) {
  std::string text;
  for (const Happened& act : acts) text += "steps " + act.steps.dump() + "\n";
  return text;
}

}  // namespace

TEST_CASE("random programs come to the same in any order of answers, and go without a trace", "[scenarios][random]") {
  for (unsigned seed = 1, runs = Runs(); seed <= runs; ++seed) {
    Chance chance(seed);
    const int size = 2 + chance.Below(6);
    const Json first = RandomProgram(chance, size, 0, false);
    const Json second = RandomProgram(chance, size, 5, false);
    const Scenario scenario = MakeScenario({Act("up", first), Act("preview", second), Act("up", second),
                                            Act("up --refresh", second), Act("destroy", Json::array())});
    INFO("seed " << seed << "\n" << first.dump(1) << "\n" << second.dump(1));
    const std::vector<Happened> straight = Play(scenario, 0);
    INFO(Story(straight));
    REQUIRE(straight.size() == 5);
    for (const Happened& act : straight) {
      REQUIRE(act.broken == "");
      REQUIRE(act.fails == "");
    }
    CHECK(OnlySames(straight[3]));
    CHECK(straight[4].state == Json::object());
    if (!HasOwners(first) && !HasOwners(second)) CHECK(straight[4].cloud == Json::array());
    for (unsigned order = 1; order <= 2; ++order) {
      const std::vector<Happened> other = Play(scenario, order);
      for (size_t act = 0; act < straight.size(); ++act) {
        INFO("act " << act << ", order " << order);
        REQUIRE(other[act].broken == "");
        REQUIRE(Sorted(other[act].steps) == Sorted(straight[act].steps));
        REQUIRE(WithoutTimes(other[act].state) == WithoutTimes(straight[act].state));
      }
    }
  }
}

TEST_CASE("random failures lose nothing, and the next run makes up for them", "[scenarios][random]") {
  for (unsigned seed = 1, runs = Runs(); seed <= runs; ++seed) {
    Chance chance(seed);
    const int size = 2 + chance.Below(6);
    const Json first = RandomProgram(chance, size, 0, true);
    const Json second = RandomProgram(chance, size, 5, true);
    const std::string run = chance.OneIn(2) ? "up --continue-on-error" : "up";
    const Scenario scenario = MakeScenario(
        {Act(run, first, RandomFaults(chance, size)), Act(run, second, RandomFaults(chance, size)), Act("up", second),
         Act("up", second), Act("destroy --continue-on-error", Json::array(), RandomFaults(chance, size)),
         Act("destroy", Json::array())});
    INFO("seed " << seed << "\n" << scenario.acts[0].dump(1) << "\n" << scenario.acts[1].dump(1));
    const std::vector<Happened> acts = Play(scenario, seed % 4);
    INFO(Story(acts));
    for (const Happened& act : acts) REQUIRE(act.broken == "");
    REQUIRE(acts.size() == 6);
    CHECK(acts[2].fails == "");
    CHECK(OnlySames(acts[3]));
    CHECK(acts[5].state == Json::object());
    if (!HasOwners(first) && !HasOwners(second)) CHECK(acts[5].cloud == Json::array());
  }
}

TEST_CASE("random interruptions leave a record that the next run goes on from", "[scenarios][random]") {
  for (unsigned seed = 1, runs = Runs(); seed <= runs; ++seed) {
    Chance chance(seed);
    const int size = 2 + chance.Below(6);
    const Json first = RandomProgram(chance, size, 0, true);
    const Json second = RandomProgram(chance, size, 5, true);
    const char* const call = chance.OneIn(2) ? "create " : "update ";
    const Json stop = {{call + Name(chance.Below(size)), {{chance.OneIn(2) ? "cancel" : "terminate", true}}}};
    const Scenario scenario =
        MakeScenario({Act("up", first, chance.OneIn(2) ? stop : Json::object()), Act("up", second, stop),
                      Act("up", second), Act("up", second), Act("destroy", Json::array())});
    INFO("seed " << seed << "\n" << scenario.acts[0].dump(1) << "\n" << scenario.acts[1].dump(1));
    const std::vector<Happened> acts = Play(scenario, seed % 4);
    INFO(Story(acts));
    for (const Happened& act : acts) REQUIRE(act.broken == "");
    REQUIRE(acts.size() == 5);
    CHECK(acts[2].fails == "");
    CHECK(OnlySames(acts[3]));
    CHECK(acts[4].state == Json::object());
  }
}
