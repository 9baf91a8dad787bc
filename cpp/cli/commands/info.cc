// SPDX-License-Identifier: Apache-2.0
// version, org: what this program is.
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"

namespace kingpost {

namespace {

Status Organization(Session& session) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  session.Print("Current Backend: " + (*store)->printable_url() + "\nDefault Org: " + std::string(kDiyOrganization) +
                "\n");
  return Status::Ok();
}

// Programs parse the first line and want nothing else.
Status Version(Session& session, bool with_own) {
  session.Print(CompatibleVersion() + "\n");
  if (with_own) session.Print("kingpost " KINGPOST_VERSION "\n");
  return Status::Ok();
}

}  // namespace

void AddInfoCommands(Commands* commands) {
  commands->push_back({"version", "Show the version", [](Flags& flags) -> CommandBody {
                         auto with_own = std::make_shared<bool>(false);
                         flags.Switch("--long", with_own.get(), "Show kingpost's own version too");
                         return [=](Session& session) { return Version(session, *with_own); };
                       }});
  AddAboutCommands(commands);
  AddLoginCommands(commands);
  commands->push_back({"org", "Show where state is kept, and the organization of new stacks",
                       [](Flags&) -> CommandBody { return Organization; }});
  commands->push_back({"org get-default", "Show the organization of new stacks", [](Flags&) -> CommandBody {
                         return [](Session& session) {
                           session.Print(std::string(kDiyOrganization) + "\n");
                           return Status::Ok();
                         };
                       }});
  commands->push_back(
      {"org set-default", "Refused: only Pulumi Cloud has organizations", [](Flags& flags) -> CommandBody {
         auto name = std::make_shared<std::string>();
         flags.Argument("NAME", name.get(), "The organization", true);
         return [name](Session&) {
           return Fail(ExitCode::kFailed,
                       "unable to set a default organization: state in folders has "
                       "only one, '" +
                           std::string(kDiyOrganization) + "'");
         };
       }});
  commands->back().hidden = true;
}

}  // namespace kingpost
