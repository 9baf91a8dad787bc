// SPDX-License-Identifier: Apache-2.0
#include "simulation/doing.h"

namespace kingpost::simulation {

Doing DoingFromJson(const Json& json) {
  Doing doing;
  doing.run = json.value("run", "up");
  doing.program = json.value("program", Json::array());
  doing.faults = json.value("faults", Json::object());
  doing.order = json.value("order", 0u);
  doing.cancel_at = json.value("cancelAt", 0);
  doing.terminate_at = json.value("terminateAt", 0);
  doing.disk_fails_at = json.value("diskFailsAt", 0);
  doing.disk_fails_for = json.value("diskFailsFor", 1);
  doing.disk_error = json.value("diskError", 0);
  doing.disk_stays_broken = json.value("diskStaysBroken", false);
  doing.taken_at = json.value("takenAt", 0);
  doing.taken_at_call = json.value("takenAtCall", 0);
  doing.taken_by = json.value("takenBy", "");
  doing.clock_jumps_at = json.value("clockJumpsAt", 0);
  doing.clock_jump = json.value("clockJump", 0);
  return doing;
}

const std::vector<std::string>& TroubleKeys() {
  static const auto& kKeys = *new std::vector<std::string>{
      "cancelAt", "terminateAt", "diskFailsAt",  "diskFailsFor", "diskError", "diskStaysBroken",
      "takenAt",  "takenAtCall", "clockJumpsAt", "clockJump",    "takenBy"};
  return kKeys;
}

}  // namespace kingpost::simulation
