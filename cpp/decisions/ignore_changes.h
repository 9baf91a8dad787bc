// SPDX-License-Identifier: Apache-2.0
// ignoreChanges: which inputs are compared, and which are recorded (rows 3.10, 3.21). Pure.
//
//   custom resource   ignored properties have their old values before Check, and in the record
//   component         they have them where it is compared; it is told of what the program says, and that is recorded
#pragma once

#include <string>
#include <vector>

#include "model/resource.h"

namespace kingpost::decisions {

// `new_inputs` with their old values under the ignored paths. Paths that would add or remove an array element are left
// alone and returned in `refused` (may be null); unparsable ones are skipped (they failed at registration).
PropertyMap ApplyIgnoreChanges(const PropertyMap& new_inputs, const PropertyMap& old_inputs,
                               const std::vector<std::string>& paths, std::vector<std::string>* refused);

// The message about refused paths.
std::string RefusedPathsText(const std::vector<std::string>& refused);

// The inputs to record for a resource whose inputs were compared as `compared`. Of a component that is what the
// program says, unless a policy has changed its inputs meanwhile.
PropertyMap InputsToRecord(const Goal& goal, const PropertyMap& old_inputs, const PropertyMap& compared);

}  // namespace kingpost::decisions
