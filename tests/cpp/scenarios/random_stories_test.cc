// Long stories made by chance: updates, refreshes and destroys with targets and excludes, of programs with protected
// and retained resources, remote components and providers whose configuration changes, under policies, while things
// change and vanish in the cloud and calls fail. After each act the stage's promises hold and what the flags forbid has
// not happened; at the end all comes to rest, and a destroy leaves nothing but what it is to leave.
//
//   KINGPOST_RANDOM_RUNS=20000 kp_tests "[random]"    more of them than 150
//   KINGPOST_RANDOM_SEED=17 kp_tests "[random]"       that one alone
//   both                                              so many from that one on
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "scenarios/random_programs.h"

using namespace kingpost::scenarios;

namespace {

using NameSet = std::set<std::string>;

bool Contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// ---- the story

class Teller {
 public:
  explicit Teller(unsigned seed) : chance_(seed) {
    shape_.size = 3 + chance_.Below(5);
    shape_.side_by_side = chance_.OneIn(2);
    shape_.all_options = true;
  }

  std::vector<Json> Tell() {
    std::vector<Json> acts = {Begin("up")};
    Change(&acts[0]);
    for (int n = 3 + chance_.Below(5); n > 0; --n) acts.push_back(RandomAct());
    // Everything comes to rest: nothing is guarded, forbidden or broken any more.
    Json act = Begin("up --refresh --ignore-protect");
    shape_.may_protect = false;
    Change(&act);
    act["policies"] = Json::array();
    acts.push_back(act);
    for (const char* run : {"preview", "up", "up", "refresh", "preview"}) acts.push_back(Begin(run));
    const bool with_program = chance_.OneIn(3);
    acts.push_back(Begin(with_program ? "destroy --ignore-protect --run-program" : "destroy --ignore-protect"));
    return acts;
  }
  static constexpr size_t kRest = 7;  // the acts at the end

 private:
  Json Begin(const std::string& run) const { return {{"run", run}, {"faults", Json::object()}}; }

  void Change(Json* act) {
    (*act)["program"] = RandomProgram(chance_, shape_);
    (*act)["plugins"] = RandomKit(chance_);
    shape_.change_one_in = 6;
  }
  std::string Any() {
    static const char* const kOthers[] = {"kit", "part0", "part1", "seed", "home", "cloud"};
    return chance_.OneIn(5) ? kOthers[chance_.Below(6)] : Name(chance_.Below(shape_.size));
  }
  std::string Some(const std::string& flag) {
    std::string flags;
    for (int n = 1 + chance_.Below(2); n > 0; --n) flags += " --" + flag + " " + Any();
    return flags;
  }
  std::string Constraint(const std::string& verb) {
    if (chance_.OneIn(3)) return "";
    if (chance_.OneIn(2)) return Some("target") + (chance_.OneIn(2) || verb == "destroy" ? " --target-dependents" : "");
    return Some("exclude") + (chance_.OneIn(2) ? " --exclude-dependents" : "");
  }
  std::string RandomRun() {
    static const char* const kVerbs[] = {"up", "up", "up", "preview", "refresh", "destroy"};
    const std::string verb = kVerbs[chance_.Below(6)];
    std::string run = verb + Constraint(verb);
    if ((verb == "up" || verb == "preview") && chance_.OneIn(6))
      run += Some(chance_.OneIn(2) ? "replace" : "target-replace");
    if (verb != "refresh" && chance_.OneIn(4)) run += " --refresh";
    if ((verb == "refresh" || verb == "destroy" || Contains(run, "--refresh")) && chance_.OneIn(3))
      run += " --run-program";
    if (verb == "refresh" && chance_.OneIn(5)) run += " --preview-only";
    if (verb == "destroy" && chance_.OneIn(4)) run += " --exclude-protected";
    if (chance_.OneIn(5)) run += " --ignore-protect";
    if (chance_.OneIn(3)) run += " --continue-on-error";
    return run;
  }
  Json RandomAct() {
    Json act = Begin(RandomRun());
    if (chance_.OneIn(2)) Change(&act);
    if (chance_.OneIn(4)) act["faults"] = RandomFaults(chance_, shape_.size);
    if (chance_.OneIn(4)) act["edit"][Name(chance_.Below(shape_.size))] = {{"protect", chance_.OneIn(2)}};
    if (chance_.OneIn(6)) act["taint"] = Json::array({Name(chance_.Below(shape_.size))});
    for (int n = chance_.OneIn(4) ? 1 + chance_.Below(3) : 0; n > 0; --n) act["cloudOf"][Any()] = Drift();
    if (chance_.OneIn(4)) act["policies"] = Policies();
    return act;
  }
  Json Drift() {
    if (chance_.OneIn(2)) return Json();
    const Json properties = {{"size", chance_.Below(3)}, {"made", true}};
    return {{"inputs", {{"size", chance_.Below(3)}}}, {"outputs", properties}};
  }
  Json Policies() {
    static const char* const kLevels[] = {"mandatory", "advisory", "disabled"};
    Json rules = Json::array();
    for (int n = 1 + chance_.Below(2); n > 0; --n) {
      Json rule = {{"name", "rule" + std::to_string(n)}, {"type", "pkg:m:R"}, {"when", {{"size", chance_.Below(2)}}}};
      if (chance_.OneIn(3)) {
        rule["level"] = "remediate";
        rule["set"] = {{"size", 5}};
      } else {
        rule["level"] = kLevels[chance_.Below(3)];
        rule["stack"] = chance_.OneIn(4);
      }
      rules.push_back(rule);
    }
    return Json::array({{{"pack", "pack"}, {"rules", rules}}});
  }

  Chance chance_;
  Shape shape_;
};

// ---- what must hold

struct StepLine {
  std::string op, name;
  bool failed = false;
};

StepLine Parse(const std::string& text) {
  StepLine line;
  const size_t space = text.find(' ');
  line.op = text.substr(0, space);
  line.name = text.substr(space + 1, text.find(' ', space + 1) - space - 1);
  line.failed = Contains(text, " failed");
  return line;
}

// The words after a flag, wherever it stands.
NameSet Named(const std::string& run, const std::string& flag) {
  NameSet names;
  for (size_t at = run.find(flag + " "); at != run.npos; at = run.find(flag + " ", at + 1)) {
    const size_t begin = at + flag.size() + 1;
    names.insert(run.substr(begin, run.find(' ', begin) - begin));
  }
  return names;
}

// Follows a story and says what is wrong with an act of it.
class Observer {
 public:
  std::string Look(const Json& act, const Happened& happened) {
    if (!happened.broken.empty()) return happened.broken;
    Remember(act);
    const std::string run = act["run"];
    steps_.clear();
    for (const Json& step : happened.steps) steps_.push_back(Parse(step));
    std::string wrong = CheckConstraints(run);
    if (wrong.empty()) wrong = CheckProtection(run, act, happened);
    if (wrong.empty()) wrong = CheckPolicies(run, happened);
    if (wrong.empty() && !Contains(run, "preview")) wrong = CheckCloud(happened);
    before_ = happened.state;
    return wrong;
  }
  // What may be in the cloud although nobody knows of it.
  bool MayLinger(const std::string& id) const { return lingering_.count(id.substr(0, id.rfind('-'))) > 0; }

 private:
  void Remember(const Json& act) {
    if (act.contains("program")) program_ = act["program"];
    if (act.contains("policies")) policies_ = act["policies"];
    if (act.contains("cloudOf")) drifted_ = true;
    Visit(program_);
  }
  void Visit(const Json& statements) {
    for (const Json& statement : statements) {
      if (statement.contains("together")) Visit(statement["together"]);
      if (!statement.contains("resource")) continue;
      const std::string name = statement["resource"];
      if (statement.contains("as")) renamed_.insert(statement["as"].get<std::string>());
      if (!statement.contains("retainOnDelete") && !statement.contains("deletedWith")) continue;
      lingering_.insert(name);
      lingering_.insert(statement.value("as", name));
    }
  }

  // A resource that was not to be touched has not been, unless it was replaced with another. Only those of which there
  // is one, with a URN that is always the same, are looked at; and a preview goes on to tell all that is wrong with the
  // flags.
  std::string CheckConstraints(const std::string& run) const {
    if (Contains(run, "preview")) return "";
    NameSet targets = Named(run, "--target");
    targets.merge(Named(run, "--target-replace"));
    const NameSet excludes = Named(run, "--exclude");
    for (const StepLine& step : steps_) {
      const bool touches = step.op == "create" || step.op == "update" || step.op == "delete" || step.op == "refresh";
      if (!touches || !IsOneOfItsName(step.name)) continue;
      const bool reached = targets.count(step.name) > 0 || Contains(run, "--target-dependents");
      if (!targets.empty() && !reached) return "not a target: " + step.op + " " + step.name;
      if (targets.empty() && excludes.count(step.name) > 0) return "excluded: " + step.op + " " + step.name;
    }
    return "";
  }
  // A delete of something by that name may be one of an old side that waited for it.
  bool IsOneOfItsName(const std::string& name) const {
    return name[0] == 'r' && renamed_.count(name) == 0 && !before_.contains(name + " deleted");
  }

  std::string CheckProtection(const std::string& run, const Json& act, const Happened&) const {
    if (Contains(run, "--ignore-protect") || Contains(run, "refresh")) return "";
    const bool unprotects = Contains(run, "destroy") && Contains(run, "--run-program");
    for (const StepLine& step : steps_) {
      if (step.op != "delete" || step.failed || unprotects || !IsOneOfItsName(step.name)) continue;
      Json recorded = before_.value(step.name, Json::object());
      recorded.update(Mapping(Mapping(act, "edit"), step.name));
      if (recorded.value("protect", false)) return "protected: delete " + step.name;
    }
    return "";
  }

  // What was made or changed under a mandatory rule keeps it, and under a remediation is as that says.
  std::string CheckPolicies(const std::string& run, const Happened& happened) const {
    if (!Contains(run, "up")) return "";
    for (const StepLine& step : steps_) {
      const bool makes = step.op == "create" || step.op == "update" || step.op == "create-replacement";
      if (!makes || step.failed || !happened.state.contains(step.name)) continue;
      const Json& state = happened.state[step.name];
      const Json size = state["inputs"].value("size", Json());
      for (const Json& rule : policies_.empty() ? Json::array() : policies_[0]["rules"]) {
        const bool holds = rule["level"] == "remediate" || (rule["level"] == "mandatory" && !rule["stack"]);
        if (holds && state["type"] == rule["type"] && size == rule["when"]["size"]) {
          return "against " + rule["name"].get<std::string>() + ": " + step.op + " " + step.name;
        }
      }
    }
    return "";
  }

  // All that exists is known, and all that is known exists.
  std::string CheckCloud(const Happened& happened) const {
    NameSet known, exists;
    for (const Json& id : happened.cloud) exists.insert(id.get<std::string>());
    for (const auto& [name, state] : happened.state.items()) {
      const std::string id = state.value("id", "");
      if (id.empty() || !state.value("custom", false)) continue;
      known.insert(id);
      const bool gone = state.value("pendingReplacement", false) || drifted_;
      if (!gone && exists.count(id) == 0) return "recorded, but not there: " + name + " " + id;
    }
    for (const std::string& id : exists) {
      if (known.count(id) == 0 && !MayLinger(id)) return "there, but not recorded: " + id;
    }
    return "";
  }

  std::vector<StepLine> steps_;
  Json before_ = Json::object(), program_ = Json::array(), policies_ = Json::array();
  NameSet renamed_, lingering_;
  bool drifted_ = false;
};

std::string Words(const std::vector<Json>& acts, const std::vector<Happened>& happened) {
  std::string text;
  for (size_t i = 0; i < happened.size(); ++i) {
    text += "acts[" + std::to_string(i) + "] " + acts[i].dump() + "\n    steps " + happened[i].steps.dump() +
            "\n    says " + happened[i].says.dump() + "\n    fails " + happened[i].fails + "\n";
  }
  return text;
}

// What is wrong at the end, when nothing stands in the way any more.
std::string LookAtRest(const std::vector<Happened>& acts, const Observer& observer) {
  const auto rest = acts.end() - Teller::kRest;
  const Happened &settle = rest[0], &preview = rest[1], &again = rest[2], &third = rest[3], &refresh = rest[4],
                 &after = rest[5], &destroy = rest[6];
  for (size_t i = 0; i < Teller::kRest; ++i) {
    if (!rest[i].fails.empty()) return "the run at rest fails: " + std::to_string(i);
  }
  if (OnlySames(preview) && !OnlySames(again)) return "the preview was wrong";
  if (!OnlySames(again) || !OnlySames(third)) return "the repeated update has something to do";
  if (refresh.has_changes) return "the refresh finds changes";
  if (!OnlySames(after)) return "after the refresh there is something to do";
  if (settle.state.empty()) return "nothing was made";
  if (destroy.state != Json::object()) return "the destroy leaves something in the record";
  for (const Json& id : destroy.cloud) {
    if (!observer.MayLinger(id)) return "the destroy leaves in the cloud: " + id.get<std::string>();
  }
  return "";
}

}  // namespace

TEST_CASE("random stories keep to their flags, come to rest and leave nothing", "[scenarios][random]") {
  ForEachSeed([](unsigned seed) {
    const std::vector<Json> acts = Teller(seed).Tell();
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
