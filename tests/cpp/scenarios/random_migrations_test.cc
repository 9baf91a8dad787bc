// SPDX-License-Identifier: Apache-2.0
// Runs random state migrations: they rename, retype, fold and split children of components, while resources outside
// depend on these, in programs that register side by side. The next program registers the result of the migrations, so
// no update may change anything. In some acts the journal fails after a number of entries.
//
//   KINGPOST_RANDOM_RUNS=20000 kp_tests "[random]"    more of them than 150
//   KINGPOST_RANDOM_SEED=17 kp_tests "[random]"       that one alone
#include <catch2/catch.hpp>

#include "scenarios/random_programs.h"
#include "scenarios/random_story.h"
#include "scenarios/stage.h"

namespace kingpost::random_migrations_test {

using namespace scenarios;

struct Child {
  std::string name, type, component;
  bool guarded = false;
};

class Teller {
 public:
  explicit Teller(unsigned seed) : chance_(seed) {
    for (int i = 0; i < 2 + chance_.Below(3); ++i) components_.push_back("comp" + std::to_string(i));
    for (const std::string& component : components_) {
      for (int n = chance_.Below(4); n > 0; --n) children_.push_back(NewChild(component));
    }
  }

  std::vector<Json> Tell() {
    std::vector<Json> acts = {{{"run", "up"}, {"program", Program()}}};
    for (int n = 3; n > 0; --n) {
      Migrate();
      Json act = {{"run", "up"}, {"program", Program()}, {"migrations", migrations_}};
      if (chance_.OneIn(3)) {
        Json broken = act;
        broken["journalFails"] = chance_.Below(4);
        acts.push_back(std::move(broken));
      }
      if (chance_.OneIn(3))
        acts.push_back({{"run", "preview"}, {"program", act["program"]}, {"migrations", migrations_}});
      acts.push_back(std::move(act));
    }
    return acts;
  }

 private:
  Child NewChild(const std::string& component) {
    return {"c" + std::to_string(next_++), chance_.OneIn(2) ? "pkg:m:R" : "pkg:m:S", component, chance_.OneIn(4)};
  }

  // Each component has one callback, anew for each change.
  void Migrate() {
    ++round_;
    migrations_ = Json::object();
    for (const std::string& component : components_) {
      Json rule = Json::object();
      const size_t count = children_.size();
      for (size_t i = 0; i < count; ++i) {
        if (children_[i].component != component) continue;
        if (chance_.OneIn(3)) Rename(&children_[i], &rule);
        if (chance_.OneIn(5)) Split(children_[i], &rule);
      }
      migrations_[CallbackOf(component)] = std::move(rule);
    }
  }

  void Rename(Child* child, Json* rule) {
    const std::string before = child->name;
    child->name = "c" + std::to_string(next_++);
    (*rule)["rename"][before] = child->name;
    if (!chance_.OneIn(3)) return;
    child->type = child->type == "pkg:m:R" ? "pkg:m:S" : "pkg:m:R";
    (*rule)["retype"][before] = child->type;
  }

  void Split(const Child& child, Json* rule) {
    Child part = child;
    part.name = "c" + std::to_string(next_++);
    (*rule)["copy"][child.name] = part.name;
    children_.push_back(std::move(part));
  }

  Json Program() {
    Json components = Json::array(), inside = Json::array(), program = Json::array();
    for (const std::string& name : components_) {
      components.push_back({{"component", name}, {"stateMigrations", CallbackOf(name)}});
    }
    Json names = Json::array();
    for (const Child& child : children_) {
      inside.push_back(
          {{"resource", child.name}, {"type", child.type}, {"parent", child.component}, {"protect", child.guarded}});
      names.push_back(child.name);
    }
    const bool side_by_side = chance_.OneIn(2);
    for (Json* part : {&components, &inside}) {
      if (part->empty()) continue;
      if (side_by_side) program.push_back({{"together", *part}});
      if (!side_by_side) program.insert(program.end(), part->begin(), part->end());
    }
    program.push_back({{"resource", "user"}, {"dependsOn", names}});
    // Unchanged and not written yet, when a migration moves it to another place; then its outputs are.
    const auto at = chance_.OneIn(2) ? program.begin() : program.end();
    program.insert(at, Json{{"component", "shell"}});
    program.push_back({{"outputs", "shell"}, {"values", {{"round", round_}}}});
    return program;
  }

  std::string CallbackOf(const std::string& component) const { return "m" + std::to_string(round_) + "-" + component; }

  Chance chance_;
  int next_ = 0, round_ = 0;
  std::vector<std::string> components_;
  std::vector<Child> children_;
  Json migrations_;
};

// Says what is wrong; "" if nothing is.
std::string Look(const Json& act, const Happened& happened) {
  if (!happened.broken.empty()) return happened.broken;
  if (act.contains("journalFails")) return "";
  if (!happened.fails.empty()) return happened.fails + " " + happened.says.dump();
  if (!act.contains("migrations")) return "";
  for (const Json& step : happened.steps) {
    if (step.get<std::string>().rfind("same ", 0) != 0) return step;
  }
  return "";
}

TEST_CASE("a program continues from the states that random migrations made", "[scenarios][random]") {
  ForEachSeed([](unsigned seed) {
    const std::vector<Json> acts = Teller(seed).Tell();
    Scenario scenario = MakeScenario(acts);
    const std::vector<Happened> happened = Play(scenario, seed % 4);
    for (size_t i = 0; i < happened.size(); ++i) {
      const std::string wrong = Look(acts[i], happened[i]);
      if (wrong.empty()) continue;
      FAIL_CHECK("seed " << seed << ", acts[" << i << "]: " << wrong << "\n" << Json(acts).dump(1));
      break;
    }
  });
}

}  // namespace kingpost::random_migrations_test
