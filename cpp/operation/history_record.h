// SPDX-License-Identifier: Apache-2.0
// The record of an operation in the history. Pure.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kingpost/engine.h"
#include "kingpost/state_store.h"
#include "workspace/config_value.h"

namespace kingpost {

// The data that the caller of the operation adds.
struct HistoryFacts {
  std::string message;
  std::map<std::string, std::string> environment;
  ConfigMap config;  // with ciphertexts
};

std::string HistoryRecord(OperationKind kind, int64_t start_seconds, int64_t end_seconds, const OperationResult& result,
                          const HistoryFacts& facts);

// The configuration of the last operation, as recorded; empty if there was none.
Result<ConfigMap> LastRecordedConfig(StateStore& store, const StackName& stack);

}  // namespace kingpost
