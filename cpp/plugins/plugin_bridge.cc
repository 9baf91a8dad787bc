// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_bridge.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "base/os.h"

namespace kingpost {

namespace {

// An option that was no text in the description has become one (RuntimeOptions), and goes back.
std::string OptionsText(const RuntimeOptions& options) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [name, text] : options) {
    const bool was_text = text.empty() || (text != "true" && text != "false" && text[0] != '{' && text[0] != '[');
    nlohmann::json value = was_text ? nlohmann::json(text) : ParseJson(text);
    object[name] = value.is_discarded() ? nlohmann::json(text) : std::move(value);
  }
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Result<std::vector<std::string>> BridgeCommand(const BridgedPlugin& plugin) {
  const std::filesystem::path self = OwnExecutable();
  const bool is_command = self.filename() == "kingpost" || self.filename() == "pulumi";
  const std::string bridge = is_command ? self.string() : FindOnPath("kingpost");
  if (bridge.empty()) {
    return Status(Code::kNotFound, "the command kingpost, which runs the sources of " + plugin.name +
                                       " by the plugin of their language, is not on PATH");
  }
  std::vector<std::string> command = {bridge,      kBridgeCommand, plugin.language_plugin, plugin.engine_address,
                                      plugin.kind, plugin.name,    plugin.folder,          OptionsText(plugin.options)};
  command.insert(command.end(), plugin.arguments.begin(), plugin.arguments.end());
  return command;
}

}  // namespace kingpost
