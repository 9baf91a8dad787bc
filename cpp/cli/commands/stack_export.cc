// SPDX-License-Identifier: Apache-2.0
// stack export and stack import: the deployment as a document that the other tool reads too (row 6.15).
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "cli/session/user_files.h"
#include "model/deployment_export.h"
#include "operation/stack_import.h"

namespace kingpost {

namespace {

struct ExportOptions {
  std::string stack, file, version;
  bool show_secrets = false;
};

Status RunExport(Session& session, const ExportOptions& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  if (!options.version.empty()) {
    const Result<StateStore*> store = session.store();
    return UsageError("the current backend (" + (*store)->printable_url() +
                      ") does not provide the ability to export previous deployments; copies of them are in its "
                      "history and backups folders");
  }
  const Result<std::string> document = ReadCheckpoint(session, *stack);
  if (!document.ok()) return document.status();

  // Without --show-secrets the ciphertexts pass through as they are, and no passphrase is needed.
  std::shared_ptr<SecretsManager> secrets;
  if (options.show_secrets) {
    Result<std::shared_ptr<SecretsManager>> manager = SecretsOfDocument(session, *stack, *document);
    if (!manager.ok()) return manager.status();
    secrets = std::move(*manager);
  }
  EncodeOptions encode;
  encode.secrets = secrets.get();
  encode.show_secrets = options.show_secrets;
  ExportWriter text(encode, document->size());
  DecodeOptions decode;
  decode.secrets = secrets.get();
  decode.each = [&text](const State& state) { text.Add(state); };
  const Result<CheckpointDocument> checkpoint = DecodeStack(session, *stack, *document, decode);
  if (!checkpoint.ok()) return checkpoint.status();
  if (Status encoded = text.Finish(checkpoint->snapshot); !encoded.ok()) return encoded;

  if (!options.file.empty()) return WritePrivateOutput(options.file, [&text](const auto& write) { text.Write(write); });
  text.Write([&session](std::string_view part) { session.Print(part); });
  return Status::Ok();
}

struct ImportOptions {
  std::string stack, file;
  bool force = false;
};

Status RunImport(Session& session, const ImportOptions& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  Result<std::string> text = ReadInput(options.file);
  if (!text.ok()) return text.status().Wrap("could not open file");
  Result<StackContext> context = ContextOf(session, *stack);
  if (!context.ok()) return context.status();

  StackImport to_import;
  to_import.text = std::move(*text);
  to_import.source = options.file.empty() ? "standard input" : options.file;
  to_import.force = options.force;
  to_import.force_remedy = "rerun with --force";
  to_import.own_secrets = [&](const std::string& document) { return SecretsOfStack(session, *stack, document); };
  const Status imported = ImportStack(*context, std::move(to_import));
  if (!imported.ok()) return WithExitCode(imported);
  session.Print("Import complete.\n");
  return Status::Ok();
}

}  // namespace

void AddStackExportCommand(Commands* commands) {
  commands->push_back({"stack export", "Write the stack's deployment as JSON", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<ExportOptions>();
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Text("--file", &options->file, "Write to this file");
                         flags.Text("--version", &options->version, "An earlier version (not with this backend)");
                         flags.Switch("--show-secrets", &options->show_secrets, "Write secrets in clear");
                         return [options](Session& session) { return RunExport(session, *options); };
                       }});
}

void AddStackImportCommand(Commands* commands) {
  commands->push_back({"stack import", "Replace the stack's deployment by a document", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<ImportOptions>();
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Text("--file", &options->file, "Read this file instead of standard input");
                         flags.Switch("-f,--force", &options->force, "Import in spite of errors found beforehand");
                         return [options](Session& session) { return RunImport(session, *options); };
                       }});
}

}  // namespace kingpost
