// SPDX-License-Identifier: Apache-2.0
#include "cli/templates/template_config.h"

#include <map>

#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "cli/session/stack_settings.h"
#include "cli/templates/ask_value.h"

namespace kingpost {

namespace {

struct GivenValue {
  std::string key, value;
  bool secret = false, is_path = false;
};

// By full key: "size" of the project web is "web:size".
Result<std::map<std::string, GivenValue>> GivenOnCommandLine(const NewOptions& options, const std::string& project) {
  std::map<std::string, GivenValue> given;
  for (const std::string& pair : options.config) {
    const size_t equals = std::min(pair.find('='), pair.size());
    const std::string key = pair.substr(0, equals);
    const Result<ConfigKey> full = ConfigKey::Parse(key, project);
    // A path such as `list[0]` is no key; it can answer none of the template's questions either.
    if (!full.ok() && !options.config_path) return full.status();
    given[full.ok() ? full->str() : key] = {key, equals < pair.size() ? pair.substr(equals + 1) : "", false,
                                            options.config_path};
  }
  return given;
}

// "The region to deploy to (aws:region)"
std::string LabelOf(const TemplateSetting& setting) {
  return setting.description.empty() ? setting.key : setting.description + " (" + setting.key + ")";
}

// Adds what the template asks for. What is set already, of a stack that was there before, is not asked again.
Status Ask(Session& session, const NewOptions& options, const ProjectTemplate& from, const StackConfig& config,
           std::map<std::string, GivenValue>* answers) {
  for (const TemplateSetting& setting : from.config) {
    const Result<ConfigKey> key = ConfigKey::Parse(setting.key, config.project());
    if (!key.ok()) return key.status();
    if (const auto given = answers->find(key->str()); given != answers->end()) {
      given->second.secret = setting.secret;
      continue;
    }
    if (config.config().contains(key->str())) continue;
    const Result<std::string> value =
        AskValue(session, options.yes, {LabelOf(setting), setting.default_value, setting.secret});
    if (!value.ok()) return value.status();
    if (!value->empty()) (*answers)[key->str()] = {setting.key, *value, setting.secret};
  }
  return Status::Ok();
}

Status Set(Session& session, const GivenValue& answer, StackSettings* settings) {
  if (answer.secret) return SetSecret(session, {}, settings, answer.key, answer.value, answer.is_path);
  return settings->config.SetText(answer.key, answer.value, answer.is_path);
}

}  // namespace

Status SaveTemplateConfig(Session& session, const NewOptions& options, const ProjectTemplate& from,
                          const StackName& stack) {
  Result<StackConfig> config = session.LoadConfig(stack);
  if (!config.ok()) return config.status();
  Result<std::map<std::string, GivenValue>> answers = GivenOnCommandLine(options, config->project());
  if (!answers.ok()) return answers.status();
  const Status asked = Ask(session, options, from, *config, &*answers);
  if (!asked.ok() || answers->empty()) return asked;
  StackSettings settings{stack, std::move(*config)};
  for (const auto& [key, answer] : *answers) {
    if (const Status set = Set(session, answer, &settings); !set.ok()) return set.Wrap("saving config");
  }
  if (const Status saved = settings.config.Save(); !saved.ok()) return saved.Wrap("saving config");
  session.Print("Saved config\n\n");
  return Status::Ok();
}

}  // namespace kingpost
