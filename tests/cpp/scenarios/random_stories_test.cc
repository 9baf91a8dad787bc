// SPDX-License-Identifier: Apache-2.0
// Runs long random stories: updates, refreshes and destroys with targets and excludes. Their programs have protected
// and retained resources, remote components, and providers whose configuration changes. There are policies, things
// change and vanish in the cloud, and calls fail.
//
// After each act the stage's promises hold, and nothing that the flags forbid has happened. At the end the stack comes
// to rest, and a destroy leaves only what it has to leave.
//
//   KINGPOST_RANDOM_RUNS=20000 kp_tests "[random]"    more of them than 150
//   KINGPOST_RANDOM_SEED=17 kp_tests "[random]"       that one alone
//   both                                              so many from that one on
#include <catch2/catch.hpp>

#include "scenarios/story_observer.h"

namespace kingpost::random_stories_test {

using namespace scenarios;

std::string Words(const std::vector<Json>& acts, const std::vector<Happened>& happened) {
  std::string text;
  for (size_t i = 0; i < happened.size(); ++i) {
    std::string plan;
    for (const auto& [name, planned] : happened[i].plan.items()) {
      plan += " " + name + planned.value("steps", Json()).dump();
    }
    if (!plan.empty()) plan = "\n    plan" + plan;
    text += "acts[" + std::to_string(i) + "] " + acts[i].dump() + "\n    steps " + happened[i].steps.dump() +
            "\n    says " + happened[i].says.dump() + "\n    fails " + happened[i].fails + plan + "\n";
  }
  return text;
}

// Says what is wrong with the last acts, which run without obstacles; "" if nothing is.
std::string LookAtRest(const std::vector<Happened>& acts, const Observer& observer) {
  const auto rest = acts.end() - kRestActs;
  const Happened &settle = rest[0], &preview = rest[1], &again = rest[2], &third = rest[3], &refresh = rest[4],
                 &after = rest[5], &destroy = rest[6];
  for (size_t i = 0; i < kRestActs; ++i) {
    if (!rest[i].fails.empty()) return "the run at rest fails: " + std::to_string(i);
  }
  if (OnlySames(preview) && !OnlySames(again)) return "the preview was wrong";
  if (!OnlySames(again) || !OnlySames(third)) return "the repeated update has something to do";
  if (refresh.has_changes) return "the refresh finds changes";
  if (!OnlySames(after)) return "after the refresh there is something to do";
  if (settle.state.empty()) return "nothing was made";
  if (destroy.state != Json::object()) return "the destroy leaves something in the record";
  for (const Json& id : destroy.cloud) {
    if (id != "seen-1" && !observer.MayLinger(id)) return "the destroy leaves in the cloud: " + id.get<std::string>();
  }
  return "";
}

TEST_CASE("random stories obey their flags, settle and leave nothing", "[scenarios][random][long]") {
  ForEachSeed([](unsigned seed) {
    const std::vector<Json> acts = TellStory(seed);
    const std::vector<Happened> happened = Play(MakeScenario(acts), seed % 4);
    Observer observer;
    std::string wrong;
    for (size_t i = 0; i < happened.size() && wrong.empty(); ++i) {
      wrong = observer.Look(acts[i], happened[i]);
      if (!wrong.empty()) wrong = "acts[" + std::to_string(i) + "]: " + wrong;
    }
    if (wrong.empty()) wrong = LookAtRest(happened, observer);
    if (!wrong.empty()) FAIL_CHECK("seed " << seed << ": " << wrong << "\n" << Words(acts, happened));
  });
}

}  // namespace kingpost::random_stories_test
