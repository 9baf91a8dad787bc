// SPDX-License-Identifier: Apache-2.0
#include "operation/secrets_change.h"

#include "operation/stack_document.h"

namespace kingpost {

namespace {

Status MoveSettings(StackConfig* settings, SecretsManager* from, SecretsManager* to) {
  if (!from && settings->HasSecrets()) {
    return Status(
        Code::kFailedPrecondition,
        settings->file() + " holds secrets and no key for them: restore its encryptionsalt or secretsprovider");
  }
  Result<ConfigMap> anew = ReencryptConfig(settings->config(), from, to);
  if (!anew.ok()) return anew.status();
  settings->set_config(std::move(*anew));
  SetConfigSecretsManager(*to, settings);
  return settings->Save();
}

Status MoveState(HeldStack* held, Snapshot snapshot, SecretsManager* to) {
  snapshot.secrets_type = to->type();
  snapshot.secrets_state_json = to->state();
  EncodeOptions encode;
  encode.secrets = to;
  encode.reencrypt = true;
  return held->Save(std::move(snapshot), encode);
}

}  // namespace

Result<std::shared_ptr<SecretsManager>> ChangeSecrets(HeldStack* held, const SecretsChange& change) {
  if (change.settings_secrets) {
    if (const Status verified = change.settings_secrets->Verify(); !verified.ok()) return verified;
  }
  const Result<std::shared_ptr<SecretsManager>> of_state = SecretsOfDocument(held->context(), held->document());
  if (!of_state.ok()) return of_state.status();
  if (*of_state) {
    if (const Status verified = (*of_state)->Verify(); !verified.ok()) return verified;
  }
  DecodeOptions decode;
  decode.secrets = of_state->get();
  Result<CheckpointDocument> checkpoint = DecodeStack(held->context(), held->document(), decode);
  if (!checkpoint.ok()) return checkpoint.status();

  Result<std::shared_ptr<SecretsManager>> to = NewSecretsManager(change.provider, change.new_passphrase);
  if (!to.ok()) return to;
  change.before_writing();
  if (change.settings) {
    SecretsManager* const from = change.settings_secrets ? change.settings_secrets.get() : of_state->get();
    const Status moved = MoveSettings(change.settings, from, to->get());
    if (!moved.ok()) return moved;
  }
  if (checkpoint->has_latest) {
    const Status moved = MoveState(held, std::move(checkpoint->snapshot), to->get());
    if (!moved.ok()) return moved;
  }
  return to;
}

}  // namespace kingpost
