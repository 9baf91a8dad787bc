// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/recorded_references.h"

#include <algorithm>

#include "model/deployment_json.h"
#include "model/stack_reference.h"

namespace kingpost::fleet {

namespace {

std::string NameIn(const State& reference) {
  for (const PropertyMap* properties : {&reference.outputs, &reference.inputs}) {
    const Value* name = properties->Find("name");
    if (!name) continue;
    const Value plain = StripSecretsAndOutputs(*name);
    if (plain.is_string()) return plain.as_string();
  }
  return "";
}

}  // namespace

std::vector<RecordedReference> ReferencesIn(const Snapshot& snapshot, const std::string& project) {
  std::vector<RecordedReference> references;
  for (const StatePtr& state : snapshot.resources) {
    if (state->type != kStackReferenceType || state->pending_delete) continue;
    Result<StackName> name = StackName::Parse(NameIn(*state), project);
    if (!name.ok()) continue;
    const bool known = std::any_of(references.begin(), references.end(),
                                   [&](const RecordedReference& one) { return one.stack == *name; });
    if (known) continue;
    const Value* outputs = state->outputs.Find("outputs");
    references.push_back({*std::move(name), outputs && outputs->is_object() ? outputs->as_object() : PropertyMap()});
  }
  return references;
}

std::vector<std::string> StaleOutputs(const PropertyMap& read, const PropertyMap& now) {
  std::vector<std::string> behind;
  for (const Property& output : now) {
    const Value* before = read.Find(output.first);
    if (!before || ContainsSecrets(output.second) || ContainsSecrets(*before)) continue;
    if (!DeepEqual(*before, output.second)) behind.push_back(output.first);
  }
  for (const Property& output : read) {
    if (!now.Has(output.first)) behind.push_back(output.first);
  }
  return behind;
}

Result<std::vector<StackName>> RecordedReferences(const std::string& document, const std::string& project) {
  std::vector<StackName> names;
  // Most of a fleet reads nobody: a look at the text spares decoding it.
  if (document.find(kStackReferenceType) == std::string::npos) return names;
  const Result<CheckpointDocument> checkpoint = DecodeCheckpoint(document, DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  for (RecordedReference& reference : ReferencesIn(checkpoint->snapshot, project)) {
    names.push_back(std::move(reference.stack));
  }
  return names;
}

}  // namespace kingpost::fleet
