// SPDX-License-Identifier: Apache-2.0
#include "engine/hooks.h"

#include "base/encoding.h"

namespace kingpost::engine {

Status Hooks::Add(const std::string& name, Hook hook) {
  if (name.empty()) return Status(Code::kUnknown, "resource hook name cannot be empty");
  if (!hooks_.emplace(name, std::move(hook)).second) {
    return Status(Code::kUnknown, "resource hook already registered for name " + Quote(name));
  }
  return Status();
}

Status Hooks::Register(const std::string& name, Callback callback, bool on_dry_run, bool ignore_errors) {
  return Add(name, {std::move(callback), {on_dry_run, ignore_errors, /*on_error=*/false}});
}

Status Hooks::RegisterErrorHook(const std::string& name, Callback callback) {
  return Add(name, {std::move(callback), {false, false, /*on_error=*/true}});
}

const Hooks::Hook* Hooks::Find(const std::string& name, bool on_error) const {
  const auto found = hooks_.find(name);
  const bool is_that = found != hooks_.end() && decisions::IsOfKind(&found->second.options, on_error);
  return is_that ? &found->second : nullptr;
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
    const Hook* found = Find(name, /*on_error=*/false);
    if (!found) co_return Status(Code::kUnknown, "hook " + Quote(name) + " was not registered");
    const Hook hook = *found;
    if (operation_.options.preview && !decisions::RunsInPreviews(hook.options)) continue;
    Status ran = co_await operation_.host->callbacks().RunHook(hook.callback, request);
    if (ran.ok()) continue;
    const decisions::HookFailure failure = decisions::FailureOf(kind, name, hook.options, ran.message());
    if (!failure.only_warns) co_return Status(Code::kUnknown, failure.text);
    report_.Warning(request.urn, failure.text);
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
    const Hook* found = Find(name, /*on_error=*/true);
    if (!found) {
      co_return Status(Code::kUnknown,
                       "error hooks execution failed: error hook " + Quote(name) + " was not registered");
    }
    Result<bool> retry = co_await operation_.host->callbacks().RunErrorHook(found->callback, request);
    if (!retry.ok()) {
      co_return Status(Code::kUnknown, "error hooks execution failed: error hook " + Quote(name) +
                                           " failed: " + retry.status().message());
    }
    again = again || *retry;
  }
  co_return again;
}

}  // namespace kingpost::engine
