// SPDX-License-Identifier: Apache-2.0
// For fuzzers of messages: protobuf says of each text that is not UTF-8 that it is not.
#pragma once

#include <google/protobuf/stubs/logging.h>

namespace kingpost::fuzz {

[[maybe_unused]] inline auto* const kFormerLogHandler = google::protobuf::SetLogHandler(nullptr);

}  // namespace kingpost::fuzz
