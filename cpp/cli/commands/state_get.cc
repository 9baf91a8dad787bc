// SPDX-License-Identifier: Apache-2.0
// state get: what is recorded of one resource.
#include "cli/commands/add_commands.h"
#include "cli/commands/state_lookup.h"
#include "cli/session/command.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/masking.h"
#include "console/display/terminal.h"
#include "console/display/value_text.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

struct GetOptions {
  std::string stack, urn;
  bool json = false, show_secrets = false;
};

std::string Section(const std::string& title, const PropertyMap& properties, bool show_secrets) {
  if (properties.empty()) return "";
  ValueTextOptions options;
  options.indent = 4;
  options.full = options.align = true;
  options.show_secrets = show_secrets;
  return title + ":\n" + PropertiesText(properties, options);
}

std::string StateText(const State& state, bool show_secrets) {
  std::string text = "Type: " + state.type + "\nURN:  " + state.urn.str() + "\n";
  if (!state.id.empty()) text += "ID:   " + Printable(state.id) + "\n";
  return text + Section("Inputs", state.inputs, show_secrets) + Section("Outputs", state.outputs, show_secrets);
}

Result<std::string> StateJson(const State& state, bool show_secrets) {
  JsonWriter json("  ");
  json.BeginObject();
  json.Key("id");
  json.Text(state.id);
  for (const auto& [key, properties] : {std::pair("inputs", &state.inputs), std::pair("outputs", &state.outputs)}) {
    const Value all(*properties);
    const Value shown = StripSecretsAndOutputs(show_secrets ? all : MaskSecrets(all));
    const Result<std::string> encoded = EncodeValue(shown, state.urn, EncodeOptions());
    if (!encoded.ok()) return encoded.status();
    json.Key(key);
    json.Json(*encoded);
  }
  json.Key("type");
  json.Text(state.type);
  json.Key("urn");
  json.Text(state.urn.str());
  json.EndObject();
  return PrintableJson(json.str()) + "\n";
}

Status RunStateGet(Session& session, const GetOptions& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  const Result<Snapshot> snapshot = ReadSnapshot(session, *stack, options.show_secrets);
  if (!snapshot.ok()) return snapshot.status();
  const Result<StatePtr> state = FindLiveState(*snapshot, options.urn);
  if (!state.ok()) return state.status();
  Result<std::string> text = options.json ? StateJson(**state, options.show_secrets)
                                          : Result<std::string>(StateText(**state, options.show_secrets));
  if (!text.ok()) return text.status();
  session.Print(*text);
  return Status::Ok();
}

}  // namespace

void AddStateGetCommand(Commands* commands) {
  commands->push_back({"state get", "Show what is recorded of a resource", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<GetOptions>();
                         flags.Argument("URN", &options->urn, "The resource", true);
                         DeclareJson(flags, std::shared_ptr<bool>(options, &options->json));
                         flags.Switch("--show-secrets", &options->show_secrets, "Show secrets in clear");
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         return [options](Session& session) { return RunStateGet(session, *options); };
                       }});
}

}  // namespace kingpost
