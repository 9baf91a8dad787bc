// SPDX-License-Identifier: Apache-2.0
// Requested resources (Goal) and recorded ones (State) (rows 7.4, 1.4 to 1.18).
//
// A State is immutable once published: it is held as StatePtr and a change makes a new one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/property_dependencies.h"
#include "model/value.h"

namespace kingpost {

struct CustomTimeouts {
  double create_s = 0, update_s = 0, delete_s = 0, read_s = 0;  // seconds; 0 means unset
  bool empty() const { return create_s == 0 && update_s == 0 && delete_s == 0 && read_s == 0; }
  friend bool operator==(const CustomTimeouts&, const CustomTimeouts&) = default;
};

enum class HookKind { kBeforeCreate, kAfterCreate, kBeforeUpdate, kAfterUpdate, kBeforeDelete, kAfterDelete, kOnError };
inline constexpr int kHookKinds = 7;
// "BeforeCreate", ... as in the state file.
const char* HookKindName(HookKind kind);

class ResourceHooks {
 public:
  const std::vector<std::string>& of(HookKind kind) const;
  std::vector<std::string>& of(HookKind kind);
  bool empty() const;
  friend bool operator==(const ResourceHooks& a, const ResourceHooks& b);

 private:
  std::vector<std::vector<std::string>> names_;  // by kind; none at all for most resources
};

// A former identity of a resource: a URN, or a spec whose unset parts take the current value (row 2.3).
struct Alias {
  Urn urn;  // if set, nothing else is
  std::string name, type, stack, project;
  Urn parent_urn;
  bool no_parent = false;
  friend bool operator==(const Alias&, const Alias&) = default;
};

// Options that keep their form from the request to the record. Each option has its row in model/resource_fields.h.
struct SteadyOptions {
  std::vector<std::string> additional_secret_outputs;
  CustomTimeouts custom_timeouts;
  std::string import_id;
  std::vector<std::string> ignore_changes;
  std::vector<std::string> hide_diffs;
  std::vector<std::string> replace_on_changes;
  Value replacement_trigger;
  ResourceHooks hooks;
  Urn deleted_with;
  std::vector<Urn> replace_with;
};

// Options that a program may leave open, and that a record no longer leaves open.
struct OpenOptions {
  std::optional<bool> protect;
  std::optional<bool> delete_before_replace;
  std::optional<bool> retain_on_delete;
  std::vector<Alias> aliases;
};

// Fields that a program sets and that are recorded unchanged: a Goal becomes a State by copying them.
struct DeclaredFields : SteadyOptions {
  std::string type;
  bool custom = false;
  PropertyMap inputs;
  Urn parent;
  std::vector<Urn> dependencies;
  std::string provider;  // a provider reference, or ""
  PropertyDependencies property_dependencies;
  std::string source_position;
  std::vector<std::string> stack_trace;  // source positions
  std::string extension_ref;
  std::string snippet_id;
};

// Options that say which plugin manages the resource. They are spent when that is known.
struct PackageOptions {
  std::map<std::string, std::string> providers;  // package -> provider reference, for what a component makes
  std::string version;
  std::string plugin_download_url;
  std::map<std::string, std::string> plugin_checksums;  // platform -> bytes
  std::map<std::string, std::string> env_var_mappings;  // NEW -> OLD (row 2.21)
};

// A recorded resource; model/resource_fields.h has the order of its JSON form.
struct State : DeclaredFields {
  Urn urn;
  bool pending_delete = false;  // JSON "delete": replaced, waits to be deleted
  std::string id;
  PropertyMap outputs;
  bool protect = false;
  bool taint = false;
  bool external = false;
  std::vector<std::string> init_errors;
  bool pending_replacement = false;  // deleted, waits to be created again
  std::vector<Urn> aliases;
  bool retain_on_delete = false;
  std::string created;  // RFC 3339 with nanoseconds, UTC, or ""
  std::string modified;
  bool refresh_before_update = false;
  Urn view_of;

  bool is_provider() const { return IsProviderType(type); }
  bool is_view() const { return !view_of.empty(); }
};
using StatePtr = std::shared_ptr<const State>;

// The request of one RegisterResource call. While it is still a request, its URNs may be any text.
struct Goal : DeclaredFields, OpenOptions {
  std::string name;
};

}  // namespace kingpost
