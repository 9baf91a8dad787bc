// SPDX-License-Identifier: Apache-2.0
#include "engine/run.h"

namespace kingpost::engine {

namespace {

decisions::SelectionOptions SelectionOf(const OperationOptions& options) {
  decisions::SelectionOptions selection;
  selection.targets = options.targets;
  selection.excludes = options.excludes;
  selection.replaces = options.replaces;
  selection.target_replaces = options.target_replaces;
  selection.target_dependents = options.target_dependents;
  selection.exclude_dependents = options.exclude_dependents;
  return selection;
}

}  // namespace

Run::Run(const Operation& operation) : operation_(operation), selection_(SelectionOf(operation.options)) {}

Urn Run::MakeUrn(const Urn& parent, const std::string& type, const std::string& name) const {
  std::string parent_type;
  if (!parent.empty() && parent.qualified_type() != kRootStackType) parent_type = parent.qualified_type();
  return Urn::Make(operation_.stack, operation_.project, parent_type, type, name);
}

Urn Run::root_urn() const {
  return MakeUrn(Urn(), std::string(kRootStackType), operation_.project + "-" + operation_.stack);
}

}  // namespace kingpost::engine
