// SPDX-License-Identifier: Apache-2.0
#include "simulation/shrink.h"

namespace kingpost::simulation {

namespace {

constexpr int kAttemptsMax = 200;

// The word before the colon: "orphan", "lost", ...
std::string KindOf(const std::string& what) { return what.substr(0, what.find(':')); }

class Shrinker {
 public:
  Shrinker(Json story, Failure failure) : story_(std::move(story)), failure_(std::move(failure)) {}

  Json Run() {
    if (failure_.crash.is_object()) {
      const int act = failure_.crash["act"];
      story_["acts"].erase(story_["acts"].begin() + act + 1, story_["acts"].end());
      story_["exploreFrom"] = act;
    }
    while (ShrinkOnce()) {
    }
    story_.erase("exploreFrom");
    // A story that fails without a crash is kept without one.
    if (failure_.crash.is_object()) story_["crash"] = failure_.crash;
    story_["about"] = failure_.what;
    return story_;
  }

 private:
  bool ShrinkOnce() {
    bool smaller = false;
    for (size_t i = story_["acts"].size(); i-- > 0;) {
      smaller |= TryWithout("/acts/" + std::to_string(i));
    }
    for (size_t i = 0; i < story_["acts"].size(); ++i) {
      const std::string act = "/acts/" + std::to_string(i);
      smaller |= TryWithout(act + "/faults");
      for (const std::string& key : TroubleKeys()) smaller |= TryWithout(act + "/" + key);
      smaller |= ShrinkMembers(act + "/faults");
      smaller |= ShrinkProgram(act + "/program");
    }
    return smaller;
  }

  bool ShrinkProgram(const std::string& program) {
    bool smaller = ShrinkMembers(program);
    for (size_t i = 0; i < At(program).size(); ++i) {
      const std::string statement = program + "/" + std::to_string(i);
      if (At(statement).contains("together")) {
        smaller |= ShrinkProgram(statement + "/together");
      } else {
        smaller |= ShrinkMembers(statement);
        smaller |= ShrinkMembers(statement + "/inputs");
      }
    }
    return smaller;
  }

  const Json& At(const std::string& pointer) const {
    static const Json& kNone = *new Json();
    const Json::json_pointer at(pointer);
    return story_.contains(at) ? story_.at(at) : kNone;
  }

  // Leaves out one member after the other, of a list or of a mapping.
  bool ShrinkMembers(const std::string& pointer) {
    bool smaller = false;
    std::vector<std::string> keys;
    if (At(pointer).is_array()) {
      for (size_t i = At(pointer).size(); i-- > 0;) keys.push_back(std::to_string(i));
    } else {
      for (const auto& [key, value] : At(pointer).items()) keys.push_back(key);
    }
    // The key that gives the kind of the statement stays.
    const std::string kind = At(pointer).is_object() ? scenarios::KindOf(At(pointer)) : "";
    for (const std::string& key : keys) {
      if (key != kind) smaller |= TryWithout(pointer + "/" + key);
    }
    return smaller;
  }

  bool TryWithout(const std::string& pointer) {
    const Json::json_pointer at(pointer);
    if (!story_.contains(at)) return false;
    Json candidate = story_;
    Json& owner = candidate.at(at.parent_pointer());
    if (owner.is_array()) {
      owner.erase(static_cast<size_t>(std::stoul(at.back())));
    } else {
      owner.erase(at.back());
    }
    if (candidate["acts"].empty() || ++attempts_ > kAttemptsMax) return false;
    candidate["exploreFrom"] =
        std::min<int>(candidate.value("exploreFrom", 0), static_cast<int>(candidate["acts"].size()) - 1);
    try {
      Tally ignored;
      Failure failure = Explore(candidate, &ignored);
      if (failure.what.empty() || KindOf(failure.what) != KindOf(failure_.what)) return false;
      story_ = std::move(candidate);
      failure_ = std::move(failure);
      return true;
    } catch (const std::exception&) {  // no longer a story: something names what is left out
      return false;
    }
  }

  Json story_;
  Failure failure_;
  int attempts_ = 0;
};

}  // namespace

Json Shrink(Json story, const Failure& failure) { return Shrinker(std::move(story), failure).Run(); }

}  // namespace kingpost::simulation
