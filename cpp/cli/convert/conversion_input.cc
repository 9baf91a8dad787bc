// SPDX-License-Identifier: Apache-2.0
#include "cli/convert/conversion_input.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/command_name.h"
#include "cli/packages/plugin_client.h"
#include "cli/session/exit_code.h"
#include "languages/yaml/conversion.h"
#include "languages/yaml/expression_reader.h"
#include "languages/yaml/loader.h"
#include "workspace/stack_config.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;
using SettingKind = codegen::Setting::Kind;

Task<Result<std::string>> LoadSchema(PluginClient* client, ProviderSpec spec,
                                     std::optional<Parameterization> parameterization) {
  co_return client->SchemaOf(std::move(spec), std::move(parameterization));
}

SettingKind KindOfValue(const nlohmann::json& value) {
  if (value.is_boolean()) return SettingKind::kBool;
  if (value.is_number()) return SettingKind::kNumber;
  if (value.is_array()) return SettingKind::kList;
  return value.is_object() ? SettingKind::kObject : SettingKind::kText;
}

std::string OwnName(const std::string& key, const Project& project) {
  const std::string prefix = project.name + ":";
  return key.starts_with(prefix) ? key.substr(prefix.size()) : key;
}

std::map<std::string, SettingKind> ValuesOf(const Project& project) {
  std::map<std::string, SettingKind> kinds;
  for (const auto& [key, entry] : project.config) {
    const auto& value = entry.value ? entry.value : entry.default_value;
    if (value) kinds[OwnName(key, project)] = KindOfValue(*value);
  }
  return kinds;
}

// The settings that any stack of the project keeps encrypted: the program must not have them in clear.
Result<std::set<std::string>> SecretsOf(const Project& project) {
  std::set<std::string> secrets;
  const fs::path folder = fs::path(project.StackConfigFile("any")).parent_path();
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool settings = name.starts_with("Pulumi.") && name.ends_with(".yaml") && name != "Pulumi.yaml";
    if (!settings || at->path() == fs::path(project.file)) continue;
    const auto config = StackConfig::Load(at->path().string(), project.name);
    if (!config.ok()) return config.status();
    for (const auto& [key, value] : config->config()) {
      if (ContainsSecure(value)) secrets.insert(OwnName(key, project));
    }
  }
  return secrets;
}

// Defaults that the project has for all programs are its own affair.
void LeaveDefaults(const Project& project, codegen::Program* program) {
  for (codegen::Setting& setting : program->settings) {
    for (const auto& [key, entry] : project.config) {
      const bool given = entry.value || entry.default_value;
      if (given && OwnName(key, project) == setting.name) setting.default_value = nullptr;
    }
  }
}

void TellAll(const Session& session, const yaml::Diagnostics& diagnostics, const yaml::Source& source) {
  for (const yaml::Diagnostic& diagnostic : diagnostics.list()) {
    const bool error = diagnostic.severity == yaml::Diagnostic::Severity::kError;
    const std::string text = yaml::Render(diagnostic, source);
    error ? session.Note("error: " + text) : session.Warn(text);
  }
}

Result<Project> YamlProject(Session& session) {
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  if ((*project)->runtime != "yaml") {
    return Fail(ExitCode::kFailed, "the program of " + (*project)->file + " is written in '" + (*project)->runtime +
                                       "', and --from yaml reads programs in YAML only");
  }
  if ((*project)->runtime_options->contains("compiler")) {
    return Fail(ExitCode::kFailed, "a compiler writes the program of " + (*project)->file +
                                       ": convert its output, in a project without the option `compiler`");
  }
  return **project;
}

// A package that only a file beside the program describes has no SDK that `install` could make anew.
Status CheckDecls(const Project& project, const std::vector<yaml::PackageDecl>& decls) {
  for (const yaml::PackageDecl& decl : decls) {
    const auto& parameter = decl.parameterization ? decl.parameterization : decl.extension;
    const std::string name = parameter ? parameter->name : decl.name;
    if (!parameter || project.packages.count(name) > 0) continue;
    return Fail(ExitCode::kFailed, "the package '" + name + "' has parameters, and " + project.file +
                                       " does not have it among its `packages`: run " + QuotedCommand("package add") +
                                       " for it");
  }
  return Status::Ok();
}

}  // namespace

Result<ConversionInput> ReadYamlProgram(Session& session, bool strict) {
  const Result<Project> project = YamlProject(session);
  if (!project.ok()) return project.status();
  auto loaded = yaml::LoadProgram(project->ProgramFolder(), project->file);
  if (!loaded.ok()) return loaded.status();
  if (const Status described = CheckDecls(*project, loaded->decls); !described.ok()) return described;
  auto client = PluginClient::Open(session, *project);
  if (!client.ok()) return client.status();
  const auto secrets = SecretsOf(*project);
  if (!secrets.ok()) return secrets.status();

  yaml::ProgramDecl& program = loaded->program;
  program.name = project->name;
  Loop loop;
  LanguageServices services;
  services.loop = &loop;
  services.load_schema = [&client](ProviderSpec spec, std::optional<Parameterization> parameterization) {
    return LoadSchema(client->get(), std::move(spec), std::move(parameterization));
  };
  yaml::PackageIndex book(services, loaded->decls);
  yaml::Diagnostics diagnostics = loaded->diagnostics;
  loop.RunUntilDone(book.Load(yaml::TokensIn(program.body), &diagnostics));

  ConversionInput input{*project, {}, "", loaded->path};
  if (!diagnostics.has_errors()) {
    input.program = yaml::ConvertProgram({program, book, ValuesOf(*project), *secrets}, &diagnostics);
  }
  const bool doubtful = diagnostics.list().size() > loaded->diagnostics.list().size();
  TellAll(session, diagnostics, program.source);
  if (diagnostics.has_errors() || (strict && doubtful)) return Fail(ExitCode::kFailed, "conversion failed");
  const std::string* range = yaml::LiteralText(program.body.required_version);
  if (range) input.required_version = *range;
  LeaveDefaults(*project, &input.program);
  return input;
}

}  // namespace kingpost
