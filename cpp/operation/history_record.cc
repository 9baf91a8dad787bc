// SPDX-License-Identifier: Apache-2.0
#include "operation/history_record.h"

#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "kingpost/operation_word.h"

namespace kingpost {

std::string HistoryRecord(OperationKind kind, int64_t start_seconds, int64_t end_seconds, const OperationResult& result,
                          const HistoryFacts& facts) {
  nlohmann::ordered_json record;
  record["kind"] = kind == OperationKind::kImport ? "resource-import" : OperationWord(kind);
  record["startTime"] = start_seconds;
  record["message"] = facts.message;
  record["environment"] = facts.environment;
  nlohmann::json config = nlohmann::json::object();
  for (const auto& [key, value] : facts.config) config[key] = value;
  record["config"] = config;
  record["version"] = 0;
  record["result"] = result.status.ok() ? "succeeded" : "failed";
  record["endTime"] = end_seconds;
  if (!result.changes.empty()) record["resourceChanges"] = result.changes;
  return record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<ConfigMap> LastRecordedConfig(StateStore& store, const StackName& stack) {
  const Result<std::vector<std::string>> history = store.ReadHistory(stack, 1, 1);
  if (!history.ok()) return history.status();
  ConfigMap config;
  const nlohmann::json recorded = history->empty() ? nlohmann::json() : ObjectOf(ParseJson(history->front()), "config");
  for (const auto& [key, value] : recorded.items()) config[key] = value;
  return config;
}

}  // namespace kingpost
