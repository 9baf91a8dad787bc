// SPDX-License-Identifier: Apache-2.0
// Mending resources that the strict reader of states refuses, because they lack what every command relies on: a URN, a
// type, agreement between "custom" and the ID. model/lenient_reader.h reads them. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/snapshot.h"

namespace kingpost {

// Missing fields are taken from others: the type from the URN, "custom" from the provider. A resource for which that
// fails is dropped: no command could ever speak of it. `changes` gets a sentence on each.
void RepairBrokenFields(Snapshot* snapshot, std::vector<std::string>* changes);

}  // namespace kingpost
