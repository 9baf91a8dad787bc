// SPDX-License-Identifier: Apache-2.0
// stack, stack init, select, unselect, rm, rename.
#include <filesystem>

#include "base/command_name.h"
#include "base/os.h"
#include "base/time_text.h"
#include "cli/commands/add_commands.h"
#include "cli/commands/stack_rename.h"
#include "cli/commands/stack_view.h"
#include "cli/session/command.h"
#include "cli/session/confirmation.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "cli/session/signals.h"
#include "cli/session/stack_access.h"
#include "cli/session/stack_lifecycle.h"
#include "cli/session/stack_menu.h"
#include "console/display/masking.h"
#include "console/display/value_text.h"
#include "model/snapshot.h"
#include "operation/settings_secrets.h"

namespace kingpost {

namespace {

struct StackOptions {
  std::string stack, name, secrets_provider, copy_from;
  bool no_select = false, create = false, yes = false, force = false;
  bool preserve_config = false, remove_backups = false;
  bool json = false, show_ids = false, show_urns = false, show_secrets = false, show_name = false;
};

// ---- init, select ------------------------------------------------------------------------------

Status CopyConfig(Session& session, const std::string& from_name, const StackName& to) {
  const Result<StackName> from = session.FindStack(from_name);
  if (!from.ok()) return from.status();
  const Result<StackConfig> source = session.LoadConfig(*from);
  if (!source.ok()) return source.status();
  ConfigMap values = source->config();
  if (source->HasSecrets()) {
    const Result<std::shared_ptr<SecretsManager>> old_secrets = SecretsOfStack(session, *from, "");
    const Result<std::shared_ptr<SecretsManager>> new_secrets = SecretsOfStack(session, to, "");
    if (!old_secrets.ok()) return old_secrets.status();
    if (!new_secrets.ok()) return new_secrets.status();
    Result<ConfigMap> anew = ReencryptConfig(values, old_secrets->get(), new_secrets->get());
    if (!anew.ok()) return anew.status();
    values = std::move(*anew);
  }
  Result<StackConfig> target = session.LoadConfig(to);
  if (!target.ok()) return target.status();
  target->set_config(std::move(values));
  return target->Save();
}

Status RunInit(Session& session, const StackOptions& options) {
  if (!options.stack.empty() && !options.name.empty()) {
    return UsageError("only one of --stack or argument stack name may be specified, not both");
  }
  std::string typed = options.name.empty() ? options.stack : options.name;
  if (typed.empty() && session.interactive()) {
    const Result<std::string> answer = AskForStackName(session);
    if (!answer.ok()) return answer.status();
    typed = *answer;
  }
  if (typed.empty()) return UsageError("missing stack name; pass one: " + QuotedCommand("stack init NAME"));
  if (const Status provider = CheckSecretsProvider(options.secrets_provider); !provider.ok()) return provider;
  const Result<StackName> stack = session.QualifyStackName(typed);
  if (!stack.ok()) return stack.status();
  const Status created = CreateStack(session, *stack, !options.no_select, options.secrets_provider);
  if (!created.ok()) return created;
  return options.copy_from.empty() ? Status::Ok() : CopyConfig(session, options.copy_from, *stack);
}

Status RunSelect(Session& session, const StackOptions& options) {
  if (!options.stack.empty() && !options.name.empty()) {
    return UsageError("only one of --stack or argument stack name may be specified, not both");
  }
  const std::string typed = options.name.empty() ? options.stack : options.name;
  if (typed.empty() && session.interactive()) return ChooseStack(session, "Which stack should be selected?").status();
  if (typed.empty()) return Fail(ExitCode::kNoStack, "no stack selected; specify a stack name with --stack");
  const Result<StackName> found = session.FindStack(typed);
  if (found.ok()) return session.Select(*found);
  if (!options.create || found.status().code() != Code::kNotFound) return found.status();
  if (const Status provider = CheckSecretsProvider(options.secrets_provider); !provider.ok()) return provider;
  const Result<StackName> stack = session.QualifyStackName(typed);
  return stack.ok() ? CreateStack(session, *stack, true, options.secrets_provider) : stack.status();
}

// ---- show --------------------------------------------------------------------------------------

// "3 minutes ago (2026-11-21 01:39:29 UTC)"
std::string UpdatedText(const std::string& rfc3339) {
  const int64_t ms = ParseIsoTime(rfc3339);
  if (ms < 0) return Printable(rfc3339);
  std::string utc = FormatIsoTime(ms);
  utc.replace(utc.find('T'), 1, " ").replace(utc.find('Z'), 1, " UTC");
  return AgoText(ms) + " (" + utc + ")";
}

std::string ResourcesText(const Session& session, const Snapshot& snapshot, const StackOptions& options) {
  const int count = CountShown(snapshot);
  const std::string title = "Current stack resources (" + std::to_string(count) + "):\n";
  if (count == 0) return title + "    No resources currently in this stack\n";
  StackViewOptions view;
  view.show_ids = options.show_ids;
  view.show_urns = options.show_urns;
  view.columns = session.columns();
  return title + ResourceTree(snapshot, view, session.painter());
}

Status ShowAsJson(Session& session, const StackName& stack, const Snapshot& snapshot, const PropertyMap& outputs,
                  bool show_secrets) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  Result<std::map<std::string, std::string>> tags = (*store)->LoadTags(stack);
  if (!tags.ok()) return tags.status();
  StackFacts facts{stack.project, stack.name, HostName(), std::move(*tags), {}};
  for (const auto& [key, value] : outputs) {
    facts.outputs.Set(key, StripSecretsAndOutputs(show_secrets ? value : MaskSecrets(value)));
  }
  const Result<std::string> text = StackAsJson(snapshot, facts);
  if (text.ok()) session.Print(*text);
  return text.status();
}

Status RunShow(Session& session, const StackOptions& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  if (options.show_name) {
    session.Print(session.ShortName(*stack) + "\n");
    return Status::Ok();
  }
  const Result<Snapshot> snapshot = ReadSnapshot(session, *stack, options.show_secrets);
  if (!snapshot.ok()) return snapshot.status();
  const PropertyMap outputs = OutputsOfStack(*snapshot);
  if (options.json) return ShowAsJson(session, *stack, *snapshot, outputs, options.show_secrets);
  std::string out =
      "Current stack is " + session.ShortName(*stack) + ":\n    Managed by " + UserName() + "@" + HostName() + "\n";
  if (!snapshot->manifest.time.empty()) out += "    Last updated: " + UpdatedText(snapshot->manifest.time) + "\n";
  if (!snapshot->manifest.version.empty()) {
    out += "    Pulumi version used: " + Printable(snapshot->manifest.version) + "\n";
  }
  if (!snapshot->secrets_type.empty()) out += "    Secrets provider: " + Printable(snapshot->secrets_type) + "\n";
  out += ResourcesText(session, *snapshot, options);
  if (!outputs.empty()) {
    ValueTextOptions text;
    text.indent = 4;
    text.show_secrets = options.show_secrets;
    text.align = true;
    out += "\nCurrent stack outputs (" + std::to_string(outputs.size()) + "):\n" + PropertiesText(outputs, text);
  }
  out += "\nUse " + QuotedCommand("stack select") + " to change stack; " + QuotedCommand("stack ls") +
         " lists known ones\n";
  session.Say(out);
  return Status::Ok();
}

// ---- rm, rename --------------------------------------------------------------------------------

Status RunRemove(Session& session, const StackOptions& options) {
  const Result<StackName> stack = session.FindStack(options.name.empty() ? options.stack : options.name);
  if (!stack.ok()) return stack.status();
  const Result<StateStore*> store = session.store();
  if (!options.yes) {
    const Result<bool> confirmed =
        Confirm(session,
                "This will permanently remove the '" + stack->name +
                    "' stack!\nPlease confirm that this is what you'd like to do by typing `" + stack->name + "`: ",
                stack->name);
    if (!confirmed.ok()) return confirmed.status();
    if (!*confirmed) return Fail(ExitCode::kFailed, "confirmation declined");
  }
  return RemoveStack(session, *stack, {options.force, options.preserve_config, options.remove_backups});
}

Status RunRename(Session& session, const StackOptions& options) {
  if (options.name.empty()) return UsageError("missing the new name; " + QuotedCommand("stack rename NEW"));
  const Result<StackName> from = session.FindStack(options.stack);
  if (!from.ok()) return from.status();
  const Result<StackName> to = session.QualifyStackName(options.name);
  if (!to.ok()) return to.status();
  return RenameStack(session, *from, *to);
}

void DeclareStack(Flags& flags, StackOptions* options) {
  flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
}

CommandBody DeclareShow(Flags& flags) {
  auto options = std::make_shared<StackOptions>();
  DeclareStack(flags, options.get());
  flags.Switch("-i,--show-ids", &options->show_ids, "Show IDs");
  flags.Switch("-u,--show-urns", &options->show_urns, "Show URNs");
  flags.Switch("--show-secrets", &options->show_secrets, "Show secret outputs in clear");
  flags.Switch("--show-name", &options->show_name, "Show only the stack's name");
  DeclareJson(flags, std::shared_ptr<bool>(options, &options->json));
  return [options](Session& session) { return RunShow(session, *options); };
}

CommandBody DeclareInit(Flags& flags) {
  auto options = std::make_shared<StackOptions>();
  flags.Argument("NAME", &options->name, "The stack's name");
  DeclareStack(flags, options.get());
  flags.Text("--secrets-provider", &options->secrets_provider,
             "passphrase, or the URL of a key service: awskms://, azurekeyvault://, gcpkms://, hashivault://");
  flags.Switch("--no-select", &options->no_select, "Do not select it");
  flags.AcceptText("--teams", "only Pulumi Cloud has teams");
  flags.AcceptSwitch("-y,--yes");
  flags.RefuseSwitch("--esc-config",
                     "ESC-managed environments are not supported by the DIY backend: settings are kept beside the "
                     "project, in Pulumi.STACK.yaml");
  flags.RefuseSwitch("--remote-config",
                     "remote config is not supported: settings are kept beside the project, in Pulumi.STACK.yaml");
  flags.Text("--copy-config-from", &options->copy_from, "A stack whose settings to copy");
  return [options](Session& session) { return RunInit(session, *options); };
}

CommandBody DeclareSelect(Flags& flags) {
  auto options = std::make_shared<StackOptions>();
  flags.Argument("NAME", &options->name, "The stack's name");
  DeclareStack(flags, options.get());
  flags.Switch("-c,--create", &options->create, "Create it if there is none");
  flags.Text("--secrets-provider", &options->secrets_provider, "Used with --create");
  return [options](Session& session) { return RunSelect(session, *options); };
}

CommandBody DeclareUnselect(Flags&) {
  return [](Session& session) { return session.Unselect(); };
}

CommandBody DeclareRemove(Flags& flags) {
  auto options = std::make_shared<StackOptions>();
  flags.Argument("NAME", &options->name, "The stack's name");
  DeclareStack(flags, options.get());
  flags.Switch("-y,--yes", &options->yes, "Do not ask");
  flags.Switch("-f,--force", &options->force, "Even if it still has resources");
  flags.Switch("--preserve-config", &options->preserve_config, "Keep its settings file");
  flags.Switch("--remove-backups", &options->remove_backups, "Remove its backups too");
  return [options](Session& session) { return RunRemove(session, *options); };
}

CommandBody DeclareRename(Flags& flags) {
  auto options = std::make_shared<StackOptions>();
  flags.Argument("NEW", &options->name, "The new name", true);
  DeclareStack(flags, options.get());
  return [options](Session& session) { return RunRename(session, *options); };
}

}  // namespace

void AddStackCommands(Commands* commands) {
  AddStackListCommand(commands);
  commands->push_back({"stack", "Show the selected stack", DeclareShow});
  commands->push_back({"stack get", "The same", DeclareShow, {}, /*hidden=*/true});
  commands->push_back({"stack init", "Create a stack", DeclareInit, {"new"}});
  commands->push_back({"stack select", "Choose the stack to work with", DeclareSelect});
  commands->push_back({"stack unselect", "Choose no stack", DeclareUnselect});
  commands->push_back({"stack rm", "Remove a stack and its settings", DeclareRemove, {"remove"}});
  commands->push_back({"stack rename", "Give a stack another name", DeclareRename});
}

}  // namespace kingpost
