// SPDX-License-Identifier: Apache-2.0
// state edit: the recorded state in the user's editor, until it is valid and accepted (row 6.14).
//
// The stack is held all the while, so nothing that was saved in between can be overwritten. Secrets stay sealed in what
// the editor and the terminal show.
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "base/command_name.h"
#include "base/disk/durable_file.h"
#include "base/os.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "cli/session/user_files.h"

namespace kingpost {

namespace {

// A file that no other user can read, removed in the end.
class EditedFile {
 public:
  static Result<std::unique_ptr<EditedFile>> Make(const std::string& text) {
    std::string path = TemporaryFilesFolder() + "/pulumi-state-edit-XXXXXX.json";
    const int file = ::mkstemps(path.data(), 5);
    if (file < 0) return FileError(path, "make", errno);
    ::close(file);
    std::unique_ptr<EditedFile> edited(new EditedFile(path));
    const Status written = edited->Write(text);
    return written.ok() ? Result<std::unique_ptr<EditedFile>>(std::move(edited)) : written;
  }
  ~EditedFile() { ::unlink(path_.c_str()); }
  EditedFile(const EditedFile&) = delete;

  const std::string& path() const { return path_; }
  Result<std::string> Read() const { return ReadInput(path_); }
  Status Write(const std::string& text) const { return WriteOutput(path_, text); }

 private:
  explicit EditedFile(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

// $EDITOR may hold arguments and quotes: "code --wait". The terminal and its signals are the editor's meanwhile.
Status OpenInEditor(const std::string& path) {
  const std::string editor = GetEnvironment("EDITOR");
  if (editor.empty()) {
    return Fail(ExitCode::kFailed, "no EDITOR environment variable set; set it to the command of your editor");
  }
  const int ended = std::system((editor + " " + ShellQuoted(path)).c_str());
  if (ended == 0) return Status::Ok();
  return Fail(ExitCode::kFailed,
              "the editor '" + editor + "' failed; nothing was changed. Check the EDITOR environment variable");
}

// The option the user types, or begins to; the last one if there is no answer.
std::string Choose(Session& session, const std::string& question, const std::vector<std::string>& options) {
  std::string listed;
  for (const std::string& option : options) listed += (listed.empty() ? "" : "/") + option;
  for (std::string answer;;) {
    session.Print(question + " [" + listed + "] ");
    if (!std::getline(std::cin, answer)) return options.back();
    while (!answer.empty() && std::isspace(static_cast<unsigned char>(answer.back()))) answer.pop_back();
    for (const std::string& option : options) {
      if (!answer.empty() && option.compare(0, answer.size(), answer) == 0) return option;
    }
  }
}

class StateEditor {
 public:
  StateEditor(Session& session, HeldStack& held, Snapshot snapshot)
      : session_(session), held_(held), old_(std::move(snapshot)) {}

  Status Run() {
    const Result<std::string> original = EncodeDeployment(old_, EncodeOptions());
    if (!original.ok()) return original.status();
    original_ = *original;
    const Result<std::unique_ptr<EditedFile>> file = EditedFile::Make(original_);
    if (!file.ok()) return file.status();
    for (;;) {
      if (const Status opened = OpenInEditor((*file)->path()); !opened.ok()) return opened;
      session_.Print(session_.painter().Bold("Previewing state edit (" + Title() + ")") + "\n\n");
      const Status valid = Check(**file);
      if (valid.ok() && unchanged_) {
        session_.Warn("provided state was not changed");
        return Status::Ok();
      }
      if (!valid.ok()) session_.Note("error: provided state is not valid: " + valid.message());
      const std::string choice =
          valid.ok()
              ? Choose(session_, "Do you want to perform this edit?", {"accept", "edit", "reset", "cancel"})
              : Choose(session_, "Received invalid state. What would you like to do?", {"edit", "reset", "cancel"});
      if (choice == "accept") return Save();
      if (choice == "cancel") {
        return Fail(ExitCode::kFailed, "confirmation cancelled, not proceeding with the state edit");
      }
      if (choice != "reset") continue;
      if (const Status reset = (*file)->Write(original_); !reset.ok()) return reset;
    }
  }

 private:
  std::string Title() const { return held_.store().QualifiedName(held_.name()); }

  // Shows what the file would make of the state.
  Status Check(const EditedFile& file) {
    const Result<std::string> text = file.Read();
    if (!text.ok()) return text.status();
    Result<Snapshot> edited = DecodeDeployment(*text, DecodeOptions());
    if (!edited.ok()) return edited.status();
    edited_ = std::move(*edited);
    edited_.byte_strings = old_.byte_strings;  // of sealed secrets, in which nobody can look here
    if (!session_.globals().disable_integrity_checking) {
      if (const Status whole = VerifyIntegrity(edited_); !whole.ok()) return whole;
    }
    // Secrets that were written in clear are encrypted before anything is shown.
    Result<std::shared_ptr<SecretsManager>> secrets = SecretsOfDocument(session_, held_.name(), held_.document());
    if (!secrets.ok()) return secrets.status();
    secrets_ = std::move(*secrets);
    EncodeOptions encode;
    encode.secrets = secrets_.get();
    const Result<std::string> preview = EncodeDeployment(edited_, encode);
    if (!preview.ok()) return preview.status();
    unchanged_ = *preview == original_;
    if (!unchanged_) session_.Print(session_.painter().Bold("New state:") + "\n" + Printable(*preview, true) + "\n");
    return Status::Ok();
  }

  Status Save() {
    EncodeOptions encode;
    encode.secrets = secrets_.get();
    const Status saved = held_.Save(std::move(edited_), encode);
    return saved.ok() ? held_.Release() : saved;
  }

  Session& session_;
  HeldStack& held_;
  const Snapshot old_;
  std::string original_;
  Snapshot edited_;
  bool unchanged_ = false;
  std::shared_ptr<SecretsManager> secrets_;
};

Status Run(Session& session, const std::string& typed) {
  if (!session.interactive()) {
    return Fail(ExitCode::kFailed, std::string(CommandName()) +
                                       " state edit must be run in interactive mode; without a terminal, edit what " +
                                       QuotedCommand("stack export") + " writes and give it to " +
                                       QuotedCommand("stack import"));
  }
  const Result<StackName> stack = session.FindStack(typed);
  if (!stack.ok()) return stack.status();
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, *stack);
  if (!held.ok()) return held.status();
  Result<CheckpointDocument> checkpoint = DecodeStack(session, *stack, (*held)->document(), DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  return StateEditor(session, **held, std::move(checkpoint->snapshot)).Run();
}

}  // namespace

void AddStateEditCommand(Commands* commands) {
  commands->push_back({"state edit",
                       "Edit the stack's state in your EDITOR",
                       [](Flags& flags) -> CommandBody {
                         auto stack = std::make_shared<std::string>();
                         flags.Text("-s,--stack", stack.get(), "The stack; the selected one by default");
                         return [stack](Session& session) { return Run(session, *stack); };
                       },
                       {"update", "modify"}});
}

}  // namespace kingpost
