// SPDX-License-Identifier: Apache-2.0
#include "store/run_head.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/json_access.h"
#include "base/os.h"

namespace kingpost {

namespace {

constexpr int kLeaseSeconds = 60;
constexpr int kLeaseSecondsMin = 2;  // less would be lost to one slow answer
constexpr std::array<const char*, 5> kStates = {"open", "recovering", "saved", "left", "free"};

std::vector<std::string> TextsOf(const nlohmann::json& json, const char* name) {
  std::vector<std::string> texts;
  const nlohmann::json* list = FieldOf(json, name);
  if (!list || !list->is_array()) return texts;
  for (const auto& text : *list) texts.push_back(TextIn(text));
  return texts;
}

}  // namespace

int LeaseSeconds() {
  const int asked = std::atoi(GetEnvironment("KINGPOST_STATE_LEASE").c_str());
  return asked > 0 ? std::max(asked, kLeaseSecondsMin) : kLeaseSeconds;
}

std::string EncodeRunHead(const RunHead& head) {
  nlohmann::ordered_json json = {{"version", 1},
                                 {"run", head.run},
                                 {"lock", head.lock},
                                 {"stack", head.stack},
                                 {"state", kStates[static_cast<size_t>(head.state)]},
                                 {"owner", ParseOrderedJson(head.owner_json)},
                                 {"lease", head.lease_seconds},
                                 {"lifeSign", head.has_liveness_lock},
                                 {"renewals", head.renewals}};
  if (!head.commits.empty()) json["commits"] = head.commits;
  if (!head.moved_to.empty()) json["movedTo"] = head.moved_to;
  if (!head.former.empty()) json["former"] = head.former;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<RunHead> ParseRunHead(const std::string& location, const std::string& bytes) {
  const nlohmann::json json = ParseJson(bytes);
  RunHead head;
  head.run = TextOf(json, "run");
  const auto state = std::find(kStates.begin(), kStates.end(), TextOf(json, "state"));
  if (IntegerOf(json, "version") != 1 || head.run.empty() || state == kStates.end()) {
    return Status(Code::kDataLoss,
                  location +
                      ": this version cannot read this record of the stack's owner; use the version of "
                      "kingpost that wrote it, or remove it if no command works on the stack");
  }
  head.state = static_cast<RunHead::State>(state - kStates.begin());
  head.lock = TextOf(json, "lock");
  head.stack = TextOf(json, "stack");
  head.owner_json = ObjectOf(json, "owner").dump();
  head.commits = TextsOf(json, "commits");
  head.former = TextsOf(json, "former");
  head.moved_to = TextOf(json, "movedTo");
  head.lease_seconds = static_cast<int>(std::clamp<int64_t>(IntegerOf(json, "lease"), 1, 24 * 3600));
  head.has_liveness_lock = BoolOf(json, "lifeSign");
  head.renewals = IntegerOf(json, "renewals");
  return head;
}

}  // namespace kingpost
