// SPDX-License-Identifier: Apache-2.0
#include "scenarios/random_story.h"

namespace kingpost::scenarios {

namespace {

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
    acts[0]["cloud"]["seen-1"] = {{"inputs", Json::object()}, {"outputs", {{"made", true}}}};
    for (int n = 3 + chance_.Below(5); n > 0; --n) {
      acts.push_back(RandomAct());
      if (chance_.OneIn(6)) AddPlannedUpdate(&acts);
    }
    AddRest(&acts);
    return acts;
  }

 private:
  // Adds the last acts, in which nothing is protected, forbidden or broken.
  void AddRest(std::vector<Json>* acts) {
    Json act = Begin("up --refresh --ignore-protect --clear-pending-creates");
    shape_.at_rest = true;
    Change(&act);
    act["policies"] = Json::array();
    acts->push_back(act);
    for (const char* run : {"preview", "up", "up", "refresh", "preview"}) acts->push_back(Begin(run));
    const bool with_program = chance_.OneIn(3);
    acts->push_back(Begin(with_program ? "destroy --ignore-protect --run-program" : "destroy --ignore-protect"));
  }

  // An update is previewed, and then does what was planned.
  void AddPlannedUpdate(std::vector<Json>* acts) {
    std::string flags = Constraint("up");
    if (chance_.OneIn(3)) flags += " --refresh";
    Json preview = Begin("preview --save-plan" + flags);
    if (chance_.OneIn(2)) Change(&preview);
    acts->push_back(preview);
    acts->push_back(Begin("up --plan" + flags));
  }

  Json Begin(const std::string& run) const { return {{"run", run}, {"faults", Json::object()}}; }

  void Change(Json* act) {
    (*act)["program"] = RandomProgram(chance_, shape_);
    (*act)["plugins"] = RandomKit(chance_);
    (*act)["plugins"]["pkg"]["refreshBeforeUpdate"] = chance_.OneIn(3) ? Json::array({AnyOfMine()}) : Json::array();
    (*act)["plugins"]["pkg"]["deleteBeforeReplace"] = chance_.OneIn(6);
    (*act)["plugins"]["pkg"]["detailed"] = chance_.OneIn(3);
    (*act)["transforms"] = {{"mark", {{"only", "pkg:m:R"}, {"set", {{"marked", chance_.Below(2)}}}}}};
    shape_.change_one_in = 6;
    if (!shape_.at_rest && chance_.OneIn(8)) AddImport(act);
    if (chance_.OneIn(4)) (*act)["program"].push_back(Seen());
    if (!shape_.at_rest && chance_.OneIn(10)) AddError(&(*act)["program"]);
  }

  // Reads a resource that the stack does not own.
  Json Seen() {
    Json seen = {{"read", "seen"}, {"id", "seen-1"}};
    if (chance_.OneIn(2)) seen["provider"] = "cloud";
    return seen;
  }
  // Ends the program with an error somewhere in the middle.
  void AddError(Json* program) {
    const int place = chance_.Below(static_cast<int>(program->size()));
    const Json error = {{"error", "the program broke"}};
    program->insert(program->begin() + place, error);
  }
  // Imports something that exists already.
  void AddImport(Json* act) {
    const Json inputs = {{"size", chance_.Below(2)}};
    (*act)["cloud"]["found-1"] = {{"inputs", inputs}, {"outputs", {{"size", inputs["size"]}, {"made", true}}}};
    (*act)["program"].push_back(
        {{"resource", "found"}, {"import", "found-1"}, {"inputs", {{"size", chance_.Below(2)}}}});
  }

  std::string AnyOfMine() { return Name(chance_.Below(shape_.size)); }
  std::string Any() {
    static const char* const kOthers[] = {"kit", "part0", "part1", "seed", "home", "cloud"};
    return chance_.OneIn(5) ? kOthers[chance_.Below(6)] : AnyOfMine();
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
    if (chance_.OneIn(4)) run += " --parallel " + std::to_string(1 + chance_.Below(3));
    if (chance_.OneIn(8)) run += chance_.OneIn(2) ? " --legacy-diff" : " --legacy-refresh-diff";
    return run;
  }
  Json RandomAct() {
    Json act = Begin(RandomRun());
    if (chance_.OneIn(2)) Change(&act);
    if (chance_.OneIn(4)) act["faults"] = RandomFaults(chance_, shape_.size);
    if (chance_.OneIn(8)) act["faults"][OtherCall()] = "broken";
    if (chance_.OneIn(8)) act["faults"][AnyCall()] = {{chance_.OneIn(2) ? "cancel" : "terminate", true}};
    if (chance_.OneIn(8)) act["journalFails"] = chance_.Below(30);
    if (chance_.OneIn(4)) act["edit"][AnyOfMine()] = {{"protect", chance_.OneIn(2)}};
    if (chance_.OneIn(6)) act["taint"] = Json::array({AnyOfMine()});
    for (int n = chance_.OneIn(4) ? 1 + chance_.Below(3) : 0; n > 0; --n) act["cloudOf"][Any()] = Drift();
    if (chance_.OneIn(4)) act["policies"] = Policies();
    return act;
  }
  std::string OtherCall() {
    static const char* const kCalls[] = {"checkconfig cloud", "diffconfig cloud", "configure cloud", "construct kit",
                                         "create part0",      "update seed",      "delete part1"};
    return kCalls[chance_.Below(7)];
  }
  std::string AnyCall() {
    static const char* const kVerbs[] = {"check ", "diff ", "create ", "update ", "delete ", "read "};
    return chance_.OneIn(4) ? OtherCall() : kVerbs[chance_.Below(6)] + AnyOfMine();
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

}  // namespace

std::vector<Json> TellStory(unsigned seed) { return Teller(seed).Tell(); }

bool Contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace kingpost::scenarios
