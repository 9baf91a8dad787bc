// SPDX-License-Identifier: Apache-2.0
// new: a project from a template.
#include <memory>

#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/templates/new_project.h"
#include "cli/templates/template_source.h"

namespace kingpost {

namespace {

Status ListTemplates(Session& session) {
  session.Print(WrapHelp(TemplateListing(TemplateKind::kProject), session.columns()));
  return Status::Ok();
}

void Declare(Flags& flags, NewOptions* options, bool* list) {
  flags.Argument("template|url", &options->source,
                 "A template's name, a folder, an archive, or the address of a git repository or a folder in one");
  flags.Text("-n,--name", &options->name, "The project's name; asked for if it is not given");
  flags.Text("-d,--description", &options->description, "The project's description; asked for if it is not given");
  flags.Text("-s,--stack", &options->stack, "The stack to make, or to take; asked for if it is not given");
  flags.Text("--dir", &options->folder, "Where the project goes; the current folder by default");
  flags.List("-c,--config", &options->config, "Set key=value in the stack's settings");
  flags.Switch("--config-path", &options->config_path, "Keys of --config are paths");
  flags.Text("--secrets-provider", &options->secrets_provider,
             "How the stack's secrets are encrypted: passphrase, or the URL of a key service");
  flags.List("--runtime-options", &options->runtime_options, "Set key=value in the options of the runtime", true);
  flags.Switch("-f,--force", &options->force, "Write over files that are there");
  flags.Switch("-g,--generate-only", &options->generate_only, "Only the files: no stack, no settings, no packages");
  flags.Switch("-l,--list-templates", list, "List the templates at hand");
  flags.Switch("-o,--offline", &options->offline, "Only templates that are on this machine");
  flags.Switch("-y,--yes", &options->yes, "Ask nothing, take the defaults");
  flags.AcceptSwitch("-t,--template-mode");
  flags.AcceptSwitch("--remote-stack-config", "settings are kept beside the project");
  for (const char* flag : {"--ai", "--language"}) {
    flags.RefuseText(flag,
                     "Pulumi AI project generation has been retired: name a template, see 'new --list-templates'");
  }
}

}  // namespace

void AddNewCommand(Commands* commands) {
  const auto declare = [](Flags& flags) -> CommandBody {
    auto options = std::make_shared<NewOptions>();
    auto list = std::make_shared<bool>(false);
    Declare(flags, options.get(), list.get());
    return
        [options, list](Session& session) { return *list ? ListTemplates(session) : MakeProject(session, *options); };
  };
  commands->push_back({"new", "Make a project from a template", declare});
  Command other_name{"project new", "Make a project from a template", declare};
  other_name.hidden = true;
  commands->push_back(std::move(other_name));
}

}  // namespace kingpost
