// SPDX-License-Identifier: Apache-2.0
// policy new: a policy pack from a template.
#include <memory>

#include "base/command_name.h"
#include "base/os.h"
#include "cli/commands/add_commands.h"
#include "cli/packages/install.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/templates/new_folder.h"
#include "cli/templates/template_source.h"

namespace kingpost {

namespace {

struct PackOptions {
  std::string source;  // a template's name, path or address; "" to choose
  std::string folder;
  std::vector<std::string> runtime_options;  // "key=value"
  bool force = false, generate_only = false, offline = false, list = false, yes = false;
};

Result<ProjectTemplate> ChoosePack(Session& session, const PackOptions& options) {
  const bool asks = !options.yes && session.interactive();
  if (options.source.empty() && !asks) {
    return UsageError("a template must be provided when running in non-interactive mode");
  }
  auto found = options.source.empty()
                   ? Result<std::vector<ProjectTemplate>>(KnownTemplates(TemplateKind::kPolicyPack))
                   : FindTemplates(session, options.source, options.offline, TemplateKind::kPolicyPack);
  if (!found.ok()) return found.status();
  return ChooseOneTemplate(session, "policy new", options.source, asks, std::move(*found));
}

void TellHowToUse(Session& session, const PackOptions& options) {
  const Painter painter = session.painter();
  session.Print(painter.Bold("Your new Policy Pack is ready to go!") + " ✨\n\n");
  if (options.generate_only) {
    session.Print("To install dependencies for the Policy Pack, run " + QuotedCommand("install") + "\n\n");
  }
  session.Say("Once you're done editing your Policy Pack, run it against a program with " +
              QuotedCommand("up --policy-pack " + CurrentFolder()) + " in the program's folder\n\n");
}

Status MakePack(Session& session, const PackOptions& options) {
  if (options.list) {
    session.Print(WrapHelp(TemplateListing(TemplateKind::kPolicyPack), session.columns()));
    return Status::Ok();
  }
  const Result<RuntimeSettings> settings = ParseRuntimeSettings(options.runtime_options);
  if (!settings.ok()) return UsageError(settings.status().message());
  if (const Status empty = CheckEmpty(options.folder); !options.force && !empty.ok()) return empty;
  // Paths of templates are relative to where the command was started.
  const Result<ProjectTemplate> from = ChoosePack(session, options);
  if (!from.ok()) return from.status();
  if (const Status entered = EnterFolder(options.folder); !entered.ok()) return entered;
  const Result<TemplateFiles> files = InstantiatePack(*from, *settings);
  if (!files.ok()) return files.status();
  if (const Status written = WriteToCurrentFolder(*files, options.force); !written.ok()) return written;
  session.Print("Created Policy Pack!\n");
  if (!options.generate_only) {
    const Status installed = InstallDependencies(session, PluginDependencySteps(CurrentFolder()));
    if (!installed.ok()) return installed;
  }
  TellHowToUse(session, options);
  return Status::Ok();
}

CommandBody DeclarePolicyNew(Flags& flags) {
  auto options = std::make_shared<PackOptions>();
  flags.Argument("template|url", &options->source,
                 "A template's name, a folder, an archive, or the address of a git repository or a folder in one");
  flags.Text("--dir", &options->folder, "Where the policy pack goes; the current folder by default");
  flags.List("--runtime-options", &options->runtime_options, "Set key=value in the options of the runtime", true);
  flags.Switch("-f,--force", &options->force, "Write over files that are there");
  flags.Switch("-g,--generate-only", &options->generate_only, "Only the files: no packages");
  flags.Switch("-l,--list-templates", &options->list, "List the templates at hand");
  flags.Switch("-o,--offline", &options->offline, "Only templates that are on this machine");
  flags.Switch("-y,--yes", &options->yes, "Ask nothing");
  return [options](Session& session) { return MakePack(session, *options); };
}

}  // namespace

void AddPolicyCommands(Commands* commands) {
  commands->push_back({"policy new", "Make a policy pack from a template", DeclarePolicyNew});
}

}  // namespace kingpost
