// SPDX-License-Identifier: Apache-2.0
#include "cli/session/stack_lifecycle.h"

#include <filesystem>

#include "base/command_name.h"
#include "cli/session/exit_code.h"
#include "cli/session/stack_access.h"
#include "model/snapshot.h"
#include "operation/empty_document.h"
#include "operation/settings_secrets.h"
#include "workspace/stack_config.h"

namespace kingpost {

namespace {

// The first salt or key of a stack; null outside of a project. It is an error to find out later that the passphrase is
// not known, or the key service out of reach. Settings that are there already and name a key keep it.
Result<std::shared_ptr<SecretsManager>> StartSecrets(Session& session, const StackName& stack,
                                                     const std::string& provider) {
  if (!session.has_project()) return std::shared_ptr<SecretsManager>();
  if (!IsPassphraseProvider(provider)) {
    Result<StackConfig> config = session.LoadConfig(stack);
    if (!config.ok()) return config.status();
    if (config->secrets_provider() != provider) {
      Result<std::shared_ptr<SecretsManager>> made = NewSecretsManager(provider, session.passphrase());
      if (!made.ok()) return made.status();
      SetConfigSecretsManager(**made, &*config);
      if (const Status saved = config->Save(); !saved.ok()) return saved;
      return made;
    }
  }
  return SecretsOfStack(session, stack, "");
}

Status AlreadyExists(StateStore& store, const StackName& stack) {
  return Fail(ExitCode::kFailed, "stack '" + store.QualifiedName(stack) + "' already exists", Code::kAlreadyExists);
}

// If two commands create the same stack at the same time, one succeeds.
Status SaveEmpty(OperationCaller& caller, StateStore& store, const StackName& stack, SecretsManager* secrets) {
  const Result<std::string> bytes = EmptyDocument(store.QualifiedName(stack), secrets);
  if (!bytes.ok()) return bytes.status();
  const OperationCaller::Scope saving = caller.Saving(OperationCaller::AfterSignal::kGoOn);
  const Result<std::unique_ptr<StackLock>> lock = store.Lock(stack);
  if (!lock.ok()) return lock.status();
  const Result<bool> exists = store.Exists(stack);
  if (!exists.ok()) return exists.status();
  if (*exists) return AlreadyExists(store, stack);
  const Status saved = store.Save(stack, *bytes);
  return saved.ok() ? (*lock)->Release() : saved;
}

Status RemoveSettings(Session& session, const StackName& stack) {
  if (!session.has_project()) return Status::Ok();
  const Result<const Project*> project = session.project();
  if (!project.ok() || (*project)->name != stack.project) return Status::Ok();
  std::error_code error;
  std::filesystem::remove((*project)->StackConfigFile(stack.name), error);
  return error ? Fail(ExitCode::kFailed, "could not remove the settings of the stack: " + error.message())
               : Status::Ok();
}

// The rest of a crash has been recovered: the document has all records.
Status CheckHoldsNothing(Session& session, const HeldStack& held) {
  const std::string& name = held.name().name;
  const Result<CheckpointDocument> checkpoint = DecodeStack(session, held.name(), held.document(), DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  for (const PendingOperation& pending : checkpoint->snapshot.pending_operations) {
    session.Warn(std::string("the engine cannot tell whether this took effect, and its record goes with the stack: ") +
                 OperationTypeName(pending.type) + " " + pending.resource->urn.str());
  }
  if (checkpoint->snapshot.resources.empty()) return Status::Ok();
  return Fail(ExitCode::kFailed,
              "'" + name + "' still has resources; removal rejected. Possible actions:\n- Make sure that '" + name +
                  "' is the stack that you want to destroy\n- Run " + QuotedCommand("destroy") +
                  " to delete the resources, then run " + QuotedCommand("stack rm") + "\n- Run " +
                  QuotedCommand("stack rm --force") + " to override this error");
}

}  // namespace

Status CheckSecretsProvider(const std::string& provider) {
  const Status known = CheckProviderName(provider);
  return known.ok() ? known : Fail(ExitCode::kFailed, known.message());
}

Status CheckProject(Session& session, const StackName& stack) {
  if (!session.has_project() || stack.project.empty()) return Status::Ok();
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  const std::string& own = (*project)->name;
  if (own == stack.project) return Status::Ok();
  return UsageError(
      "provided project name \"" + stack.project + "\" doesn't match Pulumi.yaml, which is of project \"" + own +
      "\"; run the command in the folder of \"" + stack.project + "\" (--cwd), or choose a stack of \"" + own + "\"");
}

Status CreateStack(Session& session, const StackName& stack, bool select, const std::string& secrets_provider) {
  if (const Status own = CheckProject(session, stack); !own.ok()) return own.Wrap("could not create stack");
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<bool> exists = (*store)->Exists(stack);
  if (!exists.ok()) return exists.status();
  if (*exists) return AlreadyExists(**store, stack);
  const Result<std::shared_ptr<SecretsManager>> secrets = StartSecrets(session, stack, secrets_provider);
  if (!secrets.ok()) return secrets.status();
  const Status saved = SaveEmpty(session.caller(), **store, stack, secrets->get());
  if (!saved.ok()) return saved;
  session.Note("Created stack '" + session.ShortName(stack) + "'");
  if (!select || !session.has_project()) return Status::Ok();
  return session.Select(stack);
}

Status RemoveStack(Session& session, const StackName& stack, const RemoveStackOptions& options) {
  HoldOptions hold;
  hold.accept_damaged = options.force;
  const Result<std::unique_ptr<HeldStack>> held = HoldStack(session, stack, hold);
  if (!held.ok()) return held.status();
  if (!options.force) {
    if (const Status empty = CheckHoldsNothing(session, **held); !empty.ok()) return empty;
  }
  StateStore& store = (*held)->store();
  const bool was_selected = session.selected() == store.QualifiedName(stack);
  const OperationCaller::Scope saving = session.caller().Saving(OperationCaller::AfterSignal::kGoOn);
  const Status removed = (*held)->lock().WhileHeld([&] { return store.Remove(stack, options.remove_backups); });
  if (!removed.ok()) return removed;
  if (!options.preserve_config) {
    if (const Status settings = RemoveSettings(session, stack); !settings.ok()) return settings;
  }
  if (was_selected) {
    if (const Status unselected = session.Unselect(); !unselected.ok()) return unselected;
  }
  session.Say("Stack '" + session.ShortName(stack) + "' has been removed!\n");
  return (*held)->Release();
}

}  // namespace kingpost
