// SPDX-License-Identifier: Apache-2.0
// The one table of what a program may say of a resource and of what is recorded of one: each member of Goal, State and
// PackageOptions has a row here. These rows drive the reader and the writer of states, the comparison that leaves
// unchanged states unwritten, events, the messages of the wire, YAML, snippets and the Python library. So an option is
// added in one place ("To add an option" in HACKING.md). Constants only; resource_fields.cc holds the table to the
// structs.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "model/resource.h"

namespace kingpost {

// When a changed field of an otherwise unchanged resource is written (row 7.14).
enum class Write {
  kAtOnce,  // the next run decides by it
  kAtEnd,   // it describes the last run
};

struct FieldUse {
  Write write = Write::kAtOnce;
  bool inherited = false;        // what says nothing has it from its parent
  bool in_events = false;        // told in the events of steps
  bool in_every_record = false;  // in the JSON of a state even where it is empty
  bool is_set = false;           // a list without order
  bool holds_frames = false;     // a list of source positions, each in an object of its own in the JSON of a state
  bool dates_record = false;     // says when and where the record was made, and nothing of the resource

  // The names of an option; null for the usual one of the row, "" where it does not appear.
  const char* record = nullptr;     // in the JSON of a state
  const char* request = nullptr;    // in RegisterResourceRequest
  const char* construct = nullptr;  // in ConstructRequest
  const char* options = nullptr;    // in the options that transforms and hooks see
  const char* program = nullptr;    // in YAML and in snippets
};

template <class InGoal, class InState>
struct ResourceField {
  static constexpr bool kInGoal = !std::is_null_pointer_v<InGoal>;
  static constexpr bool kInState = !std::is_null_pointer_v<InState>;

  // A flag that a program may leave open; it is recorded as off then.
  static constexpr bool kIsFlag = std::is_same_v<InGoal, std::optional<bool> OpenOptions::*>;

  std::string_view name;  // of the member, and in Python
  InGoal goal;            // null: no program says it
  InState state;          // null: it is not recorded
  FieldUse use;
  std::string_view record, request, construct, options, program;  // "": it does not appear

  constexpr bool is_option() const { return !program.empty() || !options.empty() || !request.empty(); }
};

namespace internal {

constexpr std::string_view Named(const char* given, const char* usual) { return given ? given : usual; }

}  // namespace internal

// An option: `word` is its name where words are written in camel case, which is everywhere but in `options`.
template <class InGoal, class InState>
constexpr ResourceField<InGoal, InState> Option(const char* name, const char* word, InGoal goal, InState state,
                                                FieldUse use = {}) {
  using internal::Named;
  const char* record = std::is_null_pointer_v<InState> ? "" : word;
  return {name,
          goal,
          state,
          use,
          Named(use.record, record),
          Named(use.request, word),
          Named(use.construct, word),
          Named(use.options, name),
          Named(use.program, word)};
}

// An option that a goal and a state hold in the same form.
template <class T, class Owner>
constexpr auto Option(const char* name, const char* word, T Owner::*member, FieldUse use = {}) {
  return Option(name, word, member, member, use);
}

// Fields that are no options: what a goal and a state have in common, and what either has alone.
template <class T, class Owner>
constexpr ResourceField<T Owner::*, T Owner::*> Declares(const char* name, const char* record, T Owner::*member,
                                                         FieldUse use = {}) {
  return {name, member, member, use, record, "", "", "", ""};
}
template <class T, class Owner>
constexpr ResourceField<std::nullptr_t, T Owner::*> Records(const char* name, const char* record, T Owner::*member,
                                                            FieldUse use = {}) {
  return {name, nullptr, member, use, record, "", "", "", ""};
}
template <class T, class Owner>
constexpr ResourceField<T Owner::*, std::nullptr_t> Asks(const char* name, T Owner::*member) {
  return {name, member, nullptr, {}, "", "", "", "", ""};
}

// The table, in the order of the JSON of a state (row 7.4). It is made by the compiler: a visit of it costs no more
// than the same lines written by hand.
inline constexpr auto kResourceFieldTable = std::tuple{
    Records("urn", "urn", &State::urn, {.in_every_record = true}),
    Declares("custom", "custom", &State::custom, {.in_every_record = true}),
    Records("pending_delete", "delete", &State::pending_delete),
    Records("id", "id", &State::id),
    Declares("type", "type", &State::type, {.in_every_record = true}),
    Asks("name", &Goal::name),
    Declares("inputs", "inputs", &State::inputs),
    Records("outputs", "outputs", &State::outputs),
    Option("parent", "parent", &State::parent, {.construct = "", .options = ""}),
    Option("protect", "protect", &Goal::protect, &State::protect, {.inherited = true, .in_events = true}),
    Records("taint", "taint", &State::taint, {.in_events = true}),
    Records("external", "external", &State::external, {.in_events = true}),
    Option("dependencies", "dependencies", &State::dependencies,
           {.is_set = true, .options = "depends_on", .program = "dependsOn"}),
    Records("init_errors", "initErrors", &State::init_errors, {.write = Write::kAtEnd}),
    Option("provider", "provider", &State::provider, {.construct = ""}),
    Declares("property_dependencies", "propertyDependencies", &State::property_dependencies),
    Records("pending_replacement", "pendingReplacement", &State::pending_replacement),
    Option("additional_secret_outputs", "additionalSecretOutputs", &State::additional_secret_outputs,
           {.write = Write::kAtEnd}),
    Option("aliases", "aliases", &Goal::aliases, &State::aliases, {.write = Write::kAtEnd}),
    Option("custom_timeouts", "customTimeouts", &State::custom_timeouts, {.request = ""}),
    Option("import_id", "importID", &State::import_id,
           {.write = Write::kAtEnd, .request = "importId", .construct = "", .options = "import", .program = "import"}),
    Option("delete_before_replace", "deleteBeforeReplace", &Goal::delete_before_replace, nullptr),
    Option("retain_on_delete", "retainOnDelete", &Goal::retain_on_delete, &State::retain_on_delete,
           {.inherited = true, .in_events = true}),
    Option("deleted_with", "deletedWith", &State::deleted_with, {.inherited = true}),
    Option("replace_with", "replaceWith", &State::replace_with,
           {.request = "replace_with", .construct = "replace_with"}),
    Records("created", "created", &State::created, {.write = Write::kAtEnd, .dates_record = true}),
    Records("modified", "modified", &State::modified, {.write = Write::kAtEnd, .dates_record = true}),
    Declares("source_position", "sourcePosition", &State::source_position,
             {.write = Write::kAtEnd, .dates_record = true}),
    Declares("stack_trace", "stackTrace", &State::stack_trace,
             {.write = Write::kAtEnd, .holds_frames = true, .dates_record = true}),
    Option("ignore_changes", "ignoreChanges", &State::ignore_changes, {.write = Write::kAtEnd}),
    Option("hide_diffs", "hideDiffs", &State::hide_diffs,
           {.write = Write::kAtEnd, .in_events = true, .record = "hideDiff", .construct = "", .options = "hide_diff"}),
    Option("replace_on_changes", "replaceOnChanges", &State::replace_on_changes, {.write = Write::kAtEnd}),
    Option("replacement_trigger", "replacementTrigger", &State::replacement_trigger,
           {.request = "replacement_trigger", .construct = "replacement_trigger"}),
    Records("refresh_before_update", "refreshBeforeUpdate", &State::refresh_before_update, {.write = Write::kAtEnd}),
    Records("view_of", "viewOf", &State::view_of),
    Option("hooks", "hooks", &State::hooks, {.record = "resourceHooks", .construct = "resource_hooks", .program = ""}),
    Declares("extension_ref", "extensionRef", &State::extension_ref),
    Declares("snippet_id", "snippetID", &State::snippet_id, {.write = Write::kAtEnd}),
    Option("providers", "providers", &PackageOptions::providers, nullptr, {.construct = ""}),
    Option("version", "version", &PackageOptions::version, nullptr, {.construct = ""}),
    Option("plugin_download_url", "pluginDownloadURL", &PackageOptions::plugin_download_url, nullptr,
           {.construct = ""}),
    Option("plugin_checksums", "pluginChecksums", &PackageOptions::plugin_checksums, nullptr,
           {.construct = "", .program = ""}),
    Option("env_var_mappings", "envVarMappings", &PackageOptions::env_var_mappings, nullptr,
           {.construct = "", .options = ""})};

// Calls visit(field) for each row until it is true.
template <class Visit>
constexpr bool AnyResourceField(Visit&& visit) {
  return std::apply([&visit](const auto&... field) { return (visit(field) || ...); }, kResourceFieldTable);
}

template <class Visit>
constexpr void ForEachResourceField(Visit&& visit) {
  AnyResourceField([&](const auto& field) {
    visit(field);
    return false;
  });
}

// Visits recorded fields: visit(field, its value in `state`).
template <class S, class Visit>
constexpr void ForEachRecorded(S& state, Visit&& visit) {
  ForEachResourceField([&](const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kInState) visit(field, state.*field.state);
  });
}

inline constexpr size_t kResourceFields = std::tuple_size_v<std::decay_t<decltype(kResourceFieldTable)>>;

}  // namespace kingpost
