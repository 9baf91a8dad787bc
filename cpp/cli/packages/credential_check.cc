// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/credential_check.h"

#include "base/trim.h"
#include "cli/packages/process_host.h"
#include "cli/packages/project_plugins.h"
#include "cli/session/plugin_listener.h"
#include "console/display/command_marks.h"
#include "console/display/terminal.h"
#include "languages/schema/document.h"
#include "wire/package_host.h"
#include "workspace/stack_config.h"

namespace kingpost {

namespace {

using schema::CredentialCheck;

// "aws:region" of the settings as "region". Encrypted ones are left out: nobody has been asked for a passphrase yet.
PropertyMap SettingsOf(const std::string& package, const StackConfig& config) {
  PropertyMap settings;
  const std::string prefix = package + ":";
  for (const auto& [key, value] : config.config()) {
    if (key.starts_with(prefix) && !ContainsSecure(value)) {
      settings.Set(key.substr(prefix.size()), Value(FlattenConfig(value).value));
    }
  }
  return settings;
}

std::string Indented(std::string_view text) {
  std::string indented;
  for (const char c : TrimmedView(text)) indented += c == '\n' ? "\n    " : std::string(1, c);
  return "\n    " + indented;
}

std::string Problem(const CredentialCheck& package, const std::string& headline, const std::string& details) {
  std::string text = headline + details;
  std::string guide = package.guide;
  if (guide.ends_with('/')) guide.pop_back();
  // Providers often name their guide themselves.
  if (!guide.empty() && details.find(guide) == std::string::npos) {
    text += "\nFor help configuring the " + package.shown_name + " provider, see " + package.guide;
  }
  return text;
}

// The provider's complaint; "" if there is none.
Task<std::string> Probe(ProviderPtr provider, CredentialCheck package, PropertyMap settings) {
  const std::string failed = "Could not validate your " + package.shown_name + " credentials:";
  const Urn urn = Urn::Make("dev", "default", "", MakeProviderType(package.package), "default");
  CheckRequest check;
  check.urn = urn;
  check.name = urn.name();
  check.type = urn.type();
  check.new_inputs = std::move(settings);
  auto checking = provider->CheckConfig(std::move(check));
  const auto checked = co_await std::move(checking);
  if (!checked.ok()) co_return Problem(package, failed, Indented(checked.status().message()));
  if (!checked->failures.empty()) {
    std::string details;
    for (const CheckFailure& failure : checked->failures) {
      details += Indented((failure.property.empty() ? "" : failure.property + ": ") + failure.reason);
    }
    co_return Problem(package,
                      "The " + package.shown_name + " provider reported problems with its configuration:", details);
  }
  ConfigureRequest configure;
  configure.urn = urn;
  configure.name = urn.name();
  configure.type = urn.type();
  configure.id = "preflight";
  configure.inputs = checked->inputs;
  auto configuring = provider->Configure(std::move(configure));
  const Status configured = co_await std::move(configuring);
  co_return configured.ok() ? "" : Problem(package, failed, Indented(configured.message()));
}

Task<std::string> CheckPackage(PluginHost* host, RequiredPackage required, const StackConfig* config) {
  ProviderSpec spec;
  spec.name = required.name;
  spec.version = required.version;
  spec.download_url = required.download_url;
  spec.checksums = required.checksums;
  auto loading = host->LoadProvider(std::move(spec));
  const auto provider = co_await std::move(loading);
  if (!provider.ok()) co_return "";
  SchemaRequest request;
  if (required.parameterization) {
    request.subpackage_name = required.parameterization->name;
    request.subpackage_version = required.parameterization->version;
    auto asking = (*provider)->Parameterize(*required.parameterization);
    const auto answer = co_await std::move(asking);
    if (!answer.ok() || answer->first != request.subpackage_name || answer->second != request.subpackage_version) {
      co_return "";
    }
  }
  auto reading = (*provider)->GetSchema(std::move(request));
  const auto schema = co_await std::move(reading);
  const auto package = schema.ok() ? schema::CredentialCheckOf(*schema) : std::nullopt;
  if (!package) co_return "";
  auto probing = Probe(*provider, *package, SettingsOf(package->package, *config));
  co_return co_await std::move(probing);
}

Task<std::vector<std::string>> CheckAll(PluginHost* host, const StackConfig* config) {
  std::vector<std::string> problems;
  auto loading = host->LoadLanguageHost();
  const auto language = co_await std::move(loading);
  if (language.ok()) {
    auto asking = (*language)->GetRequiredPackages();
    const auto packages = co_await std::move(asking);
    for (const RequiredPackage& package : packages.ok() ? *packages : std::vector<RequiredPackage>()) {
      if (package.kind != "resource" || IsBuiltIn({package.kind, package.name, package.version, "", {}})) continue;
      auto checking = CheckPackage(host, package, config);
      std::string problem = co_await std::move(checking);
      if (!problem.empty()) problems.push_back(std::move(problem));
    }
  }
  auto closing = host->Close();
  co_await std::move(closing);
  co_return problems;
}

}  // namespace

void WarnOfCredentials(Session& session, const StackName& stack) {
  const Result<const Project*> project = session.project();
  if (!project.ok()) return;
  const Result<StackConfig> config = session.LoadConfig(stack);
  if (!config.ok()) return;
  Loop loop;
  auto host = NewProcessHost(loop, **project, {});
  if (!host.ok()) return;
  PluginListener listener(session);
  (*host)->set_engine_service(&listener);
  const Painter painter = session.painter();
  for (const std::string& problem : loop.RunUntilDone(CheckAll(host->get(), &*config))) {
    const std::string text = PrintableError(problem) + "\n`pulumi up` may fail until this is resolved.\n\n";
    session.Print(painter.Paint(Style::kYellow, "warning:") + " " + MarkCommands(text, painter));
  }
}

}  // namespace kingpost
