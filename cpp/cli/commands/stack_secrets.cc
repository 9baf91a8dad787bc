// SPDX-License-Identifier: Apache-2.0
// stack change-secrets-provider: the secrets of a stack under a new passphrase or a key service, in its settings and in
// its state.
#include "cli/cloud_secrets.h"
#include "cli/commands/shared.h"
#include "cli/commands/stack_create.h"
#include "cli/exit_code.h"
#include "cli/stack_access.h"

namespace kingpost {

namespace {

struct SecretsOptions {
  std::string stack, provider;
};

Status MoveSettings(Session& session, const StackName& stack, SecretsManager* from, SecretsManager* to) {
  Result<StackConfig> config = session.LoadConfig(stack);
  if (!config.ok()) return config.status();
  Result<ConfigMap> anew = ReencryptConfig(config->config(), from, to);
  if (!anew.ok()) return anew.status();
  config->set_config(std::move(*anew));
  NameInConfig(*to, &*config);
  return config->Save();
}

Status MoveState(HeldStack* held, Snapshot snapshot, SecretsManager* to) {
  snapshot.secrets_type = to->type();
  snapshot.secrets_state_json = to->state();
  EncodeOptions encode;
  encode.secrets = to;
  encode.reencrypt = true;
  return held->Save(std::move(snapshot), encode);
}

// All that can fail for want of the old passphrase or of a key service is done before anything is written.
Status ChangeProvider(Session& session, const SecretsOptions& options) {
  if (const Status known = CheckSecretsProvider(options.provider); !known.ok()) return known;
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, *stack);
  if (!held.ok()) return held.status();
  const Result<std::shared_ptr<SecretsManager>> from = SecretsOfStack(session, *stack, (*held)->document());
  if (!from.ok()) return from.status();
  if (const Status verified = (*from)->Verify(); !verified.ok()) return verified;
  const Result<std::shared_ptr<SecretsManager>> of_state = SecretsOfDocument(session, *stack, (*held)->document());
  if (!of_state.ok()) return of_state.status();
  DecodeOptions decode;
  decode.secrets = of_state->get();
  Result<CheckpointDocument> checkpoint = DecodeStack(session, *stack, (*held)->document(), decode);
  if (!checkpoint.ok()) return checkpoint.status();

  const Result<std::shared_ptr<SecretsManager>> to =
      NewSecretsManager(options.provider, NewPassphrase(session.interactive()));
  if (!to.ok()) return to.status();
  session.Print("Migrating old configuration and state to new secrets provider\n");
  if (const Status moved = MoveSettings(session, *stack, from->get(), to->get()); !moved.ok()) return moved;
  if (checkpoint->has_latest) {
    const Status moved = MoveState(held->get(), std::move(checkpoint->snapshot), to->get());
    if (!moved.ok()) return moved;
  }
  return (*held)->Release();
}

}  // namespace

void AddStackSecretsCommand(Commands* commands) {
  commands->push_back({"stack change-secrets-provider", "Encrypt the stack's secrets under another passphrase or key",
                       [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<SecretsOptions>();
                         flags.Argument("PROVIDER", &options->provider, "passphrase, or the URL of a key service",
                                        true);
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         return [options](Session& session) { return ChangeProvider(session, *options); };
                       }});
}

}  // namespace kingpost
