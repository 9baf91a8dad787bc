// SPDX-License-Identifier: Apache-2.0
// Holding an update to a plan.
#include <algorithm>
#include <set>

#include "model/value_text.h"
#include "update_plan/planned_resource.h"

namespace kingpost::update_plan {

namespace {

Status Changed(const std::string& what, const std::string& expected) {
  return Status(Code::kFailedPrecondition, what + " changed (expected " + expected + ")");
}

std::string BoolText(bool value) { return value ? "true" : "false"; }

bool EqualOrUnknown(const Value& a, const Value& b);

// A property that is null, or not known yet and therefore perhaps nothing, may as well be absent.
bool EqualOrUnknown(const PropertyMap& planned, const PropertyMap& actual) {
  for (const auto& [key, value] : planned) {
    const Value* other = actual.Find(key);
    if (other ? !EqualOrUnknown(value, *other) : !value.is_null() && !value.is_computed()) return false;
  }
  for (const auto& [key, value] : actual) {
    if (!planned.Has(key) && !value.is_null()) return false;
  }
  return true;
}

bool EqualOrUnknown(const Value& a, const Value& b) {
  if (a.is_computed() || b.is_computed()) return true;
  if (a.kind() != b.kind()) return false;
  if (a.is_array()) {
    const Array &left = a.as_array(), &right = b.as_array();
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const Value& x, const Value& y) { return EqualOrUnknown(x, y); });
  }
  if (a.is_object()) return EqualOrUnknown(a.as_object(), b.as_object());
  if (a.is_secret() && !a.as_secret().sealed && !b.as_secret().sealed) {
    return EqualOrUnknown(a.as_secret().element, b.as_secret().element);
  }
  return DeepEqual(a, b);
}

// The change of a property.
enum class Change { kNone, kAdd, kUpdate, kDelete };
char ChangeSign(Change change) { return "=+~-"[static_cast<int>(change)]; }

Change ChangeOf(const Value* before, const Value* after) {
  const bool had = before && !before->is_null();
  const bool has = after && !after->is_null();
  if (!after) return had && !before->is_computed() ? Change::kDelete : Change::kNone;
  if (!before) return has ? Change::kAdd : Change::kNone;
  if (EqualOrUnknown(*before, *after)) return Change::kNone;
  return !had ? Change::kAdd : !has ? Change::kDelete : Change::kUpdate;
}

// One property of a difference, held to what was planned for it.
class PropertyCheck {
 public:
  PropertyCheck(const std::string& key, const Value* before, const Value* after, const PlannedDiff& planned,
                bool show_secrets)
      : key_(key),
        show_secrets_(show_secrets),
        after_(after),
        actual_(ChangeOf(before, after)),
        stays_(before && after && actual_ == Change::kNone),
        add_(planned.adds.Find(key)),
        update_(planned.updates.Find(key)),
        delete_(planned.deletes.count(key) > 0) {}

  bool changes() const { return actual_ != Change::kNone; }
  void AppendUnplanned(std::vector<std::string>* messages) const;
  void AppendMissing(bool any_change, std::vector<std::string>* messages) const;

 private:
  void AppendMissingValue(const Value& expected, std::vector<std::string>* messages) const;
  std::string Message(Change actual) const;

  const std::string& key_;
  const bool show_secrets_;
  const Value* after_;
  const Change actual_;
  const bool stays_;
  const Value *add_, *update_;
  const bool delete_;
};

// Changes that the plan does not have.
void PropertyCheck::AppendUnplanned(std::vector<std::string>* messages) const {
  bool planned = true;
  if (actual_ == Change::kAdd) planned = add_ && EqualOrUnknown(*add_, *after_);
  if (actual_ == Change::kUpdate) {
    // The property may have been added meanwhile; then it is updated to the planned value.
    const Value* expected = update_ ? update_ : add_;
    planned = expected && EqualOrUnknown(*expected, *after_);
  }
  // An update to something unknown may turn out to be nothing.
  if (actual_ == Change::kDelete) planned = delete_ || (update_ && update_->is_computed());
  if (!planned) messages->push_back(Message(actual_));
}

// Planned changes that do not happen. A property with another change than planned is named twice.
void PropertyCheck::AppendMissing(bool any_change, std::vector<std::string>* messages) const {
  const bool has_new_value = actual_ == Change::kAdd || actual_ == Change::kUpdate;
  if (add_ && !has_new_value) AppendMissingValue(*add_, messages);
  if (update_ && actual_ == Change::kAdd) messages->push_back(Message(actual_));
  if (update_ && !has_new_value) AppendMissingValue(*update_, messages);
  if (delete_ && has_new_value) messages->push_back(Message(actual_));
  // As in Pulumi, a deletion that is not needed passes if nothing else changes either.
  if (delete_ && stays_ && any_change) messages->push_back(Message(Change::kNone));
}

void PropertyCheck::AppendMissingValue(const Value& expected, std::vector<std::string>* messages) const {
  if (after_) {
    if (!EqualOrUnknown(expected, *after_)) messages->push_back(Message(Change::kNone));
  } else if (!expected.is_computed()) {
    messages->push_back(Message(Change::kDelete));
  }
}

std::string PropertyCheck::Message(Change actual) const {
  const Value* expected = add_ ? add_ : update_;
  const Change planned = add_ ? Change::kAdd : update_ ? Change::kUpdate : delete_ ? Change::kDelete : Change::kNone;
  const Value* shown = actual == Change::kDelete ? nullptr : after_;
  std::string text;
  text += ChangeSign(planned);
  text += ChangeSign(actual);
  text += key_;
  if (!shown && !expected) return text;
  text += '[';
  if (expected) text += ValueText(*expected, show_secrets_);
  if (expected && shown) text += "!=";
  if (shown) text += ValueText(*shown, show_secrets_);
  return text + ']';
}

// "added a, b; deleted c", or "" if both hold the same.
std::string SetChange(const std::set<std::string>& planned, const std::set<std::string>& actual) {
  std::string added, deleted;
  for (const std::string& text : actual) {
    if (planned.count(text) == 0) added += (added.empty() ? "added " : ", ") + text;
  }
  for (const std::string& text : planned) {
    if (actual.count(text) == 0) deleted += (deleted.empty() ? "deleted " : ", ") + text;
  }
  return added + (added.empty() || deleted.empty() ? "" : "; ") + deleted;
}

std::set<std::string> AsSet(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

std::set<std::string> AsSet(const std::vector<Urn>& urns) {
  std::set<std::string> texts;
  for (const Urn& urn : urns) texts.insert(urn.str());
  return texts;
}

std::set<std::string> AsSet(const std::vector<Alias>& aliases) {
  std::set<std::string> texts;
  for (const Alias& alias : aliases) {
    texts.insert("{" + alias.urn.str() + " " + alias.name + " " + alias.type + " " + alias.project + " " + alias.stack +
                 " " + alias.parent_urn.str() + " " + BoolText(alias.no_parent) + "}");
  }
  return texts;
}

template <class T>
Status CheckSet(const std::string& what, const std::vector<T>& planned, const std::vector<T>& actual) {
  const std::string change = SetChange(AsSet(planned), AsSet(actual));
  if (change.empty()) return Status();
  return Status(Code::kFailedPrecondition, what + " changed: " + change);
}

// The planned provider may have an ID that only the update learns.
Status CheckProvider(const std::string& planned, const std::string& actual) {
  if (planned == actual) return Status();
  Result<ProviderReference> expected = ProviderReference::Parse(planned);
  if (!expected.ok()) return expected.status().Wrap("failed to parse provider reference " + planned);
  Result<ProviderReference> found = ProviderReference::Parse(actual);
  if (!found.ok()) return found.status().Wrap("failed to parse provider reference " + actual);
  if (expected->urn == found->urn && expected->id == kUnknownString) return Status();
  return Changed("provider", planned);
}

Status CheckTimeouts(const CustomTimeouts& planned, const CustomTimeouts& actual) {
  if (planned.create_s != actual.create_s) return Changed("create timeout", NumberText(planned.create_s));
  if (planned.update_s != actual.update_s) return Changed("update timeout", NumberText(planned.update_s));
  if (planned.delete_s != actual.delete_s) return Changed("delete timeout", NumberText(planned.delete_s));
  if (planned.read_s != actual.read_s) return Changed("read timeout", NumberText(planned.read_s));
  return Status();
}

Status CheckIdentity(const PlannedGoal& planned, const Goal& goal) {
  if (planned.type != goal.type) return Changed("type", planned.type);
  if (planned.name != goal.name) return Changed("name", planned.name);
  if (planned.custom != goal.custom) return Changed("resource kind", planned.custom ? "custom" : "component");
  Status provider = CheckProvider(planned.provider, goal.provider);
  if (!provider.ok()) return provider;
  if (planned.parent != goal.parent) return Changed("parent", planned.parent.str());
  return Status();
}

Status CheckOptions(const PlannedGoal& planned, const Goal& goal) {
  if (planned.protect != goal.protect.value_or(false)) return Changed("protect", BoolText(planned.protect));
  if (planned.delete_before_replace != goal.delete_before_replace) {
    const auto& expected = planned.delete_before_replace;
    return Changed("deleteBeforeReplace", expected ? BoolText(*expected) : "no value");
  }
  if (planned.import_id != goal.import_id) return Changed("importID", planned.import_id);
  Status status = CheckTimeouts(planned.custom_timeouts, goal.custom_timeouts);
  if (status.ok()) status = CheckSet("ignoreChanges", planned.ignore_changes, goal.ignore_changes);
  if (status.ok()) {
    status = CheckSet("additionalSecretOutputs", planned.additional_secret_outputs, goal.additional_secret_outputs);
  }
  if (status.ok()) status = CheckSet("dependencies", planned.dependencies, goal.dependencies);
  if (status.ok()) status = CheckSet("aliases", planned.aliases, goal.aliases);
  return status;
}

}  // namespace

bool IsProviderMetadataKey(const std::string& key) { return key.rfind('_', 0) == 0; }

Status CheckDiff(const PropertyMap& old_map, const PropertyMap& new_map, const PlannedDiff& planned,
                 bool show_secrets) {
  std::set<std::string> keys = planned.deletes;
  for (const PropertyMap* map : {&old_map, &new_map, &planned.adds, &planned.updates}) {
    for (const Property& property : *map) keys.insert(property.first);
  }
  std::vector<PropertyCheck> checks;
  for (const std::string& key : keys) {
    if (IsProviderMetadataKey(key)) continue;
    checks.emplace_back(key, old_map.Find(key), new_map.Find(key), planned, show_secrets);
  }
  const bool any_change = std::any_of(checks.begin(), checks.end(), [](const auto& check) { return check.changes(); });
  std::vector<std::string> changes;
  for (const PropertyCheck& check : checks) {
    check.AppendUnplanned(&changes);
    check.AppendMissing(any_change, &changes);
  }
  if (changes.empty()) return Status();
  std::sort(changes.begin(), changes.end());
  std::string text = "properties changed: " + changes[0];
  for (size_t i = 1; i < changes.size(); ++i) text += ", " + changes[i];
  return Status(Code::kFailedPrecondition, text);
}

Status CheckGoal(const PlannedGoal& planned, const PropertyMap& old_inputs, const PropertyMap& new_inputs,
                 const Goal& goal, bool show_secrets) {
  Status status = CheckIdentity(planned, goal);
  if (status.ok()) status = CheckOptions(planned, goal);
  if (status.ok()) status = CheckDiff(old_inputs, new_inputs, planned.input_diff, show_secrets);
  if (!status.ok()) return status;
  // A property that was unknown may be unset now, and then has no dependencies.
  for (const auto& [key, urns] : planned.property_dependencies) {
    auto actual = goal.property_dependencies.find(key);
    if (actual == goal.property_dependencies.end()) continue;
    status = CheckSet("dependencies for " + key, urns, actual->second);
    if (!status.ok()) return status;
  }
  return Status();
}

}  // namespace kingpost::update_plan
