// SPDX-License-Identifier: Apache-2.0
#include "operation/stack_import.h"

namespace kingpost {

namespace {

Status Refused(std::string text) { return Status(Code::kFailedPrecondition, std::move(text)); }

// Every resource must be of this stack and project, or the next update would not recognise it.
Status CheckNames(const StackContext& context, const Snapshot& snapshot, const StackImport& import) {
  const StackName& stack = context.name;
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
    if (!import.force) {
      return Refused(problem + "\nimporting this file could be dangerous; " + import.force_remedy +
                     " to proceed anyway");
    }
    context.caller->Warn(problem);
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
    return Refused(subject + "is too old to be used by this version of the Pulumi CLI");
  }
  const std::string remedy = ". Please update your version of the Pulumi CLI";
  if (unsupported->reason == Reason::kTooNew) {
    return Refused(subject + "is newer than what this version of the Pulumi CLI understands" + remedy);
  }
  std::string features;
  for (const std::string& feature : unsupported->features) features += (features.empty() ? "" : ", ") + feature;
  return Refused(subject + "uses features that are not supported by this version of the Pulumi CLI: " + features +
                 remedy);
}

// The pending operations of the document are not those of this stack.
void DropPending(const StackContext& context, Snapshot* snapshot) {
  for (const PendingOperation& pending : snapshot->pending_operations) {
    context.caller->Warn(std::string("removing pending operation '") + OperationTypeName(pending.type) + "' on '" +
                         pending.resource->urn.str() + "' from snapshot");
  }
  snapshot->pending_operations.clear();
}

}  // namespace

Status ImportStack(const StackContext& context, StackImport import) {
  const StackName stack = context.name;
  const std::string source = "could not read the deployment to import from " + import.source;
  // Ciphertexts stay sealed; plaintexts, which --show-secrets exported, are encrypted on saving.
  DecodeOptions decode;
  decode.properties_as_text = true;
  Result<Snapshot> snapshot = DecodeExport(import.text, decode);
  if (!snapshot.ok()) return ImportFailure(snapshot.status(), stack, source);
  std::string().swap(import.text);  // it may be large, and so are the recorded one and the one that is made

  HoldOptions hold;
  hold.accept_damaged = import.force;
  Result<std::unique_ptr<HeldStack>> held = HeldStack::Open(context, hold);
  if (!held.ok()) return held.status();
  Result<std::shared_ptr<SecretsManager>> secrets =
      snapshot->secrets_type.empty()
          ? import.own_secrets((*held)->document())
          : OpenSecretsManager(snapshot->secrets_type, snapshot->secrets_state_json, context.passphrase, stack.name);
  if (!secrets.ok()) return secrets.status();
  (*held)->ForgetDocument();
  if (const Status named = CheckNames(context, *snapshot, import); !named.ok()) return named;
  DropPending(context, &*snapshot);
  if (snapshot->secrets_type.empty() && *secrets) {
    snapshot->secrets_type = (*secrets)->type();
    snapshot->secrets_state_json = (*secrets)->state();
  }
  EncodeOptions encode;
  encode.secrets = secrets->get();
  const Status saved = (*held)->Save(std::move(*snapshot), encode, import.force);
  if (!saved.ok())
    return Refused(saved.message() + (import.force ? "" : "; " + import.force_remedy + " to proceed anyway"));
  return (*held)->Release();
}

}  // namespace kingpost
