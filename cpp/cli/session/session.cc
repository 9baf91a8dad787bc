// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session.h"

#include <unistd.h>

#include "base/command_name.h"
#include "base/os.h"
#include "cli/session/exit_code.h"
#include "cli/session/signals.h"
#include "cli/session/stack_menu.h"
#include "console/display/command_marks.h"
#include "console/display/output.h"
#include "store/file_store.h"
#include "workspace/selection.h"
#include "workspace/stack_config.h"

namespace kingpost {

namespace {

class CommandAsCaller final : public OperationCaller {
 public:
  explicit CommandAsCaller(const Session& session) : session_(session) {}

  void Note(const std::string& text) override { session_.Note(text); }
  void Warn(const std::string& text) override { session_.Warn(text); }
  Scope Saving(AfterSignal after) override {
    return std::make_shared<SavingSignals>(after == AfterSignal::kEnd ? SavingSignals::After::kEnd
                                                                      : SavingSignals::After::kGoOn);
  }
  Scope Holding(std::function<void()> release) override { return std::make_shared<HoldingSignals>(std::move(release)); }

 private:
  const Session& session_;
};

}  // namespace

Result<std::unique_ptr<StateStore>> OpenBackend(const std::string& url) {
  const std::string folder = FolderOfFileUrl(url);
  if (!folder.empty() && ::access(folder.c_str(), F_OK) != 0) {
    return Fail(ExitCode::kFailed, "unable to open state directory \"" + url + "\": " + folder +
                                       ": no such file or directory; make the folder first if this is the right one");
  }
  return OpenStore(url);
}

Session::Session(const GlobalOptions& globals, SessionContext surroundings)
    : globals_(globals),
      surroundings_(std::move(surroundings)),
      store_(surroundings_.store),
      passphrase_(surroundings_.passphrase),
      caller_(surroundings_.caller) {}

std::string Session::Folder() const { return surroundings_.folder.empty() ? CurrentFolder() : surroundings_.folder; }

bool Session::interactive() const {
  return !surroundings_.say && !globals_.non_interactive && IsTerminal(STDIN_FILENO) && IsTerminal(STDOUT_FILENO);
}

bool Session::color() const { return WantsColor(globals_.color, IsTerminal(STDOUT_FILENO)); }

int Session::columns() const { return ColumnsOf(STDOUT_FILENO); }

void Session::Print(std::string_view text) const {
  if (surroundings_.say) return surroundings_.say(std::string(text));
  Output(STDOUT_FILENO).Write(text);
}

void Session::Say(std::string_view sentences) const {
  if (surroundings_.say) return surroundings_.say(MarkCommands(sentences, painter()));
  Print(FitTo(STDOUT_FILENO, MarkCommands(sentences, PainterOf(STDOUT_FILENO))));
}

void Session::Note(const std::string& text) const {
  const std::string note = MarkCommands(PrintableError(text), PainterOf(STDERR_FILENO));
  if (surroundings_.say) return surroundings_.say(note + "\n");
  Output(STDERR_FILENO).Write(FitTo(STDERR_FILENO, note) + "\n");
}

void Session::Warn(const std::string& text) const {
  const Painter painter = PainterOf(STDERR_FILENO);
  const std::string warning = painter.Paint(Style::kYellow, "warning: ") + MarkCommands(PrintableError(text), painter);
  if (surroundings_.say) return surroundings_.say(warning + "\n");
  Output(STDERR_FILENO).Write(FitTo(STDERR_FILENO, warning) + "\n");
}

Painter Session::PainterOf(int fd) const { return Painter(WantsColor(globals_.color, IsTerminal(fd))); }

Result<const Project*> Session::project() {
  if (project_) return &*project_;
  Result<Project> project = Project::FindAndLoad(Folder());
  if (!project.ok() && project.status().code() == Code::kNotFound) {
    return Fail(ExitCode::kFailed,
                "no Pulumi.yaml project file found (searching upwards from " + Folder() +
                    "); go to the folder of a project, or make one with a Pulumi.yaml that has a name and a runtime");
  }
  if (!project.ok()) return project.status();
  project_ = std::move(*project);
  return &*project_;
}

bool Session::has_project() { return project_ || Project::Find(Folder()).ok(); }

Result<std::string> Session::ChosenUrl() {
  const Project* current = nullptr;
  if (has_project()) {
    const Result<const Project*> loaded = project();
    if (!loaded.ok()) return loaded.status();
    current = *loaded;
  }
  Result<std::string> url = ChosenBackend(current);
  if (url.ok()) return url;
  const bool nobody_logged_in = url.status().code() == Code::kNotFound;
  return Fail(nobody_logged_in ? ExitCode::kAuth : ExitCode::kUsage, url.status().message(), url.status().code());
}

Result<StateStore*> Session::store() {
  if (store_) return store_.get();
  const Result<std::string> url = ChosenUrl();
  if (!url.ok()) return url.status();
  Result<std::unique_ptr<StateStore>> store = OpenBackend(*url);
  if (!store.ok()) return store.status();
  store_ = std::move(*store);
  return store_.get();
}

// A stack of an old store, which knows stacks by their names alone.
std::optional<StackName> Session::FindWithoutProject(const std::string& name) {
  if (!ValidateStackName(name).ok()) return std::nullopt;
  const Result<StateStore*> opened = store();
  if (!opened.ok()) return std::nullopt;
  StackName stack;
  stack.name = name;
  const Result<bool> exists = (*opened)->Exists(stack);
  return exists.ok() && *exists ? std::optional(stack) : std::nullopt;
}

Result<StackName> Session::QualifyStackName(const std::string& typed) {
  std::string project_name;
  if (has_project()) {
    const Result<const Project*> current = project();
    if (!current.ok()) return current.status();
    project_name = (*current)->name;
  }
  if (project_name.empty()) {
    if (const std::optional<StackName> old = FindWithoutProject(typed)) return *old;
  }
  Result<StackName> name = StackName::Parse(typed, project_name);
  if (!name.ok()) return Fail(ExitCode::kUsage, name.status().message());
  return name;
}

std::string Session::selected() {
  if (!has_project()) return "";
  const Result<const Project*> current = project();
  const Result<StateStore*> opened = store();
  if (!current.ok() || !opened.ok()) return "";
  const Result<std::string> stack = SelectedStack(**current, (*opened)->url());
  return stack.ok() ? *stack : "";
}

Result<StackName> Session::FindStack(const std::string& typed) {
  const Result<StateStore*> opened = store();
  if (!opened.ok()) return opened.status();
  std::string text = typed;
  if (text.empty()) {
    if (const Result<const Project*> current = project(); !current.ok()) return current.status();
    text = selected();
    if (text.empty() && interactive()) return ChooseStack(*this, "No stack is selected. Which one is meant?");
    if (text.empty()) {
      return Fail(ExitCode::kNoStack, "no stack selected; specify a stack name with --stack, or select one with " +
                                          QuotedCommand("stack select"));
    }
  }
  Result<StackName> name = QualifyStackName(text);
  if (!name.ok()) return name.status();
  const Result<bool> exists = (*opened)->Exists(*name);
  if (!exists.ok()) return exists.status();
  if (!*exists) return Fail(ExitCode::kNoStack, "no stack named '" + text + "' found", Code::kNotFound);
  return name;
}

Status Session::Select(const StackName& stack) {
  const Result<const Project*> current = project();
  if (!current.ok()) return current.status();
  const Result<StateStore*> opened = store();
  if (!opened.ok()) return opened.status();
  return SelectStack(**current, (*opened)->url(), (*opened)->QualifiedName(stack));
}

Status Session::Unselect() {
  const Result<const Project*> current = project();
  if (!current.ok()) return current.status();
  const Result<StateStore*> opened = store();
  if (!opened.ok()) return opened.status();
  return SelectStack(**current, (*opened)->url(), "");
}

std::string Session::ShortName(const StackName& stack) {
  if (stack.project.empty()) return stack.name;
  if (globals_.fully_qualify_stack_names) return stack.str();
  const bool own = has_project() && project().ok() && (*project())->name == stack.project;
  return own ? stack.name : stack.str();
}

void Session::WarnOfSettings(const std::string& file, const StackConfig& config) const {
  for (const std::string& key : config.empty_keys()) {
    Warn(file + ": the key '" + key + "' has no value; it counts as an empty text");
  }
  for (const ChangedNumber& number : config.changed_numbers()) {
    Warn(file + ": " + number.pointer.substr(number.pointer.find('/', 1) + 1) + " is written " + number.written +
         ", and programs get the number " + number.read + "; put it in quotes if it is a text");
  }
}

Result<StackConfig> Session::LoadConfig(const StackName& stack, const std::string& config_file, bool may_be_missing) {
  const Result<const Project*> current = project();
  if (!current.ok()) return current.status();
  const std::string file = config_file.empty() ? (*current)->StackConfigFile(stack.name) : config_file;
  if (!config_file.empty() && !may_be_missing && ::access(config_file.c_str(), R_OK) != 0) {
    return UsageError("could not read the settings file " + config_file);
  }
  Result<StackConfig> config = StackConfig::Load(file, (*current)->name);
  if (!config.ok()) return Fail(ExitCode::kUsage, config.status().message());
  if (warned_settings_.insert(file).second) WarnOfSettings(file, *config);
  return config;
}

std::shared_ptr<PassphraseSource> Session::passphrase() {
  if (!passphrase_) passphrase_ = EnvironmentPassphrase(interactive());
  return passphrase_;
}

OperationCaller& Session::caller() {
  if (!caller_) caller_ = std::make_shared<CommandAsCaller>(*this);
  return *caller_;
}

}  // namespace kingpost
