// version, about, whoami, org, login, logout: what this program is and where its state is.
#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/commands/shared.h"
#include "cli/display/json_writer.h"
#include "cli/exit_code.h"
#include "cli/stack_access.h"
#include "workspace/selection.h"

namespace kingpost {

namespace {

std::string UserName() {
  if (const passwd* entry = ::getpwuid(::getuid())) return entry->pw_name;
  const char* user = std::getenv("USER");
  return user ? user : "unknown";
}

std::string System() {
  utsname name{};
  ::uname(&name);
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

// Programs parse the first line and want nothing else.
Status Version(Session& session, bool with_own) {
  session.Print(CompatibleVersion() + "\n");
  if (with_own) session.Print("kingpost " KINGPOST_VERSION "\n");
  return Status::Ok();
}

Status About(Session& session, bool as_json) {
  const Result<const Project*> project = session.has_project() ? session.project() : Status(Code::kNotFound, "none");
  const Result<StateStore*> store = session.store();
  const std::string stack = session.selected();
  if (as_json) {
    JsonWriter json("  ");
    const auto text = [&](const char* key, const std::string& value) {
      json.Key(key);
      json.Text(value);
    };
    json.BeginObject();
    json.Key("cliAbout");
    json.BeginObject();
    text("version", CompatibleVersion());
    text("kingpostVersion", KINGPOST_VERSION);
    text("compiler", "C++");
    json.EndObject();
    json.Key("host");
    json.BeginObject();
    text("os", System());
    json.EndObject();
    json.Key("backend");
    json.BeginObject();
    text("url", store.ok() ? (*store)->url() : "");
    text("user", UserName());
    json.EndObject();
    if (project.ok()) {
      json.Key("project");
      json.BeginObject();
      text("name", (*project)->name);
      text("runtime", (*project)->runtime);
      json.EndObject();
    }
    if (!stack.empty()) {
      json.Key("currentStack");
      json.BeginObject();
      text("name", stack);
      json.EndObject();
    }
    json.EndObject();
    session.Print(json.str() + "\n");
    return Status::Ok();
  }
  std::vector<TableRow> rows = {{"kingpost", KINGPOST_VERSION},
                                {"compatible with", "pulumi " + CompatibleVersion()},
                                {"system", System()},
                                {"user", UserName()},
                                {"backend", store.ok() ? (*store)->url() : "none: " + store.status().message()}};
  if (project.ok()) rows.push_back({"project", (*project)->name + " (" + (*project)->runtime + ")"});
  if (!stack.empty()) rows.push_back({"stack", stack});
  session.Print(Table({"", ""}, rows).substr(1));
  return Status::Ok();
}

Status WhoAmI(Session& session, bool as_json, bool verbose) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  if (as_json) {
    JsonWriter json("  ");
    json.BeginObject();
    json.Key("user");
    json.Text(UserName());
    json.Key("url");
    json.Text((*store)->url());
    json.EndObject();
    session.Print(json.str() + "\n");
  } else if (verbose) {
    session.Print("User: " + UserName() + "\nBackend URL: " + (*store)->url() + "\n");
  } else {
    session.Print(UserName() + "\n");
  }
  return Status::Ok();
}

Status RunLogin(Session& session, const std::string& url) {
  const Result<std::unique_ptr<StateStore>> store = OpenStore(url);
  if (!store.ok()) return store.status();
  const Status remembered = LogIn((*store)->url());
  if (remembered.ok()) session.Print("Logged in to " + (*store)->url() + " as " + UserName() + "\n");
  return remembered;
}

CommandBody DeclareLogin(Flags& flags) {
  auto url = std::make_shared<std::string>();
  auto local = std::make_shared<bool>(false);
  flags.Argument("URL", url.get(), "file://PATH");
  flags.Switch("-l,--local", local.get(), "The files in ~/.pulumi");
  return [=](Session& session) -> Status {
    if (*local) return RunLogin(session, "file://~");
    if (url->empty()) return UsageError("name a backend, for example 'kingpost login file://~'");
    return RunLogin(session, *url);
  };
}

}  // namespace

void AddInfoCommands(Commands* commands) {
  commands->push_back({"version", "Show the version", [](Flags& flags) -> CommandBody {
                         auto with_own = std::make_shared<bool>(false);
                         flags.Switch("--long", with_own.get(), "Show kingpost's own version too");
                         return [=](Session& session) { return Version(session, *with_own); };
                       }});
  commands->push_back({"about", "Show where and as whom this runs", [](Flags& flags) -> CommandBody {
                         auto as_json = std::make_shared<bool>(false);
                         flags.Switch("-j,--json", as_json.get(), "As JSON");
                         flags.AcceptSwitch("-t,--transitive", "the program's packages are not listed");
                         flags.AcceptText("-s,--stack", "stacks are not described here; see 'stack'");
                         return [=](Session& session) { return About(session, *as_json); };
                       }});
  commands->push_back({"whoami", "Show the current user", [](Flags& flags) -> CommandBody {
                         auto as_json = std::make_shared<bool>(false);
                         auto verbose = std::make_shared<bool>(false);
                         flags.Switch("-j,--json", as_json.get(), "As JSON");
                         flags.Switch("--long", verbose.get(), "Show the backend too");
                         return [=](Session& session) { return WhoAmI(session, *as_json, *verbose); };
                       }});
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
  commands->push_back({"login", "Remember which backend to use", DeclareLogin});
  commands->push_back({"logout", "Forget which backend to use",
                       [](Flags&) -> CommandBody { return [](Session&) { return LogOut(); }; }});
}

}  // namespace kingpost
