// SPDX-License-Identifier: Apache-2.0
#include "engine/hooks.h"

#include "base/encoding.h"

namespace kingpost::engine {

namespace {

bool IsBefore(HookKind kind) {
  return kind == HookKind::kBeforeCreate || kind == HookKind::kBeforeUpdate || kind == HookKind::kBeforeDelete;
}

}  // namespace

Status Hooks::Add(const std::string& name, Hook hook) {
  if (name.empty()) return Status(Code::kUnknown, "resource hook name cannot be empty");
  if (!hooks_.emplace(name, std::move(hook)).second) {
    return Status(Code::kUnknown, "resource hook already registered for name " + Quote(name));
  }
  return Status();
}

Status Hooks::Register(const std::string& name, Callback callback, bool on_dry_run, bool ignore_errors) {
  return Add(name, {std::move(callback), on_dry_run, ignore_errors, false});
}

Status Hooks::RegisterErrorHook(const std::string& name, Callback callback) {
  return Add(name, {std::move(callback), false, false, true});
}

Task<Status> Hooks::Run(HookKind kind, const State& owner, const State* old_state, const State* new_state,
                        bool with_new_outputs) {
  const std::vector<std::string> names = owner.hooks.of(kind);
  if (names.empty()) co_return Status();
  ResourceHookRequest request;
  request.urn = owner.urn;
  request.id = owner.id;
  request.name = owner.urn.name();
  request.type = owner.type;
  if (new_state) {
    request.new_inputs = new_state->inputs;
    if (with_new_outputs) request.new_outputs = new_state->outputs;
  }
  if (old_state) {
    request.old_inputs = old_state->inputs;
    request.old_outputs = old_state->outputs;
  }
  request.old_state = old_state;
  request.new_state = new_state;
  for (const std::string& name : names) {
    auto found = hooks_.find(name);
    if (found == hooks_.end() || found->second.on_error) {
      co_return Status(Code::kUnknown, "hook " + Quote(name) + " was not registered");
    }
    const Hook hook = found->second;
    if (operation_.options.preview && !hook.on_dry_run) continue;
    Status ran = co_await operation_.host->callbacks().RunHook(hook.callback, request);
    if (ran.ok()) continue;
    if (hook.ignore_errors) {
      report_.Warning(request.urn,
                      std::string(HookKindName(kind)) + " hook " + Quote(name) + " failed: " + ran.message());
      continue;
    }
    co_return Status(Code::kUnknown,
                     (IsBefore(kind) ? "before hook " : "after hook ") + Quote(name) + " failed: " + ran.message());
  }
  co_return Status();
}

Task<Result<bool>> Hooks::RunErrorHooks(const State& owner, const State* old_state, const State* new_state,
                                        std::string failed_operation, std::vector<std::string> errors) {
  const std::vector<std::string> names = owner.hooks.of(HookKind::kOnError);
  ErrorHookRequest request;
  request.urn = owner.urn;
  request.id = owner.id;
  request.name = owner.urn.name();
  request.type = owner.type;
  if (new_state) request.new_inputs = new_state->inputs;
  if (old_state) {
    request.old_inputs = old_state->inputs;
    request.old_outputs = old_state->outputs;
  }
  request.failed_operation = std::move(failed_operation);
  request.errors = std::move(errors);
  request.old_state = old_state;
  request.new_state = new_state;
  bool again = false;
  for (const std::string& name : names) {
    auto found = hooks_.find(name);
    if (found == hooks_.end() || !found->second.on_error) {
      co_return Status(Code::kUnknown,
                       "error hooks execution failed: error hook " + Quote(name) + " was not registered");
    }
    Result<bool> retry = co_await operation_.host->callbacks().RunErrorHook(found->second.callback, request);
    if (!retry.ok()) {
      co_return Status(Code::kUnknown, "error hooks execution failed: error hook " + Quote(name) +
                                           " failed: " + retry.status().message());
    }
    again = again || *retry;
  }
  co_return again;
}

}  // namespace kingpost::engine
