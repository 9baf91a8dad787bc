// SPDX-License-Identifier: Apache-2.0
// config and config get.
#include "base/json_access.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "cli/session/stack_settings.h"
#include "console/display/table.h"
#include "console/display/terminal.h"
#include "workspace/project_config.h"

namespace kingpost {

namespace {

using Json = nlohmann::json;

nlohmann::ordered_json EntryJson(const ConfigValue& value) {
  nlohmann::ordered_json entry;
  entry["value"] = value.value;
  if (value.object) entry["objectValue"] = ParseJson(value.value);
  entry["secret"] = value.secret;
  return entry;
}

std::string Dump(const nlohmann::ordered_json& json) {
  return PrintableJson(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

// With the project's values and defaults.
Result<ConfigMap> MergedConfig(Session& session, const StackSettings& settings) {
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  return MergeProjectConfig(**project, settings.stack.name, settings.config.config(), /*validate=*/false);
}

Status RunList(Session& session, const ConfigOptions& options) {
  Result<StackSettings> settings = OpenStackSettings(session, options);
  if (!settings.ok()) return settings.status();
  const Result<ConfigMap> merged = MergedConfig(session, *settings);
  if (!merged.ok()) return merged.status();
  std::shared_ptr<SecretsManager> secrets;
  if (options.show_secrets && settings->config.HasSecrets()) {
    Result<std::shared_ptr<SecretsManager>> opened = SettingsSecrets(session, options, &*settings);
    if (!opened.ok()) return opened.status();
    secrets = std::move(*opened);
  }

  nlohmann::ordered_json list = nlohmann::ordered_json::object();
  std::vector<TableRow> rows;
  for (const auto& [key, raw] : *merged) {
    ConfigValue value = FlattenConfig(raw);
    if (value.secret && !options.show_secrets) {
      nlohmann::ordered_json hidden;
      hidden["secret"] = true;
      list[key] = hidden;
      rows.push_back({Printable(PrettyKey(key, settings->config.project())), "[secret]"});
      continue;
    }
    if (value.secret) {
      Result<ConfigValue> plain = DecryptConfigValue(raw, secrets.get());
      if (!plain.ok()) return plain.status().Wrap("could not decrypt configuration value '" + key + "'");
      value = std::move(*plain);
    }
    list[key] = EntryJson(value);
    rows.push_back({Printable(PrettyKey(key, settings->config.project())), Printable(value.value)});
  }
  session.Print(options.json ? Dump(list) : Table({"KEY", "VALUE"}, rows, session.columns()));
  return Status::Ok();
}

Status RunGet(Session& session, const ConfigOptions& options) {
  Result<StackSettings> settings = OpenStackSettings(session, options);
  if (!settings.ok()) return settings.status();
  const Result<ConfigMap> merged = MergedConfig(session, *settings);
  if (!merged.ok()) return merged.status();
  const Result<ConfigKey> key = ConfigKey::Parse(options.key, settings->config.project());
  if (!key.ok()) return key.status().Wrap("invalid configuration key");
  const Result<std::optional<Json>> found = GetConfig(*merged, *key, options.path);
  if (!found.ok()) return found.status();
  if (!*found) {
    return Fail(ExitCode::kFailed, "configuration key '" + PrettyKey(key->str(), settings->config.project()) +
                                       "' not found for stack '" + session.ShortName(settings->stack) + "'");
  }
  ConfigValue value = FlattenConfig(**found);
  if (value.secret) {
    const Result<std::shared_ptr<SecretsManager>> secrets = SettingsSecrets(session, options, &*settings);
    if (!secrets.ok()) return secrets.status();
    Result<ConfigValue> plain = DecryptConfigValue(**found, secrets->get());
    if (!plain.ok()) return plain.status().Wrap("could not decrypt configuration value");
    value = std::move(*plain);
  }
  session.Print(options.json ? Dump(EntryJson(value)) : value.value + "\n");
  return Status::Ok();
}

}  // namespace

void AddConfigReadCommands(Commands* commands) {
  commands->push_back({"config", "List the stack's configuration", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<ConfigOptions>();
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Text("--config-file", &options->config_file, "Use this settings file");
                         flags.Switch("-j,--json", &options->json, "As JSON");
                         flags.Switch("--show-secrets", &options->show_secrets, "Show secrets in clear");
                         flags.AcceptSwitch("--open");
                         return [=](Session& session) { return RunList(session, *options); };
                       }});
  commands->push_back({"config get", "Show one value", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<ConfigOptions>();
                         flags.Argument("KEY", &options->key, "The key", true);
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Text("--config-file", &options->config_file, "Use this settings file");
                         flags.Switch("-j,--json", &options->json, "As JSON");
                         flags.Switch("--path", &options->path, "The key is a path into a structure");
                         for (const char* name : {"--open", "--show-secrets"}) flags.AcceptSwitch(name);
                         return [=](Session& session) { return RunGet(session, *options); };
                       }});
}

void AddConfigCommands(Commands* commands) {
  AddConfigReadCommands(commands);
  AddConfigWriteCommands(commands);
}

}  // namespace kingpost
