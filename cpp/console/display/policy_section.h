// SPDX-License-Identifier: Apache-2.0
// The section "Policies:" below the list of resources: each pack that ran, with what it changed and what it found.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "console/display/terminal.h"
#include "kingpost/event.h"

namespace kingpost {

struct PolicySection {
  const std::map<std::string, std::string>& packs;  // of the summary event: names and versions
  const std::vector<PolicyEvent>& violations;       // their messages may be shown as they are
  const std::vector<PolicyRemediationEvent>& remediations;
  bool list_remediations = false;  // one by one; else how many resources each policy changed
  bool list_exempted = false;      // one by one with their exceptions; else how many there are of each policy
};

// "" if no pack ran.
std::string PolicySectionText(const PolicySection& section, const Painter& painter);

}  // namespace kingpost
