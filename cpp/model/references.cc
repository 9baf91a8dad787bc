// SPDX-License-Identifier: Apache-2.0
#include "model/references.h"

namespace kingpost {

void ClearReferences(State* state) {
  state->parent = Urn();
  state->dependencies.clear();
  state->property_dependencies.clear();
  state->deleted_with = Urn();
  state->replace_with.clear();
}

void AddReference(ReferenceKind kind, const Urn& urn, const std::string& key, State* state) {
  switch (kind) {
    case ReferenceKind::kParent:
      state->parent = urn;
      return;
    case ReferenceKind::kDependency:
      state->dependencies.push_back(urn);
      return;
    case ReferenceKind::kPropertyDependency:
      state->property_dependencies[key].push_back(urn);
      return;
    case ReferenceKind::kDeletedWith:
      state->deleted_with = urn;
      return;
    case ReferenceKind::kReplaceWith:
      state->replace_with.push_back(urn);
      return;
  }
}

}  // namespace kingpost
