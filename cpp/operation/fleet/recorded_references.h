// SPDX-License-Identifier: Apache-2.0
// The stacks that the last run of a stack has read, as its checkpoint tells. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "kingpost/state_store.h"
#include "model/snapshot.h"

namespace kingpost::fleet {

struct RecordedReference {
  StackName stack;
  PropertyMap outputs;  // as they were when they were read
};
std::vector<RecordedReference> ReferencesIn(const Snapshot& snapshot, const std::string& project);

// The outputs that a stack has read and that are others by now, or gone. New ones are nothing to it; secrets are sealed
// under the key of who recorded them, and are not compared.
std::vector<std::string> StaleOutputs(const PropertyMap& read, const PropertyMap& now);

// The stacks that a stored checkpoint refers to, each once, in order; "" is the checkpoint of a stack that was never
// deployed. Names without a project are of `project`.
Result<std::vector<StackName>> RecordedReferences(const std::string& document, const std::string& project);

}  // namespace kingpost::fleet
