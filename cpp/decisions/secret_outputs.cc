// SPDX-License-Identifier: Apache-2.0
#include "decisions/secret_outputs.h"

#include <algorithm>
#include <vector>

namespace kingpost::decisions {

namespace {

constexpr char kIdKey[] = "id";

}  // namespace

void MarkSecretOutputs(State* state) {
  for (const std::string& key : state->additional_secret_outputs) {
    const Value* value = key == kIdKey ? nullptr : state->outputs.Find(key);
    if (value && !value->is_secret()) state->outputs.Set(key, Value::Secret(*value));
  }
  if (!ContainsSecrets(state->inputs)) return;
  std::vector<std::string> leaked;
  for (const auto& [key, value] : state->outputs) {
    const Value* input = value.is_secret() ? nullptr : state->inputs.Find(key);
    if (input && input->is_secret()) leaked.push_back(key);
  }
  for (const std::string& key : leaked) state->outputs.Set(key, Value::Secret(*state->outputs.Find(key)));
}

std::optional<std::string> SecretOutputWarning(const State& state) {
  const std::vector<std::string>& names = state.additional_secret_outputs;
  if (std::find(names.begin(), names.end(), kIdKey) == names.end()) return std::nullopt;
  return "The 'id' property cannot be made secret. See pulumi/pulumi#2717 for more details.";
}

}  // namespace kingpost::decisions
