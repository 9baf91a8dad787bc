// SPDX-License-Identifier: Apache-2.0
// stack change-secrets-provider: the secrets of a stack under a new passphrase or a key service, in its settings and in
// its state.
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "cli/session/stack_lifecycle.h"
#include "operation/secrets_change.h"

namespace kingpost {

namespace {

struct SecretsOptions {
  std::string stack, provider;
};

Status ChangeProvider(Session& session, const SecretsOptions& options) {
  if (const Status known = CheckSecretsProvider(options.provider); !known.ok()) return known;
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, *stack);
  if (!held.ok()) return held.status();
  const Result<std::shared_ptr<SecretsManager>> from = SecretsOfStack(session, *stack, (*held)->document());
  if (!from.ok()) return from.status();
  Result<StackConfig> settings = session.LoadConfig(*stack);
  if (!settings.ok()) return settings.status();

  SecretsChange change;
  change.provider = options.provider;
  change.new_passphrase = NewPassphrase(session.interactive());
  change.settings = &*settings;
  change.settings_secrets = *from;
  change.before_writing = [&] { session.Say("Migrating old configuration and state to new secrets provider\n"); };
  const auto changed = ChangeSecrets(held->get(), change);
  return changed.ok() ? (*held)->Release() : changed.status();
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
