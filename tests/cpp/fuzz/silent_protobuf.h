// SPDX-License-Identifier: Apache-2.0
// Silences protobuf for fuzzers of messages: it logs each text that is not UTF-8.
#pragma once

#include <google/protobuf/stubs/logging.h>

namespace kingpost::fuzz {

[[maybe_unused]] inline auto* const kFormerLogHandler = google::protobuf::SetLogHandler(nullptr);

}  // namespace kingpost::fuzz
