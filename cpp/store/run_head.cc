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
                                 {"lifeSign", head.life_sign},
                                 {"renewals", head.renewals}};
  if (!head.commit.empty()) json["commit"] = head.commit;
  if (!head.former.empty()) json["former"] = head.former;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<RunHead> ParseRunHead(const std::string& location, const std::string& bytes) {
  const nlohmann::json json = ParseJson(bytes);
  RunHead head;
  head.run = TextOf(json, "run");
  const auto state = std::find(kStates.begin(), kStates.end(), TextOf(json, "state"));
  if (IntegerOf(json, "version") != 1 || head.run.empty() || state == kStates.end()) {
    return Status(Code::kDataLoss, location +
                                       ": this is no record of who works on the stack that this version can read; use "
                                       "the version of kingpost that wrote it, or remove it if nobody works on the "
                                       "stack");
  }
  head.state = static_cast<RunHead::State>(state - kStates.begin());
  head.lock = TextOf(json, "lock");
  head.stack = TextOf(json, "stack");
  head.owner_json = ObjectOf(json, "owner").dump();
  head.commit = TextOf(json, "commit");
  if (const nlohmann::json* former = FieldOf(json, "former"); former && former->is_array()) {
    for (const auto& lock : *former) head.former.push_back(TextIn(lock));
  }
  head.lease_seconds = static_cast<int>(std::clamp<int64_t>(IntegerOf(json, "lease"), 1, 24 * 3600));
  head.life_sign = BoolOf(json, "lifeSign");
  head.renewals = IntegerOf(json, "renewals");
  return head;
}

}  // namespace kingpost
