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

constexpr const char* kKindsWithSteps[] = {"resourcePreEvent", "resOutputsEvent", "resOpFailedEvent"};

bool Names(const EventJson& diffs, const std::string& key) {
  return std::find(diffs.begin(), diffs.end(), key) != diffs.end();
}

// Of the old or the new side of a step the inputs that differ.
void KeepInputs(const EventJson& diffs, EventJson* state) {
  if (FieldOf(*state, "inputs") == nullptr) return;
  const EventJson inputs = ObjectOf(*state, "inputs");
  EventJson kept = EventJson::object();
  for (const auto& [key, value] : inputs.items()) {
    if (Names(diffs, key)) kept[key] = value;
  }
  (*state)["inputs"] = std::move(kept);
}

// Without named differences, as in a create or a delete, all inputs stay.
void KeepChangedInputs(EventJson* step) {
  const EventJson diffs = ListOf(*step, "diffs");
  if (diffs.empty()) return;
  for (const char* side : {"old", "new"}) {
    if (FieldOf(*step, side) != nullptr) KeepInputs(diffs, &(*step)[side]);
  }
}

// The line without what stays the same; empty if all of it does. Events that are not of a resource stay as they are.
Result<std::string> ChangesOf(const std::string& line, size_t number) {
  EventJson event = ParseOrderedJson(line);
  if (!event.is_object()) {
    return Fail(ExitCode::kFailed, "decoding event: line " + std::to_string(number) +
                                       " is no JSON object, as `up --event-log FILE` writes one in each line");
  }
  for (const char* kind : kKindsWithSteps) {
    const EventJson* told = FieldOf(event, kind);
    if (told == nullptr || FieldOf(*told, "metadata") == nullptr) continue;
    EventJson& step = event[kind]["metadata"];
    if (TextOf(step, "op") == "same") return std::string();
    KeepChangedInputs(&step);
    return event.dump(-1, ' ', false, EventJson::error_handler_t::replace) + "\n";
  }
  return line + "\n";
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
