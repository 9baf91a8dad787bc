// SPDX-License-Identifier: Apache-2.0
// Every scenario of tests/scenarios on the engine, with the world's answers in several orders.
//
//   KINGPOST_SCENARIO=TEXT kp_tests "[scenarios]"    those alone whose file names hold the text
//   KINGPOST_TELL_REASONS=1 ...                      prints the reasons of each act, for `because`
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

#include "scenarios/stage.h"

namespace kingpost::scenarios_test {

using namespace scenarios;

constexpr unsigned kOrders = 6;
const std::string kFolder = std::string(KINGPOST_SOURCE_DIR) + "/tests/scenarios";

std::vector<std::string> ScenarioFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml" && entry.path().filename() != "rows.yaml") {
      files.push_back(std::filesystem::relative(entry.path(), kFolder).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Json Sorted(Json list) {
  std::sort(list.begin(), list.end());
  return list;
}

std::string Lines(const Json& list) {
  std::string text;
  for (const Json& line : list) text += "\n    - " + (line.is_string() ? line.get<std::string>() : line.dump());
  return text.empty() ? " []" : text;
}

// Compares what happened in one act with what the file says.
class Judge {
 public:
  Judge(const Json& act, const Happened& happened, bool ordered) : act_(act), happened_(happened), ordered_(ordered) {}

  std::string Complaints() {
    if (!happened_.broken.empty()) Complain(happened_.broken);
    CompareList("steps", happened_.steps);
    CompareList("condemned", happened_.condemned);
    CompareList("because", happened_.because);
    CompareList("calls", happened_.calls);
    CompareList("pending", happened_.pending);
    CompareFails();
    CompareMessages("says", happened_.says, true);
    CompareMessages("tells", happened_.tells, false);
    if (act_.contains("changes") && act_["changes"] != happened_.changes) {
      Complain("changes: " + happened_.changes.dump());
    }
    CompareFlag("maybeCorrupt", happened_.maybe_corrupt);
    CompareFlag("hasChanges", happened_.has_changes);
    CompareSent();
    CompareOrder();
    CompareAll("state", happened_.state);
    CompareAll("plan", happened_.plan);
    return complaints_;
  }

 private:
  void Complain(const std::string& text) { complaints_ += "  " + text + "\n"; }

  void CompareFlag(const char* key, bool got) {
    if (act_.contains(key) && act_[key] != got) Complain(std::string(key) + ": " + (got ? "true" : "false"));
  }

  void CompareList(const char* key, const Json& got) {
    if (!act_.contains(key)) return;
    const bool same = ordered_ ? act_[key] == got : Sorted(act_[key]) == Sorted(got);
    if (!same) Complain(std::string(key) + ":" + Lines(got));
  }

  // Absent: the operation goes well. A text: the operation fails with it.
  void CompareFails() {
    const Json wanted = act_.value("fails", Json(""));
    const bool fits = wanted.is_boolean() ? wanted.get<bool>() == !happened_.fails.empty()
                      : wanted == ""      ? happened_.fails.empty()
                                          : happened_.fails.find(wanted.get<std::string>()) != std::string::npos;
    if (!fits) Complain("fails: " + happened_.fails + Lines(happened_.says));
  }

  // Each wanted text is part of a message of its own; with `all`, no message is left over.
  void CompareMessages(const char* key, const Json& got, bool all) {
    std::vector<std::string> left = got;
    const Json messages = act_.value(key, Json::array());
    for (const std::string wanted : messages) {
      const auto found = std::find_if(left.begin(), left.end(),
                                      [&](const std::string& line) { return line.find(wanted) != std::string::npos; });
      if (found == left.end()) {
        Complain(std::string(key) + ": nothing says: " + wanted + Lines(got));
        return;
      }
      left.erase(found);
    }
    if (all && !left.empty()) Complain(std::string(key) + ", not expected:" + Lines(left));
  }

  void CompareSent() {
    const Json all = act_.value("sent", Json::object());
    for (const auto& [call, wanted] : all.items()) {
      if (!happened_.sent.contains(call)) {
        Complain("sent: there was no call \"" + call + "\"; calls:" + Lines(happened_.calls));
        continue;
      }
      CompareFields("sent: " + call, wanted, happened_.sent[call]);
    }
  }

  void CompareFields(const std::string& what, const Json& wanted, const Json& got) {
    for (const auto& [key, value] : wanted.items()) {
      const Json actual = got.value(key, Json());
      const bool other = value.is_object() && value.contains("$not");
      if (other ? actual != value["$not"] : actual == value) continue;
      Complain(what + ": " + key + ": " + actual.dump() + ", wanted: " + value.dump());
    }
  }

  // "delete b, delete a": the one call begins before the other, in whatever order the world answers.
  void CompareOrder() {
    const Json constraints = act_.value("order", Json::array());
    for (const std::string constraint : constraints) {
      const size_t comma = constraint.find(", ");
      const auto at = [&](const std::string& call) {
        return std::find(happened_.calls.begin(), happened_.calls.end(), Json(call)) - happened_.calls.begin();
      };
      const auto first = at(constraint.substr(0, comma)), second = at(constraint.substr(comma + 2));
      if (first >= second || second == static_cast<long>(happened_.calls.size())) {
        Complain("order: " + constraint + "; calls:" + Lines(happened_.calls));
      }
    }
  }

  // All resources, by label; of each, the fields that are named. Null: the field is not set.
  void CompareAll(const char* key, const Json& got) {
    if (!act_.contains(key)) return;
    const Json& wanted = act_[key];
    std::vector<std::string> labels, recorded;
    for (const auto& [label, fields] : wanted.items()) labels.push_back(label);
    for (const auto& [label, fields] : got.items()) {
      // A scenario need not list default providers, as users need not.
      if (wanted.contains(label) || label.rfind("default", 0) != 0) recorded.push_back(label);
    }
    if (labels != recorded) Complain(std::string(key) + ":" + Lines(recorded));
    for (const auto& [label, fields] : wanted.items()) {
      if (got.contains(label) && !fields.is_null()) {
        CompareFields(std::string(key) + ": " + label, fields, got[label]);
      }
    }
  }

  const Json& act_;
  const Happened& happened_;
  const bool ordered_;
  std::string complaints_;
};

std::string PlayAndJudge(const Scenario& scenario, unsigned seed) {
  const std::vector<Happened> all = Play(scenario, seed);
  std::string complaints;
  for (size_t i = 0; i < all.size(); ++i) {
    if (std::getenv("KINGPOST_TELL_REASONS") && seed == 0) {
      std::cout << "BECAUSE " << scenario.file << " " << i << " " << all[i].because.dump() << "\n";
    }
    const std::string text = Judge(scenario.acts[i], all[i], seed == 0).Complaints();
    if (!text.empty()) complaints += "acts[" + std::to_string(i) + "], order " + std::to_string(seed) + ":\n" + text;
  }
  return complaints;
}

std::string Verdict(const std::string& file) {
  try {
    const Scenario scenario = LoadScenario(kFolder, file);
    std::string complaints = PlayAndJudge(scenario, 0);
    for (unsigned seed = 1; complaints.empty() && scenario.permute && seed <= kOrders; ++seed) {
      complaints = PlayAndJudge(scenario, seed);
    }
    return complaints;
  } catch (const std::exception& error) {  // a Mistake, or a value of the wrong kind
    return error.what();
  }
}

TEST_CASE("every scenario has the stated outcome, in any order of answers", "[scenarios][long]") {
  const char* only = std::getenv("KINGPOST_SCENARIO");
  for (const std::string& file : ScenarioFiles()) {
    if (only && file.find(only) == file.npos) continue;
    const std::string complaints = Verdict(file);
    if (!complaints.empty()) FAIL_CHECK(file << "\n" << complaints);
    if (complaints.empty()) SUCCEED(file);
  }
}

TEST_CASE("every rule has a scenario, or a test elsewhere", "[scenarios]") {
  std::map<std::string, int> shown;
  for (const std::string& file : ScenarioFiles()) {
    for (const std::string& rule : LoadScenario(kFolder, file).rules) ++shown[rule];
  }
  const Json rows = LoadRows(kFolder);
  std::string missing;
  for (const auto& [rule, row] : rows.items()) {
    if (shown[rule] == 0 && !row.contains("elsewhere")) {
      missing += "\n  " + rule + " " + row["name"].get<std::string>();
    }
  }
  if (!missing.empty()) FAIL_CHECK("rules without a scenario, and without `elsewhere` in rows.yaml:" << missing);
  for (const auto& [rule, count] : shown) {
    INFO("rule " << rule);
    CHECK(rows.contains(rule));
  }
}

}  // namespace kingpost::scenarios_test
