// SPDX-License-Identifier: Apache-2.0
#include "console/display/changed_keys.h"

#include <map>

#include "model/value_diff.h"

namespace kingpost {

namespace {

enum class Change { kAdd, kDelete, kUpdate };

Change ChangeOf(DiffKind kind) {
  switch (kind) {
    case DiffKind::kAdd:
    case DiffKind::kAddReplace:
      return Change::kAdd;
    case DiffKind::kDelete:
    case DiffKind::kDeleteReplace:
      return Change::kDelete;
    case DiffKind::kUpdate:
    case DiffKind::kUpdateReplace:
      return Change::kUpdate;
  }
  return Change::kUpdate;
}

std::string Marked(Change change, const std::string& key, const Painter& painter) {
  const std::string name = Printable(key);
  switch (change) {
    case Change::kAdd:
      return painter.Paint(Style::kGreen, "+" + name);
    case Change::kDelete:
      return painter.Paint(Style::kRed, "-" + name);
    case Change::kUpdate:
      return painter.Paint(Style::kYellow, "~" + name);
  }
  return name;
}

using KeyChanges = std::map<std::string, Change>;

KeyChanges OfDetails(const DetailedDiff& detailed) {
  KeyChanges changes;
  for (const auto& [text, diff] : detailed) {
    const Result<PropertyPath> path = PropertyPath::Parse(text);
    const auto* first = path.ok() && !path->empty() ? std::get_if<std::string>(&path->elements().front()) : nullptr;
    const bool whole = !first || path->elements().size() == 1;
    changes[first ? *first : text] = whole ? ChangeOf(diff.kind) : Change::kUpdate;
  }
  return changes;
}

KeyChanges OfKeys(const StepMetadata& step) {
  KeyChanges changes;
  for (const std::string& key : step.diffs) {
    const bool was = step.old_state && step.old_state->inputs.Has(key);
    const bool is = step.new_state && step.new_state->inputs.Has(key);
    changes[key] = was && !is ? Change::kDelete : is && !was ? Change::kAdd : Change::kUpdate;
  }
  return changes;
}

// A provider that says only that there are changes leaves it to the inputs to tell which.
KeyChanges OfInputs(const StepMetadata& step) {
  KeyChanges changes;
  if (step.op == StepOp::kSame || step.op == StepOp::kRefresh || !step.old_state || !step.new_state) return changes;
  const ObjectDiff diff = DiffObjects(step.old_state->inputs, step.new_state->inputs);
  for (const auto& [key, value] : diff.adds) changes[key] = Change::kAdd;
  for (const auto& [key, value] : diff.deletes) changes[key] = Change::kDelete;
  for (const auto& [key, value] : diff.updates) changes[key] = Change::kUpdate;
  return changes;
}

}  // namespace

std::string ChangedKeys(const StepMetadata& step, const Painter& painter) {
  const bool has_details = step.detailed && !step.detailed->empty();
  const KeyChanges changes = has_details           ? OfDetails(*step.detailed)
                             : !step.diffs.empty() ? OfKeys(step)
                                                   : OfInputs(step);
  std::string out;
  for (const auto& [key, change] : changes) {
    if (!out.empty()) out += ' ';
    out += Marked(change, key, painter);
  }
  return out;
}

}  // namespace kingpost
