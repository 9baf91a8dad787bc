// SPDX-License-Identifier: Apache-2.0
// The last touch before a snapshot becomes a checkpoint.
#include "journal/seal.h"

#include <nlohmann/json.hpp>

#include "base/digest.h"

namespace kingpost {

Status SealSnapshot(const SealOptions& options, Snapshot* snapshot) {
  snapshot->manifest.time = options.now_rfc3339;
  snapshot->manifest.version = options.version;
  snapshot->manifest.magic = Sha256Hex(options.version);
  snapshot->manifest.plugins_json.clear();
  snapshot->integrity_error_json.clear();

  Status integrity = VerifyIntegrity(*snapshot);
  if (integrity.ok()) return integrity;
  const nlohmann::ordered_json mark = {
      {"version", options.version}, {"command", options.command}, {"error", integrity.message()}};
  // Names may hold any bytes; JSON may not.
  snapshot->integrity_error_json = mark.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return integrity.Wrap("failed to verify snapshot");
}

}  // namespace kingpost
