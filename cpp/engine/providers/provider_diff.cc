// SPDX-License-Identifier: Apache-2.0
#include "engine/providers/provider_diff.h"

#include "decisions/diff_rules.h"
#include "decisions/ignore_changes.h"
#include "kingpost/refused_inputs.h"
#include "model/property_path.h"
#include "model/value_print.h"

namespace kingpost::providers {

PropertyMap IgnoreChanges(const Urn& urn, const PropertyMap& new_inputs, const PropertyMap& old_inputs,
                          const std::vector<std::string>& paths, Notices& notices) {
  std::vector<std::string> refused;
  PropertyMap inputs = decisions::ApplyIgnoreChanges(new_inputs, old_inputs, paths, &refused);
  if (!refused.empty()) notices.Info(urn, decisions::RefusedPathsText(refused));
  return inputs;
}

DiffResponse ResolveUnknownDiff(DiffResponse answer, const Urn& urn, const PropertyMap& old_inputs,
                                const PropertyMap& new_inputs, const std::vector<std::string>& ignore_changes,
                                Notices& notices) {
  if (answer.changes != DiffChanges::kUnknown) return answer;
  const PropertyMap compared = IgnoreChanges(urn, new_inputs, old_inputs, ignore_changes, notices);
  return decisions::CompareIfUnknown(std::move(answer), old_inputs, compared);
}

Task<Result<DiffResponse>> DiffWithProvider(Provider& provider, DiffRequest request, Notices& notices) {
  const Urn urn = request.urn;
  const PropertyMap old_inputs = request.old_inputs, new_inputs = request.new_inputs;
  const std::vector<std::string> ignore_changes = request.ignore_changes;
  Result<DiffResponse> answer = co_await provider.Diff(std::move(request));
  if (!answer.ok()) co_return answer;
  co_return ResolveUnknownDiff(std::move(*answer), urn, old_inputs, new_inputs, ignore_changes, notices);
}

namespace {

bool IsSealed(const Value& value) { return value.is_secret() || (value.is_output() && value.as_output().secret); }

// In {"a": secret({"b": 1})}, `a.b` is secret too.
bool LeadsIntoSecret(const Value& root, const PropertyPath& path) {
  std::vector<PropertyPath::Element> way;
  for (const PropertyPath::Element& element : path.elements()) {
    way.push_back(element);
    const Value* at = PropertyPath(way).Get(root);
    if (at && IsSealed(*at)) return true;
  }
  return false;
}

}  // namespace

std::string RefusalText(const Status& failure, const PropertyMap& inputs, bool show_secrets) {
  std::string text = failure.message();
  const RefusedInputs* refused = failure.detail<RefusedInputs>();
  if (!refused) return text;
  const Value root(inputs);
  for (const CheckFailure& error : refused->errors) {
    const Result<PropertyPath> path = PropertyPath::Parse(error.property);
    const Value* value = path.ok() && !error.property.empty() ? path->Get(root) : nullptr;
    text += "\n\t\t- property " + error.property;
    if (value) {
      const bool blinded = !show_secrets && LeadsIntoSecret(root, *path);
      text += " with value " + (blinded ? "<secret>" : PrintValue(*value, show_secrets));
    }
    text += " has a problem: " + error.reason;
  }
  return text;
}

}  // namespace kingpost::providers
