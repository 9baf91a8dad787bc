// SPDX-License-Identifier: Apache-2.0
// config set, set-all, rm, rm-all, cp, refresh.
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>

#include "base/json_access.h"
#include "cli/commands/add_commands.h"
#include "cli/commands/secret_guess.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "cli/session/stack_settings.h"
#include "cli/session/user_files.h"
#include "workspace/project_config.h"

namespace kingpost {

namespace {

using Json = nlohmann::json;

Result<Json> Typed(const std::string& text, const std::string& type) {
  if (type == "string") return Json(text);
  if (type == "bool" && (text == "true" || text == "false")) return Json(text == "true");
  const char* end = text.data() + text.size();
  if (int64_t whole = 0; type == "int") {
    const auto [stop, error] = std::from_chars(text.data(), end, whole);
    if (error == std::errc() && stop == end) return Json(whole);
  }
  if (double number = 0; type == "float") {
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end) return Json(number);
  }
  if (type != "bool" && type != "int" && type != "float") {
    return UsageError("invalid type \"" + type + "\"; must be one of string, int, bool, or float");
  }
  return UsageError("could not parse '" + text + "' as " + type);
}

Result<std::string> ValueFromUser(Session& session, const ConfigOptions& options) {
  if (session.interactive()) {
    if (options.secret) {
      char* text = ::getpass("value: ");
      return std::string(text ? text : "");
    }
    session.Print("value: ");
    std::string line;
    std::getline(std::cin, line);
    return line;
  }
  Result<std::string> text = ReadStandardInput();
  // The one that ends the last line; others belong to the value.
  if (text.ok() && !options.raw && !text->empty() && text->back() == '\n') text->pop_back();
  return text;
}

// Why a value must not stand in clear in a file that is committed; "" if it may.
std::string WhySecret(Session& session, const StackSettings& settings, const ConfigKey& key, const std::string& value) {
  if (LooksLikeSecret(key.name, value)) return "looks like a secret";
  const Result<const Project*> project = session.project();
  if (project.ok() && DeclaresSecret(**project, key)) return "is declared as a secret in the project";
  const auto recorded = settings.config.config().find(key.str());
  const bool replaces_secret = recorded != settings.config.config().end() && ContainsSecure(recorded->second);
  return replaces_secret ? "replaces a secret" : "";
}

Status RefuseSecretInClear(Session& session, const ConfigOptions& options, const StackSettings& settings,
                           const std::string& value) {
  if (options.secret || options.plaintext) return Status::Ok();
  const Result<ConfigKey> key = ConfigKey::Parse(options.key, settings.config.project());
  const std::string why = key.ok() ? WhySecret(session, settings, *key, value) : "";
  if (why.empty()) return Status::Ok();
  return Fail(ExitCode::kFailed, "config value for '" + key->str() + "' " + why +
                                     "; run again with --secret to encrypt it, or with --plaintext to keep it in "
                                     "clear");
}

Status RunSet(Session& session, const ConfigOptions& options, bool has_value) {
  if (int{options.secret} + int{options.plaintext} + int{!options.type.empty()} > 1) {
    return UsageError("only one of --secret, --plaintext and --type can be given");
  }
  Result<StackSettings> settings = OpenStackSettings(session, options, /*may_be_missing=*/true);
  if (!settings.ok()) return settings.status();
  std::string value = options.value;
  if (!has_value) {
    Result<std::string> typed = ValueFromUser(session, options);
    if (!typed.ok()) return typed.status();
    value = std::move(*typed);
  }
  const Result<ConfigKey> key = ConfigKey::Parse(options.key, settings->config.project());
  if (!options.path && !key.ok()) return key.status().Wrap("invalid configuration key");
  const Status meant = RefuseSecretInClear(session, options, *settings, value);
  if (!meant.ok()) return meant;

  Status set;
  if (options.secret) {
    set = SetSecret(session, options, &*settings, options.key, value, options.path);
  } else if (!options.type.empty()) {
    const Result<Json> typed = Typed(value, options.type);
    if (!typed.ok()) return typed.status();
    set = settings->config.SetJson(options.key, *typed, options.path);
  } else {
    set = settings->config.SetText(options.key, value, options.path);
  }
  return set.ok() ? settings->config.Save() : set.Wrap("could not set config");
}

// {"key": {"value": "...", "secret": bool, "objectValue"?: ...}}, as `config --json --show-secrets` prints it.
Status SetFromJson(Session& session, const ConfigOptions& options, StackSettings* settings) {
  const Json all = ParseJson(options.json_text);
  if (!all.is_object()) return UsageError("could not parse --json argument: it is not a JSON object");
  for (const auto& [key, entry] : all.items()) {
    const bool has_text = entry.is_object() && entry.contains("value") && entry["value"].is_string();
    const bool has_object = entry.is_object() && entry.contains("objectValue");
    if (!has_text && !has_object) return UsageError("value for --json object key \"" + key + "\" is nil");
    const bool secret = BoolOf(entry, "secret");
    Status set;
    if (secret) {
      const std::string text = has_text ? TextIn(entry["value"]) : entry["objectValue"].dump();
      set = SetSecret(session, options, settings, key, text, options.path);
    } else if (has_object) {
      set = settings->config.SetJson(key, entry["objectValue"], false);
    } else {
      set = settings->config.SetText(key, TextIn(entry["value"]), false);
    }
    if (!set.ok()) return set.Wrap("could not set --json config for \"" + key + "\"");
  }
  return settings->config.Save();
}

// key=value; a key that holds "=" itself is in quotes: "foo="=value
Status SplitPair(const std::string& text, std::string* key, std::string* value) {
  const bool quoted = !text.empty() && (text[0] == '"' || text[0] == '\'');
  const size_t closing = quoted ? text.find(text[0], 1) : std::string::npos;
  if (closing != std::string::npos && closing + 1 < text.size() && text[closing + 1] == '=') {
    *key = text.substr(1, closing - 1);
    *value = text.substr(closing + 2);
    return Status::Ok();
  }
  const size_t equals = text.find('=');
  if (equals == std::string::npos) return UsageError("config value must be in the form [key]=[value]: '" + text + "'");
  *key = text.substr(0, equals);
  *value = text.substr(equals + 1);
  return Status::Ok();
}

Status RunSetAll(Session& session, const ConfigOptions& options) {
  const bool has_pairs = !options.plaintexts.empty() || !options.secrets.empty();
  if (!options.json_text.empty() && (has_pairs || options.path)) {
    return UsageError("the --json option cannot be used with the --plaintext, --secret or --path options");
  }
  Result<StackSettings> settings = OpenStackSettings(session, options, /*may_be_missing=*/true);
  if (!settings.ok()) return settings.status();
  if (!options.json_text.empty()) return SetFromJson(session, options, &*settings);
  std::string key, value;
  for (const std::string& pair : options.plaintexts) {
    if (const Status split = SplitPair(pair, &key, &value); !split.ok()) return split;
    if (const Status set = settings->config.SetText(key, value, options.path); !set.ok()) return set;
  }
  for (const std::string& pair : options.secrets) {
    if (const Status split = SplitPair(pair, &key, &value); !split.ok()) return split;
    if (const Status set = SetSecret(session, options, &*settings, key, value, options.path); !set.ok()) return set;
  }
  return settings->config.Save();
}

Status RunRemove(Session& session, const ConfigOptions& options) {
  if (options.keys.empty()) return UsageError("missing argument: KEY is required");
  Result<StackSettings> settings = OpenStackSettings(session, options);
  if (!settings.ok()) return settings.status();
  for (const std::string& key : options.keys) {
    if (const Status removed = settings->config.Remove(key, options.path); !removed.ok()) return removed;
  }
  return settings->config.Save();
}

Status RunCopy(Session& session, const ConfigOptions& options) {
  Result<StackSettings> from = OpenStackSettings(session, options);
  if (!from.ok()) return from.status();
  ConfigOptions dest_options;
  dest_options.stack = options.dest;
  if (options.dest.empty()) return UsageError("config cp has no destination: name a stack with --dest");
  Result<StackSettings> to = OpenStackSettings(session, dest_options);
  if (!to.ok()) return to.status();
  if (from->stack == to->stack) return UsageError("current stack and destination stack are the same");

  ConfigMap copied;
  if (options.key.empty()) {
    copied = from->config.config();
  } else {
    const Result<std::optional<Json>> value = from->config.Get(options.key, options.path);
    if (!value.ok()) return value.status();
    const Result<ConfigKey> key = ConfigKey::Parse(options.key, from->config.project());
    if (!*value || !key.ok()) return Fail(ExitCode::kFailed, "configuration key '" + options.key + "' not found");
    copied[key->str()] = **value;
  }
  bool has_secrets = false;
  for (const auto& [key, value] : copied) has_secrets = has_secrets || ContainsSecure(value);
  if (has_secrets) {
    const Result<std::shared_ptr<SecretsManager>> old_secrets = SettingsSecrets(session, options, &*from);
    if (!old_secrets.ok()) return old_secrets.status();
    const Result<std::shared_ptr<SecretsManager>> new_secrets = SettingsSecrets(session, dest_options, &*to);
    if (!new_secrets.ok()) return new_secrets.status();
    Result<ConfigMap> anew = ReencryptConfig(copied, old_secrets->get(), new_secrets->get());
    if (!anew.ok()) return anew.status();
    copied = std::move(*anew);
  }
  for (const auto& [key, value] : copied) {
    if (const Status set = to->config.SetJson(key, value, options.path); !set.ok()) return set;
  }
  return to->config.Save();
}

// Back to what the last operation ran with.
Status RunRefresh(Session& session, const ConfigOptions& options) {
  Result<StackSettings> settings = OpenStackSettings(session, options);
  if (!settings.ok()) return settings.status();
  const Result<StateStore*> store = session.store();
  const Result<std::vector<std::string>> history = (*store)->ReadHistory(settings->stack, 1, 1);
  if (!history.ok()) return history.status();
  const Json record = history->empty() ? Json() : ParseJson(history->front());
  if (!record.is_object()) {
    return Fail(ExitCode::kFailed, "no previous deployment: there is no configuration to refresh from");
  }
  ConfigMap config;
  const Json recorded = ObjectOf(record, "config");
  for (const auto& [key, value] : recorded.items()) config[key] = value;
  const std::string file = settings->config.file();
  std::error_code error;
  if (!options.force && std::filesystem::exists(file, error)) {
    std::filesystem::copy_file(file, file + ".bak", std::filesystem::copy_options::overwrite_existing, error);
    if (error) return Fail(ExitCode::kFailed, "backing up existing configuration file: " + error.message());
  }
  settings->config.set_config(std::move(config));
  if (const Status saved = settings->config.Save(); !saved.ok()) return saved;
  session.Say("refreshed configuration for stack '" + session.ShortName(settings->stack) + "'\n");
  return Status::Ok();
}

using Body = Status (*)(Session&, const ConfigOptions&);
using More = void (*)(Flags&, ConfigOptions*);

// Environments are kept by a service. Programs that use them find out here, and not in the middle of an update.
Status RefuseEnvironments(Session& session, const ConfigOptions&) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  return Fail(ExitCode::kFailed, "backend " + (*store)->printable_url() +
                                     " does not support environments, which are kept by Pulumi Cloud; put the values "
                                     "into the stack's configuration");
}

// Flags of `config` itself, which programs may give with each of its commands.
void AcceptFlagsOfConfig(Flags& flags) {
  const std::pair<const char*, const char*> kOfConfig[] = {
      {"--json", "-j,--json"}, {"--open", "--open"}, {"--show-secrets", "--show-secrets"}};
  for (const auto& [name, names] : kOfConfig) {
    if (!flags.Declares(name)) flags.AcceptSwitch(names);
  }
}

void AddSettingsCommand(Commands* commands, const std::string& word, const std::string& summary, Body body, More more) {
  commands->push_back({"config " + word, summary, [=](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<ConfigOptions>();
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Text("--config-file", &options->config_file, "Use this settings file");
                         more(flags, options.get());
                         AcceptFlagsOfConfig(flags);
                         return [=](Session& session) { return body(session, *options); };
                       }});
}

CommandBody DeclareSet(Flags& flags) {
  auto options = std::make_shared<ConfigOptions>();
  auto values = std::make_shared<std::vector<std::string>>();
  flags.Argument("KEY", &options->key, "The key", true);
  flags.Arguments("VALUE", values.get(), "The value; standard input if absent");
  flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
  flags.Text("--config-file", &options->config_file, "Use this settings file");
  flags.Switch("--path", &options->path, "The key is a path into a structure");
  flags.Switch("--plaintext", &options->plaintext, "Keep it in clear");
  flags.Switch("--secret", &options->secret, "Encrypt it");
  flags.Text("--type", &options->type, "string, int, bool or float");
  flags.Switch("--raw", &options->raw, "Keep line breaks at the end of standard input");
  flags.AcceptSwitch("--override-import");  // of an environment, which settings in files do not import
  AcceptFlagsOfConfig(flags);
  return [=](Session& session) -> Status {
    if (values->size() > 1) return UsageError("too many arguments: one key and one value are needed");
    if (!values->empty()) options->value = values->front();
    return RunSet(session, *options, !values->empty());
  };
}

}  // namespace

void AddConfigWriteCommands(Commands* commands) {
  commands->push_back({"config set", "Set one value", DeclareSet});
  AddSettingsCommand(commands, "set-all", "Set several values", RunSetAll, [](Flags& flags, ConfigOptions* options) {
    flags.List("--plaintext", &options->plaintexts, "key=value in clear");
    flags.List("--secret", &options->secrets, "key=value to encrypt");
    flags.Switch("--path", &options->path, "Keys are paths into structures");
    flags.Text("--json", &options->json_text, "Values as 'config --json' prints them");
    flags.AcceptSwitch("--override-import");
  });
  AddSettingsCommand(commands, "rm", "Remove one value", RunRemove, [](Flags& flags, ConfigOptions* options) {
    flags.Arguments("KEY", &options->keys, "The key");
    flags.Switch("--path", &options->path, "The key is a path into a structure");
  });
  AddSettingsCommand(commands, "rm-all", "Remove several values", RunRemove, [](Flags& flags, ConfigOptions* options) {
    flags.Arguments("KEY", &options->keys, "The keys");
    flags.Switch("--path", &options->path, "Keys are paths into structures");
  });
  AddSettingsCommand(commands, "cp", "Copy values to another stack", RunCopy, [](Flags& flags, ConfigOptions* options) {
    flags.Argument("KEY", &options->key, "Only this key");
    flags.Text("-d,--dest", &options->dest, "The other stack");
    flags.Switch("--path", &options->path, "The key is a path into a structure");
  });
  for (const char* word : {"env add", "env init", "env ls", "env rm"}) {
    AddSettingsCommand(commands, word, "Refused: environments need Pulumi Cloud", RefuseEnvironments,
                       [](Flags& flags, ConfigOptions* options) {
                         flags.Arguments("NAME", &options->keys, "Environments");
                         for (const char* name : {"-y,--yes", "-j,--json", "--show-secrets", "--keep-config"})
                           flags.AcceptSwitch(name);
                         for (const char* name : {"--env", "--output"}) flags.AcceptText(name);
                       });
    commands->back().hidden = true;
  }
  AddSettingsCommand(commands, "refresh", "Take back the values of the last operation", RunRefresh,
                     [](Flags& flags, ConfigOptions* options) {
                       flags.Switch("-f,--force", &options->force, "Keep no copy of the settings file");
                     });
}

}  // namespace kingpost
