// SPDX-License-Identifier: Apache-2.0
#include "decisions/elision.h"

#include <algorithm>

namespace kingpost::decisions {

namespace {

std::vector<Urn> Sorted(std::vector<Urn> urns) {
  std::sort(urns.begin(), urns.end());
  return urns;
}

}  // namespace

bool SameNeedsNoWrite(const State& a, const State& b) {
  return a.urn == b.urn && a.type == b.type && a.custom == b.custom && a.custom_timeouts == b.custom_timeouts &&
         a.retain_on_delete == b.retain_on_delete && a.provider == b.provider && a.parent == b.parent &&
         a.deleted_with == b.deleted_with && a.replace_with == b.replace_with && a.protect == b.protect &&
         a.taint == b.taint && a.hooks == b.hooks && a.property_dependencies == b.property_dependencies &&
         (a.dependencies == b.dependencies || Sorted(a.dependencies) == Sorted(b.dependencies)) &&
         DeepEqual(a.replacement_trigger, b.replacement_trigger) && DeepEqual(a.inputs, b.inputs) &&
         DeepEqual(a.outputs, b.outputs);
}

bool SameDescription(const State& a, const State& b) {
  return a.init_errors == b.init_errors && a.additional_secret_outputs == b.additional_secret_outputs &&
         a.import_id == b.import_id && a.modified == b.modified && a.source_position == b.source_position &&
         a.stack_trace == b.stack_trace && a.ignore_changes == b.ignore_changes && a.hide_diffs == b.hide_diffs &&
         a.replace_on_changes == b.replace_on_changes && a.refresh_before_update == b.refresh_before_update &&
         a.snippet_id == b.snippet_id;
}

}  // namespace kingpost::decisions
