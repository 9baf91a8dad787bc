// SPDX-License-Identifier: Apache-2.0
// Makes a materialized snapshot ready to be saved: a new manifest, and the result of the integrity check written into
// it (rows 7.3 and 7.12). Pure.
#pragma once

#include <string>

#include "model/snapshot.h"

namespace kingpost {

struct SealOptions {
  std::string now_rfc3339;  // UTC with nanoseconds
  std::string version;      // for the manifest
  std::string command;      // the command line, for the record of an integrity error
};

// The snapshot is to be saved even if the check fails: it holds all there is to know. Its mark makes the next operation
// refuse it and point at the repair. The status is for the user.
Status SealSnapshot(const SealOptions& options, Snapshot* snapshot);

}  // namespace kingpost
