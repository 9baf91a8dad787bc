// SPDX-License-Identifier: Apache-2.0
// events filter: passes on a log of engine events (`up --event-log`), or only what changes in it.
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json_access.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"

namespace kingpost {

namespace {

using EventJson = nlohmann::ordered_json;

// The step of an event about a resource; null for all other events.
EventJson* StepOf(EventJson* event) {
  for (const char* kind : {"resourcePreEvent", "resOutputsEvent", "resOpFailedEvent"}) {
    const auto found = event->find(kind);
    if (found == event->end() || !found->is_object()) continue;
    const auto step = found->find("metadata");
    return step != found->end() && step->is_object() ? &*step : nullptr;
  }
  return nullptr;
}

bool Names(const EventJson& diffs, const std::string& key) {
  return std::find(diffs.begin(), diffs.end(), key) != diffs.end();
}

// Without named differences, as in a create or a delete, all inputs stay.
void KeepChangedInputs(EventJson* step) {
  const auto diffs = step->find("diffs");
  if (diffs == step->end() || !diffs->is_array() || diffs->empty()) return;
  for (const char* side : {"old", "new"}) {
    const auto state = step->find(side);
    if (state == step->end() || !state->is_object() || !state->contains("inputs")) continue;
    EventJson kept = EventJson::object();
    for (const auto& [key, value] : state->at("inputs").items()) {
      if (Names(*diffs, key)) kept[key] = value;
    }
    state->at("inputs") = std::move(kept);
  }
}

// The line without what stays the same; empty if all of it does.
Result<std::string> ChangesOf(const std::string& line, size_t number) {
  EventJson event =
      NestsTooDeep(line) ? EventJson(EventJson::value_t::discarded) : EventJson::parse(line, nullptr, false);
  if (!event.is_object()) {
    return Fail(ExitCode::kFailed, "decoding event: line " + std::to_string(number) +
                                       " is no JSON object, as `up --event-log FILE` writes one in each line");
  }
  EventJson* step = StepOf(&event);
  if (step == nullptr) return line + "\n";
  if (step->value("op", "") == "same") return std::string();
  KeepChangedInputs(step);
  return event.dump(-1, ' ', false, EventJson::error_handler_t::replace) + "\n";
}

// Line by line, so that the log of a command that still runs can be followed.
Status FilterEvents(Session& session, bool changes_only) {
  size_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    ++number;
    if (changes_only && line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Result<std::string> kept = changes_only ? ChangesOf(line, number) : Result<std::string>(line + "\n");
    if (!kept.ok()) return kept.status();
    session.Print(*kept);
  }
  return Status::Ok();
}

}  // namespace

void AddEventsCommand(Commands* commands) {
  commands->push_back({"events filter",
                       "Pass on a log of engine events from standard input",
                       [](Flags& flags) -> CommandBody {
                         auto changes_only = std::make_shared<bool>(false);
                         flags.Switch("--changes-only", changes_only.get(),
                                      "Leave out resources that stay the same, and inputs that do not change");
                         return [changes_only](Session& session) { return FilterEvents(session, *changes_only); };
                       },
                       {},
                       /*hidden=*/true});
}

}  // namespace kingpost
