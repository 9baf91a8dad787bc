// SPDX-License-Identifier: Apache-2.0
// stack export and stack import: the deployment as a document that the other tool reads too (row 6.15).
#include "cli/commands/shared.h"
#include "cli/exit_code.h"
#include "cli/stack_access.h"

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
    return UsageError("the current backend (" + (*store)->url() +
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
  DecodeOptions decode;
  decode.secrets = secrets.get();
  const Result<CheckpointDocument> checkpoint = DecodeStack(session, *stack, *document, decode);
  if (!checkpoint.ok()) return checkpoint.status();
  EncodeOptions encode;
  encode.secrets = secrets.get();
  encode.show_secrets = options.show_secrets;
  const Result<std::string> text = EncodeExport(checkpoint->snapshot, encode);  // ends with a line break
  if (!text.ok()) return text.status();

  if (!options.file.empty()) return WritePrivateOutput(options.file, *text);
  session.Print(*text);
  return Status::Ok();
}

struct ImportOptions {
  std::string stack, file;
  bool force = false;
};

// Every resource must be of this stack and project, or the next update would not recognise it.
Status CheckNames(Session& session, const Snapshot& snapshot, const StackName& stack, bool force) {
  for (const StatePtr& state : snapshot.resources) {
    std::string problem;
    if (state->urn.stack() != stack.name) {
      problem = "resource '" + state->urn.str() + "' is from a different stack (" + std::string(state->urn.stack()) +
                " != " + stack.name + ")";
    } else if (!stack.project.empty() && state->urn.project() != stack.project) {
      problem = "resource '" + state->urn.str() + "' is from a different project (" +
                std::string(state->urn.project()) + " != " + stack.project + ")";
    }
    if (problem.empty()) continue;
    if (!force) {
      return Fail(ExitCode::kFailed,
                  problem + "\nimporting this file could be dangerous; rerun with --force to proceed anyway");
    }
    session.Warn(problem);
  }
  return Status::Ok();
}

// A document that is well formed, but of a version or with features that this program does not know.
Status ImportFailure(const Status& failure, const StackName& stack, const std::string& source) {
  const auto* unsupported = failure.detail<UnsupportedDeployment>();
  if (!unsupported) return failure.Wrap(source);
  using Reason = UnsupportedDeployment::Reason;
  const std::string subject = "the stack '" + stack.name + "' ";
  if (unsupported->reason == Reason::kTooOld) {
    return Fail(ExitCode::kFailed, subject + "is too old to be used by this version of the Pulumi CLI");
  }
  const std::string remedy = ". Please update your version of the Pulumi CLI";
  if (unsupported->reason == Reason::kTooNew) {
    return Fail(ExitCode::kFailed, subject + "is newer than what this version of the Pulumi CLI understands" + remedy);
  }
  std::string features;
  for (const std::string& feature : unsupported->features) features += (features.empty() ? "" : ", ") + feature;
  return Fail(ExitCode::kFailed,
              subject + "uses features that are not supported by this version of the Pulumi CLI: " + features + remedy);
}

Status RunImport(Session& session, const ImportOptions& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  const Result<std::string> text = ReadInput(options.file);
  if (!text.ok()) return text.status();

  const std::string source =
      "could not read the deployment to import from " + (options.file.empty() ? "standard input" : options.file);
  const Result<SecretsProviderRef> provider = PeekSecretsProvider(*text);
  if (!provider.ok()) return ImportFailure(provider.status(), *stack, source);
  HoldOptions hold;
  hold.in_any_condition = options.force;
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, *stack, hold);
  if (!held.ok()) return held.status();
  Result<std::shared_ptr<SecretsManager>> secrets =
      provider->type.empty()
          ? SecretsOfStack(session, *stack, (*held)->document())
          : OpenSecretsManager(provider->type, provider->state_json, session.passphrase(), stack->name);
  if (!secrets.ok()) return secrets.status();

  // Ciphertexts stay sealed; plaintexts, which --show-secrets exported, are encrypted on saving.
  Result<Snapshot> snapshot = DecodeExport(*text, DecodeOptions());
  if (!snapshot.ok()) return ImportFailure(snapshot.status(), *stack, source);
  if (const Status named = CheckNames(session, *snapshot, *stack, options.force); !named.ok()) return named;
  for (const PendingOperation& pending : snapshot->pending_operations) {
    session.Warn(std::string("removing pending operation '") + OperationTypeName(pending.type) + "' on '" +
                 pending.resource->urn.str() + "' from snapshot");
  }
  snapshot->pending_operations.clear();
  if (snapshot->secrets_type.empty() && *secrets) {
    snapshot->secrets_type = (*secrets)->type();
    snapshot->secrets_state_json = (*secrets)->state();
  }

  EncodeOptions encode;
  encode.secrets = secrets->get();
  const Status saved = (*held)->Save(std::move(*snapshot), encode, options.force);
  if (!saved.ok()) {
    return Fail(ExitCode::kFailed, saved.message() + (options.force ? "" : "; rerun with --force to proceed anyway"));
  }
  session.Print("Import complete.\n");
  return (*held)->Release();
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
