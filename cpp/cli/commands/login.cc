// SPDX-License-Identifier: Apache-2.0
// login, logout, whoami: where state is kept, and as whom.
#include <cstdlib>

#include "base/os.h"
#include "base/url_masking.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "console/display/terminal.h"
#include "model/json_writer.h"
#include "workspace/selection.h"

namespace kingpost {

namespace {

struct LoginOptions {
  std::string url, cloud_url, default_org;
  bool local = false, all = false, delete_key = false;

  const std::string& address() const { return cloud_url.empty() ? url : cloud_url; }
};

// Programs ask this first: it asks nobody in turn, and says by its exit status that there is no login.
Status RefuseWithoutLogin(Session& session) {
  const Result<std::string> chosen = session.ChosenUrl();
  if (chosen.ok() || chosen.status().code() != Code::kNotFound) return chosen.status();
  return Fail(ExitCode::kAuth, "this command requires logging in: " + chosen.status().message());
}

Status WhoAmI(Session& session, bool as_json, bool verbose) {
  if (const Status logged_in = RefuseWithoutLogin(session); !logged_in.ok()) return logged_in;
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  if (as_json) {
    JsonWriter json("  ");
    json.BeginObject();
    json.Key("user");
    json.Text(UserName());
    json.Key("url");
    json.Text((*store)->printable_url());
    json.EndObject();
    session.Print(PrintableJson(json.str()) + "\n");
    return Status::Ok();
  }
  session.Say(verbose ? "Access token source: none\nUser: " + UserName() +
                            "\nOrganizations: \nBackend URL: " + (*store)->printable_url() + "\nToken type: personal\n"
                      : UserName() + "\n");
  return Status::Ok();
}

Status RunLogin(Session& session, const LoginOptions& options) {
  if (!options.url.empty() && !options.cloud_url.empty()) {
    return UsageError("only one of --cloud-url or argument URL may be specified, not both");
  }
  if (options.local && !options.address().empty())
    return UsageError("a URL may not be specified when --local is passed");
  std::string url = options.local ? "file://~" : options.address();
  if (url.empty()) {
    const Result<std::string> chosen = session.ChosenUrl();
    if (!chosen.ok()) return chosen.status();
    url = *chosen;
  }
  const Result<std::unique_ptr<StateStore>> store = OpenBackend(url);
  const Status there = store.ok() ? (*store)->CheckAccess() : store.status();
  if (!there.ok()) return there.Wrap("could not log in to the state backend \"" + MaskUrlSetting(url) + "\"");
  const std::string chosen = GetEnvironment("PULUMI_BACKEND_URL");
  if (!chosen.empty() && url != chosen) {
    session.Warn("PULUMI_BACKEND_URL is " + MaskUrlSetting(chosen) + ", and comes before what is logged in to");
  }
  const Status remembered = LogIn((*store)->url());
  if (remembered.ok()) session.Say("Logged in to " + (*store)->printable_url() + " as " + UserName() + "\n");
  return remembered;
}

Status LogOutOfEverything(Session& session) {
  const Status done = LogOutOfAll();
  if (done.ok()) session.Print("Logged out of everything\n");
  return done;
}

Status RunLogout(Session& session, const LoginOptions& options) {
  const int named = !options.url.empty() + !options.cloud_url.empty() + options.all;
  if (named > 1) return UsageError("only one of --all, --cloud-url or argument URL may be specified, not both");
  if (options.local && named > 0) return UsageError("a URL may not be specified when --local is passed");
  if (options.delete_key && !options.all) return UsageError("--delete-credentials-key requires --all");
  if (options.all) return LogOutOfEverything(session);
  std::string url = options.local ? "file://~" : options.address();
  if (url.empty()) {
    const Result<std::string> chosen = session.ChosenUrl();
    if (!chosen.ok() && chosen.status().code() != Code::kNotFound) return chosen.status();
    if (chosen.ok()) url = *chosen;
  }
  if (url.empty()) {
    session.Note("there is nothing to log out of");
    return Status::Ok();
  }
  const Status done = LogOut(url);
  if (done.ok()) session.Say("Logged out of " + MaskUrlSetting(url) + "\n");
  return done;
}

void DeclareAddress(Flags& flags, LoginOptions* options) {
  flags.Argument("URL", &options->url, "file://PATH, postgres://HOST/DATABASE");
  flags.Text("-c,--cloud-url", &options->cloud_url, "The same as URL");
  flags.Switch("-l,--local", &options->local, "The files in ~/.pulumi");
}

CommandBody DeclareLogin(Flags& flags) {
  auto options = std::make_shared<LoginOptions>();
  DeclareAddress(flags, options.get());
  flags.AcceptText("--default-org", "state in folders has one organization");
  flags.AcceptSwitch("--interactive", "there are no accounts to choose from");
  flags.AcceptSwitch("--insecure");
  for (const char* name : {"--oidc-token", "--oidc-org", "--oidc-team", "--oidc-user", "--oidc-expiration"}) {
    flags.AcceptText(name, "tokens are for Pulumi Cloud");
  }
  for (const char* name : {"--credential-helper", "--credential-helper-arg"}) {
    flags.RefuseText(name,
                     "credential helpers are not run: state in folders, buckets and databases takes the credentials of "
                     "the environment, see 'login --help'");
  }
  return [options](Session& session) { return RunLogin(session, *options); };
}

CommandBody DeclareLogout(Flags& flags) {
  auto options = std::make_shared<LoginOptions>();
  DeclareAddress(flags, options.get());
  flags.Switch("--all", &options->all, "Forget all backends");
  flags.Switch("--delete-credentials-key", &options->delete_key,
               "With --all: forget the key of encrypted credentials, too; there is none");
  return [options](Session& session) { return RunLogout(session, *options); };
}

CommandBody DeclareWhoAmI(Flags& flags) {
  auto as_json = std::make_shared<bool>(false);
  auto verbose = std::make_shared<bool>(false);
  DeclareJson(flags, as_json);
  flags.Switch("-v,--verbose,--long", verbose.get(), "Show the backend too");
  return [=](Session& session) { return WhoAmI(session, *as_json, *verbose); };
}

}  // namespace

void AddLoginCommands(Commands* commands) {
  commands->push_back({"whoami", "Show the current user", DeclareWhoAmI});
  commands->push_back({"login", "Remember which backend to use", DeclareLogin});
  commands->push_back({"logout", "Forget which backend to use", DeclareLogout});
}

}  // namespace kingpost
