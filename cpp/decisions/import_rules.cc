// SPDX-License-Identifier: Apache-2.0
#include "decisions/import_rules.h"

#include <unordered_set>

#include "model/value_text.h"

namespace kingpost::decisions {

bool IsImportedAlready(const State& recorded, const std::string& import_id, ImportedBy by) {
  if (by == ImportedBy::kOption && recorded.external) return false;
  // The ID that a provider imports by may look otherwise than the ID it gives.
  return (recorded.import_id.empty() ? recorded.id : recorded.import_id) == import_id;
}

std::optional<Decision> ChooseImport(const Goal& goal, const StatePtr& old_state, bool was_deleted_first) {
  if (!goal.custom || goal.import_id.empty()) return std::nullopt;
  if (old_state && IsImportedAlready(*old_state, goal.import_id, ImportedBy::kOption)) return std::nullopt;
  if (old_state && !was_deleted_first) return Decision{way::ImportReplacement(), Because(Rule::kImported)};
  return Decision{way::Import(), Because(Rule::kImported)};
}

std::optional<std::string> ImportForbidsReplacement(const Goal& goal, const State& recorded, const State& draft,
                                                    const DiffResponse& diff, bool show_secrets) {
  if (goal.import_id.empty()) return std::nullopt;
  const auto text_of = [show_secrets](const PropertyMap& inputs, const std::string& key) {
    const Value* value = inputs.Find(key);
    return ValueText(value ? *value : Value(), show_secrets);
  };
  std::string text =
      "previously-imported resources that still specify an ID may not be replaced; please remove the `import` "
      "declaration from your program;\n";
  for (size_t i = 0; i < diff.replaces.size(); ++i) {
    const std::string& key = diff.replaces[i];
    text += (i > 0 ? "\n" : "") + key + ": " + text_of(recorded.inputs, key) + " => " + text_of(draft.inputs, key);
  }
  return text;
}

Result<std::vector<NamedImport>> ImportsToMake(const std::vector<NamedImport>& all, const Rows& rows) {
  std::unordered_set<Urn> seen;
  std::vector<NamedImport> wanted;
  for (const NamedImport& one : all) {
    const ImportResource& import = *one.import;
    if (IsProviderType(import.type)) continue;
    if (!seen.insert(one.urn).second) {
      return Status(Code::kInvalidArgument, "duplicate import '" + import.name + "' of type '" + import.type + "'");
    }
    const StatePtr recorded = rows.Old(one.urn);
    if (!recorded || !IsImportedAlready(*recorded, import.id, ImportedBy::kCommand)) wanted.push_back(one);
  }
  return wanted;
}

std::map<int, std::vector<NamedImport>> ImportsByDepth(const std::vector<NamedImport>& wanted) {
  constexpr int kNotKnownYet = -1;
  std::map<Urn, int> depth_of;
  for (const NamedImport& one : wanted) depth_of[one.urn] = kNotKnownYet;
  for (bool again = true; again;) {
    again = false;
    for (const NamedImport& one : wanted) {
      const auto parent = depth_of.find(one.import->parent);
      if (parent != depth_of.end() && parent->second == kNotKnownYet) continue;
      const int depth = parent == depth_of.end() ? 0 : parent->second + 1;
      int& own = depth_of[one.urn];
      if (own == depth) continue;
      own = depth;
      again = true;
    }
  }
  std::map<int, std::vector<NamedImport>> batches;
  for (const NamedImport& one : wanted) batches[depth_of[one.urn]].push_back(one);
  return batches;
}

Status CheckImportable(const State& draft, const Rows& rows) {
  if (rows.Old(draft.urn)) return Status(Code::kAlreadyExists, "resource '" + draft.urn.str() + "' already exists");
  if (draft.parent.qualified_type() == kRootStackType || rows.Registered(draft.parent)) return Status();
  return Status(Code::kNotFound, "unknown parent '" + draft.parent.str() + "' for resource '" + draft.urn.str() + "'");
}

std::vector<std::string> ChosenProperties(const std::vector<ImportResource>& imports, const std::string& import_id) {
  for (const ImportResource& import : imports) {
    if (import.id == import_id) return import.properties;
  }
  return {};
}

PropertyMap FilterProperties(const PropertyMap& read, const std::vector<std::string>& chosen) {
  if (chosen.empty()) return read;
  PropertyMap inputs;
  for (const std::string& key : chosen) {
    if (const Value* value = read.Find(key)) inputs.Set(key, *value);
  }
  return inputs;
}

PropertyMap MergeSupplied(const PropertyMap& read, const PropertyMap& supplied) {
  PropertyMap merged = read;
  for (const auto& [key, value] : supplied) {
    const Value* known = read.Find(key);
    if (!known || known->is_null()) {
      merged.Set(key, value);
    } else if (value.is_secret() && !known->is_secret()) {
      merged.Set(key, Value::Secret(*known));
    }
  }
  return merged;
}

StatePtr FoundByImport(const State& imported) {
  auto found = std::make_shared<State>(imported);
  found->created.clear();
  found->modified.clear();
  found->aliases.clear();
  found->additional_secret_outputs.clear();
  found->hooks = ResourceHooks();
  return found;
}

}  // namespace kingpost::decisions
