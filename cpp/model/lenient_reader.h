// SPDX-License-Identifier: Apache-2.0
// Reading a state that the strict reader refuses, for those who repair it. Pure.
#pragma once

#include <string_view>

#include "model/deployment_json.h"

namespace kingpost {

// As DecodeCheckpoint with sealed secrets, but resources may lack a URN or a type, or have an ID without being custom
// (model/broken_fields.h mends that).
Result<CheckpointDocument> DecodeCheckpointLeniently(std::string_view json);

}  // namespace kingpost
