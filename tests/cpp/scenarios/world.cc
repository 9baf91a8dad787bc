// SPDX-License-Identifier: Apache-2.0
#include "scenarios/world.h"

#include <algorithm>

#include "kingpost/create_outcome.h"

namespace kingpost::scenarios {

namespace {

Code ParseCode(const std::string& name) {
  static const std::map<std::string, Code> kCodes = {
      {"Unknown", Code::kUnknown},   {"InvalidArgument", Code::kInvalidArgument},
      {"Internal", Code::kInternal}, {"Unavailable", Code::kUnavailable},
      {"DataLoss", Code::kDataLoss}, {"Unimplemented", Code::kUnimplemented},
      {"NotFound", Code::kNotFound}, {"FailedPrecondition", Code::kFailedPrecondition}};
  const auto found = kCodes.find(name);
  if (found == kCodes.end()) throw Mistake("unknown status code \"" + name + "\"");
  return found->second;
}

InitFailed ToInitFailed(const Names& names, const Json& partial) {
  InitFailed detail;
  detail.id = partial.value("id", "");
  detail.outputs = names.ToProperties(partial.value("outputs", Json::object()));
  if (partial.contains("inputs")) detail.inputs = names.ToProperties(partial["inputs"]);
  detail.reasons = partial.value("reasons", std::vector<std::string>());
  detail.refresh_before_update = partial.value("refreshBeforeUpdate", false);
  return detail;
}

Fault ToFault(const Names& names, const Json& json) {
  Fault fault{json, {}};
  if (json.is_string()) {
    fault.status = Status(Code::kUnknown, json);
    return fault;
  }
  if (json.contains("error")) {
    fault.status = Status(ParseCode(json.value("code", "Unknown")), json["error"]);
    if (json.contains("partial")) fault.status.With(ToInitFailed(names, json["partial"]));
  }
  if (json.value("awaits", false)) fault.status = Status(Code::kUnknown, "resource is awaiting").With(AwaitFailed());
  return fault;
}

bool Says(const Fault& fault, const char* word) { return fault.json.is_object() && fault.json.value(word, false); }

std::shared_ptr<const State> ViewState(const Names& names, const Json& view, const std::string& when) {
  if (!view.contains(when)) return nullptr;
  auto state = std::make_shared<State>();
  state->type = view.value("type", "pkg:m:View");
  state->urn = Urn(view["name"].get<std::string>());
  state->outputs = names.ToProperties(view[when]);
  return state;
}

}  // namespace

Json World::Plugin(const std::string& package) const {
  const Json plugins = settings.value("plugins", Json::object());
  return plugins.value(package, Json::object());
}

bool World::Knows(const std::string& package) const {
  return package == "pkg" || settings.value("plugins", Json::object()).contains(package);
}

std::optional<Fault> World::TakeFault(const std::string& call) {
  const auto found = faults_.find(call);
  if (found == faults_.end()) return std::nullopt;
  if (!found->is_object()) return ToFault(names, *found);
  const int nth = calls_made_[call]++ - found->value("after", 0);
  const int times = found->value("times", 0);
  if (nth < 0 || (times > 0 && nth >= times)) return std::nullopt;
  return ToFault(names, *found);
}

Task<std::optional<Fault>> World::Enter(std::string call, Json details) {
  calls.push_back(call);
  details["times"] = std::count(calls.begin(), calls.end(), call);
  sent[call] = std::move(details);
  std::optional<Fault> fault = TakeFault(call);
  if (fault && Says(*fault, "cancel")) cancellation->Cancel();
  if (fault && Says(*fault, "terminate")) cancellation->Terminate();
  Task<void> turn = fault && Says(*fault, "hangs") ? answers.Killed() : answers.Next();
  co_await std::move(turn);
  if (fault && Says(*fault, "hangs")) fault->status = Status(Code::kUnavailable, "the plugin was killed");
  co_return fault;
}

Task<Status> World::Leave(std::optional<Fault> fault) {
  if (slow_answers) {
    Task<void> turn = answers.Next();
    co_await std::move(turn);
  }
  if (fault && Says(*fault, "dies")) co_return Status(Code::kUnavailable, "error reading from server: EOF");
  co_return Status();
}

void World::SetFaults(const Json& wanted) {
  for (const auto& [call, fault] : wanted.items()) {
    if (fault.is_string()) continue;
    const std::string where = "faults: " + call;
    AllowOnly(fault,
              {"error", "code", "partial", "times", "after", "failures", "cancel", "terminate", "answer", "dies",
               "hangs", "awaits"},
              where);
    AllowOnly(Mapping(fault, "partial"), {"id", "outputs", "inputs", "reasons", "refreshBeforeUpdate"}, where);
    ToFault(names, fault);
  }
  faults_ = wanted;
  calls_made_.clear();
}

void World::ChangeCloud(const Json& changes) {
  for (const auto& [id, change] : changes.items()) {
    if (change.is_null()) {
      cloud.erase(id);
      continue;
    }
    AllowOnly(change, {"id", "inputs", "outputs"}, "cloud." + id);
    Thing& thing = cloud[id];
    thing.id = change.value("id", id);
    if (change.contains("outputs")) thing.outputs = names.ToProperties(change["outputs"]);
    if (change.contains("inputs")) thing.inputs = names.ToProperties(change["inputs"]);
  }
}

void World::ChangeCloudOf(const Json& changes) {
  Json by_id = Json::object();
  for (const auto& [id, thing] : cloud) {
    const std::string name = id.substr(0, id.rfind('-'));
    if (changes.contains(name)) by_id[id] = changes[name];
  }
  ChangeCloud(by_id);
}

Status World::PublishViews(const Json& views, const std::string& token) {
  if (views.empty()) return {};
  std::vector<ViewStep> steps;
  for (const Json& view : views) {
    AllowOnly(view, {"op", "name", "type", "old", "new", "error"}, "views");
    ViewStep step;
    step.op = view.value("op", "create");
    step.type = view.value("type", "pkg:m:View");
    step.name = view["name"];
    step.error = view.value("error", "");
    if (!step.error.empty()) step.outcome = ViewStep::Outcome::kUnknown;
    step.old_state = ViewState(names, view, "old");
    step.new_state = ViewState(names, view, "new");
    steps.push_back(std::move(step));
  }
  return service->PublishViewSteps(token, steps);
}

}  // namespace kingpost::scenarios
