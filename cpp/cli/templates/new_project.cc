// SPDX-License-Identifier: Apache-2.0
#include "cli/templates/new_project.h"

#include <algorithm>
#include <filesystem>

#include "base/command_name.h"
#include "base/os.h"
#include "cli/packages/credential_check.h"
#include "cli/packages/install.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "cli/session/stack_lifecycle.h"
#include "cli/templates/ask_value.h"
#include "cli/templates/new_folder.h"
#include "cli/templates/template_config.h"
#include "cli/templates/template_source.h"
#include "cli/templates/temporary_folder.h"
#include "console/prompt/ask.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr size_t kDescriptionMax = 256;  // bytes, as Pulumi has it

// ---- which template ----------------------------------------------------------------------------

// A name and nothing else, for those who bring their own program.
ProjectTemplate Minimal() {
  ProjectTemplate minimal;
  minimal.project_name = "${PROJECT}";
  minimal.files = {{"Pulumi.yaml", "name: ${PROJECT}\n"}};
  return minimal;
}

Result<ProjectTemplate> ChooseTemplate(Session& session, const NewOptions& options) {
  if (options.source.empty() && (options.yes || !session.interactive())) return Minimal();
  if (options.source.empty()) return ChooseOneTemplate(session, "new", options.source, !options.yes, KnownTemplates());
  Result<std::vector<ProjectTemplate>> found = FindTemplates(session, options.source, options.offline);
  if (!found.ok()) return found.status();
  return ChooseOneTemplate(session, "new", options.source, !options.yes, std::move(*found));
}

// ---- its name and what it is about -------------------------------------------------------------

Result<bool> HasStacks(Session& session, const std::string& project) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<std::vector<StackEntry>> entries = (*store)->List();
  if (!entries.ok()) return entries.status();
  return std::any_of(entries->begin(), entries->end(),
                     [&](const StackEntry& entry) { return entry.stack.project == project; });
}

// A project of that name which exists may be the same one on another machine: a person decides.
Status CheckName(Session& session, const NewOptions& options, const std::string& name) {
  if (const Status valid = ValidateProjectName(name); !valid.ok()) return valid;
  if (options.generate_only || options.is_for_once) return Status::Ok();
  const Result<bool> exists = HasStacks(session, name);
  if (!exists.ok()) return exists.status();
  if (!*exists) return Status::Ok();
  const Status taken(Code::kAlreadyExists, "a project with this name already exists: " + name);
  if (options.yes || !session.interactive()) return taken;
  const std::optional<size_t> answer =
      Choose(session.painter(), "A project with the name '" + name + "' already exists.",
             {{"Use '" + name + "' anyway", ""}, {"Specify a different name", ""}});
  return answer == size_t{0} ? Status::Ok() : taken;
}

Status CheckDescription(const std::string& text) {
  if (text.size() <= kDescriptionMax) return Status::Ok();
  return Status(Code::kInvalidArgument, "a project description must be 256 characters or less");
}

void Greet(Session& session) {
  session.Say(
      "This command makes a new project, step by step.\n\n"
      "Type a value or take the (default) with ENTER; Ctrl-C quits.\n\n");
}

Result<NewProject> AskProject(Session& session, const NewOptions& options, const ProjectTemplate& from) {
  const bool fixed = from.project_name != "${PROJECT}";
  const bool fixed_text = from.project_description != "${DESCRIPTION}" && !from.project_description.empty();
  const bool asks_stack = options.stack.empty() && !options.generate_only;
  if (!options.yes && (options.name.empty() || options.description.empty() || asks_stack)) Greet(session);
  const auto check = [&](const std::string& name) { return CheckName(session, options, name); };
  NewProject project{options.name, options.description, {}};
  if (project.name.empty()) {
    const std::string folder = fs::path(CurrentFolder()).filename().string();
    const std::string usual = fixed ? from.project_name : options.is_for_once ? from.name : folder;
    Result<std::string> name = AskValue(session, options.yes, {"Project name", ProjectNameFrom(usual), false, check});
    if (!name.ok()) return name.status();
    project.name = std::move(*name);
  }
  if (project.description.empty()) {
    const std::string usual = fixed_text ? from.project_description : from.description;
    Result<std::string> text = AskValue(session, options.yes, {"Project description", usual, false, CheckDescription});
    if (!text.ok()) return text.status();
    project.description = std::move(*text);
  }
  const Result<RuntimeSettings> settings = ParseRuntimeSettings(options.runtime_options);
  if (!settings.ok()) return UsageError(settings.status().message());
  project.runtime_options = *settings;
  return project;
}

// ---- files -------------------------------------------------------------------------------------

Status WriteProject(const NewOptions& options, const ProjectTemplate& from, const NewProject& project) {
  const Result<TemplateFiles> files = Instantiate(from, project);
  if (!files.ok()) return files.status();
  return WriteToCurrentFolder(*files, options.force);
}

// ---- the first stack ---------------------------------------------------------------------------

Result<StackName> MakeStack(Session& session, const NewOptions& options) {
  const auto check = [&](const std::string& typed) { return session.QualifyStackName(typed).status(); };
  std::string typed = options.stack;
  if (typed.empty()) {
    const Result<std::string> answer = AskValue(session, options.yes, {"Stack name", "dev", false, check});
    if (!answer.ok()) return answer.status();
    typed = *answer;
  }
  Result<StackName> stack = session.QualifyStackName(typed);
  if (!stack.ok()) return stack;
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<bool> exists = (*store)->Exists(*stack);
  if (!exists.ok()) return exists.status();
  const bool is_wanted = *exists && !options.stack.empty();
  const Status ready =
      is_wanted ? session.Select(*stack) : CreateStack(session, *stack, true, options.secrets_provider);
  if (!ready.ok()) return ready;
  session.Print("\n");
  return stack;
}

// ---- what is left to do ------------------------------------------------------------------------

std::string RelativeFolder(const std::string& from, const std::string& to) {
  const std::string path = fs::path(to).lexically_relative(from).string();
  return path.find(' ') == std::string::npos ? path : "\"" + path + "\"";
}

void TellNextSteps(Session& session, const NewOptions& options, const std::string& started_in) {
  const Painter painter = session.painter();
  std::vector<std::string> steps;
  if (CurrentFolder() != started_in) steps.push_back("cd " + RelativeFolder(started_in, CurrentFolder()));
  if (options.generate_only) steps.insert(steps.end(), {NamedCommand("install"), NamedCommand("stack init")});
  session.Print(painter.Bold("Your new project is ready to go!") + " ✨\n\n");
  if (steps.empty()) return session.Say("To perform an initial deployment, run " + QuotedCommand("up") + "\n\n");
  if (steps.size() == 1) {
    return session.Say("To perform an initial deployment, run '" + steps[0] + "', then, run " + QuotedCommand("up") +
                       "\n\n");
  }
  session.Say("To perform an initial deployment, run the following commands:\n\n");
  for (size_t i = 0; i < steps.size(); ++i) {
    session.Print("   " + std::to_string(i + 1) + ". " + painter.Bold(steps[i]) + "\n");
  }
  session.Print("\nThen, run " + QuotedCommand("up") + "\n\n");
}

// A name that is wrong whatever the template is told before anything is fetched.
Result<NewOptions> Checked(Session& session, NewOptions options) {
  options.yes = options.yes || IsTrueVariable("PULUMI_SKIP_CONFIRMATIONS");
  if (!options.yes && !session.interactive()) return UsageError("non-interactive mode requires --yes flag");
  if (const Status known = CheckSecretsProvider(options.secrets_provider); !known.ok()) return known;
  const size_t slashes = static_cast<size_t>(std::count(options.stack.begin(), options.stack.end(), '/'));
  if (slashes == 2 && !options.generate_only) {  // organization/project/stack
    const size_t begin = options.stack.find('/') + 1;
    const std::string project = options.stack.substr(begin, options.stack.rfind('/') - begin);
    if (!options.name.empty() && options.name != project) {
      return UsageError("project name (--name " + options.name + ") and stack reference project name (--stack " +
                        project + ") must be the same");
    }
    options.name = project;
  }
  if (const Status fits = CheckDescription(options.description); !fits.ok()) return fits;
  if (options.name.empty()) return options;
  const Status valid = ValidateProjectName(options.name);
  if (valid.ok()) return options;
  return UsageError("'" + options.name + "' is not a valid project name: " + valid.message());
}

Status MakeStackToo(const NewOptions& options, const ProjectTemplate& from, const Session& outside) {
  Session inside(outside.globals());  // what was opened before the project was there knows nothing of it
  const Result<StackName> stack = MakeStack(inside, options);
  if (!stack.ok()) return stack.status();
  if (const Status saved = SaveTemplateConfig(inside, options, from, *stack); !saved.ok()) return saved;
  if (const Status installed = InstallProgram(inside); !installed.ok()) {
    return Fail(ExitCodeOf(installed),
                installed.message() + "\nRun " + QuotedCommand("install") + " to complete the installation",
                installed.code());
  }
  const bool checks = inside.interactive() && !options.offline && !IsTrueVariable("PULUMI_SKIP_NEW_CREDENTIALS_CHECK");
  if (checks) WarnOfCredentials(inside, *stack);
  return Status::Ok();
}

// Where packages are not installed, which does the same, the program lists them as its toolchain wants all the same.
Status DescribeProgram(const Session& outside) {
  Session inside(outside.globals());
  const Result<const Project*> project = inside.project();
  if (!project.ok()) return project.status();
  return DescribePackagesOf(inside, **project);
}

Result<ProjectTemplate> Make(Session& session, const NewOptions& options) {
  if (const Status empty = CheckEmpty(options.folder); !options.force && !empty.ok()) return empty;
  // Paths of templates are relative to where the command was started.
  Result<ProjectTemplate> from = ChooseTemplate(session, options);
  if (!from.ok()) return from;
  if (const Status entered = EnterFolder(options.folder); !entered.ok()) return entered;
  if (!options.name.empty() && options.stack.empty()) {
    if (const Status free = CheckName(session, options, options.name); !free.ok()) return free;
  }
  const Result<NewProject> project = AskProject(session, options, *from);
  if (!project.ok()) return project.status();
  if (const Status written = WriteProject(options, *from, *project); !written.ok()) return written;
  session.Say("Created project '" + project->name + "'\n\n");
  if (options.generate_only) {
    const Status described = DescribeProgram(session);
    return described.ok() ? from : described;
  }
  const Status made = MakeStackToo(options, *from, session);
  if (!made.ok()) return made;
  return from;
}

}  // namespace

Status MakeProject(Session& session, const NewOptions& asked) {
  const Result<NewOptions> options = Checked(session, asked);
  if (!options.ok()) return options.status();
  const std::string started_in = CurrentFolder();
  const Result<ProjectTemplate> made = Make(session, *options);
  if (!made.ok()) return made.status();
  TellNextSteps(session, *options, started_in);
  if (!made->quickstart.empty()) session.Print(made->quickstart + (made->quickstart.ends_with('\n') ? "" : "\n"));
  return Status::Ok();
}

Status WithProject(Session& session, NewOptions asked, const std::function<Status(Session& inside)>& then) {
  const Result<TemporaryFolder> folder = TemporaryFolder::Make();
  if (!folder.ok()) return folder.status();
  asked.folder = folder->path();
  asked.is_for_once = true;
  const Result<NewOptions> options = Checked(session, asked);
  if (!options.ok()) return options.status();
  const Result<ProjectTemplate> made = Make(session, *options);
  if (!made.ok()) return made.status();
  Session inside(session.globals());
  return then(inside);
}

}  // namespace kingpost
