// SPDX-License-Identifier: Apache-2.0
// Resource options and their parts <-> the wire: aliases, timeouts, hooks, what transforms and hooks see (row 9.6).
// Any thread.
#pragma once

#include "wire/wire.h"

#include <string>
#include <vector>

#include "kingpost/callbacks.h"
#include "pulumi/provider.pb.h"
#include "pulumi/resource.pb.h"

namespace kingpost {

void ToWireAlias(const Alias& alias, pulumirpc::Alias* out);
Alias FromWireAlias(const pulumirpc::Alias& wire);

// Works for the ResourceHooksBinding messages of RegisterResource and Construct.
template <class Binding>
void ToWireHooks(const ResourceHooks& hooks, bool with_on_error, Binding* out) {
  const auto copy = [](const std::vector<std::string>& names, auto* list) { list->Add(names.begin(), names.end()); };
  copy(hooks.of(HookKind::kBeforeCreate), out->mutable_before_create());
  copy(hooks.of(HookKind::kAfterCreate), out->mutable_after_create());
  copy(hooks.of(HookKind::kBeforeUpdate), out->mutable_before_update());
  copy(hooks.of(HookKind::kAfterUpdate), out->mutable_after_update());
  copy(hooks.of(HookKind::kBeforeDelete), out->mutable_before_delete());
  copy(hooks.of(HookKind::kAfterDelete), out->mutable_after_delete());
  if (with_on_error) copy(hooks.of(HookKind::kOnError), out->mutable_on_error());
}
template <class Binding>
ResourceHooks FromWireHooks(const Binding& wire) {
  ResourceHooks hooks;
  const auto copy = [](const auto& list, std::vector<std::string>* names) { names->assign(list.begin(), list.end()); };
  copy(wire.before_create(), &hooks.of(HookKind::kBeforeCreate));
  copy(wire.after_create(), &hooks.of(HookKind::kAfterCreate));
  copy(wire.before_update(), &hooks.of(HookKind::kBeforeUpdate));
  copy(wire.after_update(), &hooks.of(HookKind::kAfterUpdate));
  copy(wire.before_delete(), &hooks.of(HookKind::kBeforeDelete));
  copy(wire.after_delete(), &hooks.of(HookKind::kAfterDelete));
  copy(wire.on_error(), &hooks.of(HookKind::kOnError));
  return hooks;
}

// Go durations in create, update, delete and read.
template <class Timeouts>
void ToWireTimeouts(const CustomTimeouts& timeouts, Timeouts* out);

Status ToWireOptions(const ResourceOptions& options, pulumirpc::TransformResourceOptions* out);
Status ToWireOptions(const ResourceOptions& options, pulumirpc::ResourceOptions* out);  // with the parent
Result<ResourceOptions> FromWireOptions(const pulumirpc::TransformResourceOptions& wire);

}  // namespace kingpost

#include "base/go_duration.h"

namespace kingpost {

template <class Timeouts>
void ToWireTimeouts(const CustomTimeouts& timeouts, Timeouts* out) {
  out->set_create(naming::FormatGoDuration(timeouts.create_s));
  out->set_update(naming::FormatGoDuration(timeouts.update_s));
  out->set_delete_(naming::FormatGoDuration(timeouts.delete_s));
  out->set_read(naming::FormatGoDuration(timeouts.read_s));
}

}  // namespace kingpost
