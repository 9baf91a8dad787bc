// SPDX-License-Identifier: Apache-2.0
// about, about env: what to tell with a question or a bug.
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/json_access.h"
#include "base/os.h"
#include "base/url_masking.h"
#include "cli/commands/add_commands.h"
#include "cli/metadata/program_dependencies.h"
#include "cli/metadata/runtime_info.h"
#include "cli/packages/plugin_client.h"
#include "cli/packages/project_plugins.h"
#include "cli/session/command.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "cli/session/variables.h"
#include "console/display/table.h"
#include "console/display/terminal.h"
#include "runtimes/native_language_host.h"

namespace kingpost {

namespace {

using OrderedJson = nlohmann::ordered_json;

struct AboutOptions {
  std::string stack;
  bool transitive = false;  // the program's packages with all that these need
  std::shared_ptr<bool> as_json = std::make_shared<bool>(false);
};

// ID and VERSION_ID of /etc/os-release: "debian", "12".
std::string ReleaseField(const std::string& field) {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(field + "=")) continue;
    std::string value = line.substr(field.size() + 1);
    value.erase(std::remove(value.begin(), value.end(), '"'), value.end());
    return value;
  }
  return "";
}

OrderedJson HostAbout() {
  utsname name{};
  ::uname(&name);
  return {{"os", ReleaseField("ID")},
          {"version", ReleaseField("VERSION_ID")},
          {"kernel", std::string(name.sysname) + " " + name.release},
          {"arch", name.machine}};
}

OrderedJson PluginsAbout(Session& session, OrderedJson* errors) {
  OrderedJson plugins = OrderedJson::array();
  const Result<std::vector<PluginSpec>> required = RequiredPlugins(session);
  if (!required.ok()) {
    errors->push_back("Failed to get information about the plugins: " + required.status().message());
    return plugins;
  }
  for (const PluginSpec& plugin : *required) {
    plugins.push_back({{"name", plugin.name}, {"version", plugin.version}, {"kind", plugin.kind}});
  }
  return plugins;
}

Result<std::string> LanguageVersion(Session& session, const Project& project) {
  if (IsNativeRuntime(project.runtime) || project.runtime == "yaml") return CompatibleVersion().substr(1);
  const auto client = PluginClient::Open(session, project);
  if (!client.ok()) return client.status();
  auto version = (*client)->LanguageVersion(project.runtime);
  if (version.ok() && version->starts_with("v")) version->erase(0, 1);
  return version;
}

// The host of the program's language has its place among the plugins, also where it is in this command.
void AddLanguageAbout(Session& session, const Project& project, OrderedJson* plugins, OrderedJson* errors) {
  const Result<std::string> version = LanguageVersion(session, project);
  if (version.ok()) {
    plugins->push_back({{"name", project.runtime}, {"version", *version}, {"kind", "language"}});
  } else {
    errors->push_back("Failed to get information about the language " + project.runtime + ": " +
                      version.status().message());
  }
}

OrderedJson DependenciesAbout(const Project& project, const std::string& executable, bool transitive,
                              OrderedJson* errors) {
  OrderedJson dependencies = OrderedJson::array();
  const Result<std::vector<ProgramDependency>> found = ProgramDependencies(project, executable, transitive);
  if (!found.ok()) {
    errors->push_back("Failed to get information about the Pulumi program's dependencies: " + found.status().message());
    return dependencies;
  }
  for (const ProgramDependency& one : *found) dependencies.push_back({{"name", one.name}, {"version", one.version}});
  return dependencies;
}

OrderedJson BackendAbout(Session& session, OrderedJson* errors) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) errors->push_back("Failed to get information about the backend: " + store.status().message());
  return {{"name", HostName()},
          {"url", store.ok() ? (*store)->printable_url() : ""},
          {"user", UserName()},
          {"organizations", nullptr}};
}

Result<OrderedJson> StackAbout(Session& session, const std::string& typed) {
  const Result<StackName> stack = session.FindStack(typed);
  if (!stack.ok()) return stack.status();
  const Result<Snapshot> snapshot = ReadSnapshot(session, *stack);
  if (!snapshot.ok()) return snapshot.status();
  OrderedJson resources = OrderedJson::array(), pending = OrderedJson::array();
  for (const StatePtr& state : snapshot->resources) {
    resources.push_back({{"type", state->type}, {"urn", state->urn.str()}});
  }
  for (const PendingOperation& operation : snapshot->pending_operations) {
    const std::string type = OperationTypeName(operation.type);
    pending.push_back({{"type", type}, {"urn", operation.resource->urn.str()}});
  }
  return OrderedJson{
      {"name", stack->name}, {"fullyQualifiedName", stack->str()}, {"resources", resources}, {"pendingOps", pending}};
}

OrderedJson RuntimeFields(const RuntimeInfo& about) {
  OrderedJson runtime = {{"language", about.name}, {"executable", about.executable}, {"version", about.version}};
  for (const auto& [key, value] : about.metadata) runtime[key] = value;
  return runtime;
}

// Everything, as --json prints it.
OrderedJson Gather(Session& session, const AboutOptions& options) {
  OrderedJson about, errors = OrderedJson::array();
  const Result<const Project*> project = session.has_project() ? session.project() : Status(Code::kNotFound, "none");
  about["plugins"] = project.ok() ? PluginsAbout(session, &errors) : OrderedJson::array();
  about["host"] = HostAbout();
  about["backend"] = BackendAbout(session, &errors);
  if (!options.stack.empty() || !session.selected().empty()) {
    const Result<OrderedJson> stack = StackAbout(session, options.stack);
    if (stack.ok()) {
      about["currentStack"] = *stack;
    } else {
      errors.push_back("Failed to get information about the current stack: " + stack.status().message());
    }
  }
  about["cliAbout"] = {
      {"version", CompatibleVersion().substr(1)}, {"kingpostVersion", KINGPOST_VERSION}, {"compiler", "C++"}};
  if (project.ok()) {
    about["project"] = {{"name", (*project)->name}, {"runtime", (*project)->runtime}};
    RuntimeInfo runtime = ReadRuntimeInfo(**project);
    AddToolVersions(**project, &runtime);
    about["runtime"] = RuntimeFields(runtime);
    AddLanguageAbout(session, **project, &about["plugins"], &errors);
    about["dependencies"] = DependenciesAbout(**project, runtime.executable, options.transitive, &errors);
  } else if (session.has_project()) {
    errors.push_back("Failed to get information about the project: " + project.status().message());
  }
  about["errors"] = errors;
  return about;
}

// A table of objects: a header and the key of its values for each column.
std::string ListText(const OrderedJson& list, const std::vector<std::pair<std::string, const char*>>& keys,
                     int columns) {
  TableRow headers;
  std::vector<TableRow> rows;
  for (const auto& [header, key] : keys) headers.push_back(header);
  for (const OrderedJson& item : list) {
    TableRow row;
    for (const auto& [header, key] : keys) row.push_back(Printable(TextOf(item, key)));
    rows.push_back(std::move(row));
  }
  return Table(headers, rows, columns);
}

std::string StackText(const OrderedJson& stack, int columns) {
  std::string text = "\nCurrent Stack: " + TextOf(stack, "fullyQualifiedName") + "\n\n";
  if (!stack["resources"].empty()) text += ListText(stack["resources"], {{"TYPE", "type"}, {"URN", "urn"}}, columns);
  const std::string name = TextOf(stack, "name");
  if (stack["pendingOps"].empty()) return text + "\nFound no pending operations associated with " + name + "\n";
  return text + "\nPending operations of " + name + ":\n" +
         ListText(stack["pendingOps"], {{"OPERATION", "type"}, {"URN", "urn"}}, columns);
}

// A secret is only told to be set, and a URL is told without its password: users paste this into reports.
std::string ShownVariable(const Variable& variable) {
  const auto value = FindEnvironment(variable.name);
  if (!value) return "unset";
  return variable.kind == Variable::Kind::kSecret ? "set" : "\"" + Printable(MaskUrlSetting(*value)) + "\"";
}

std::string VariablesText(int columns) {
  std::vector<TableRow> rows;
  for (const Variable& variable : KnownVariables()) {
    if (FindEnvironment(variable.name)) rows.push_back({variable.name, ShownVariable(variable)});
  }
  return rows.empty() ? "" : "\n" + Table({"Environment Variables", "Value"}, rows, columns);
}

std::string AboutText(const OrderedJson& about, int columns) {
  const OrderedJson& cli = about["cliAbout"];
  const OrderedJson& host = about["host"];
  const OrderedJson& backend = about["backend"];
  std::string text = Table(
      {"CLI", ""},
      {{"Version", TextOf(cli, "kingpostVersion")}, {"Compatible with", "pulumi " + TextOf(cli, "version")}}, columns);
  if (!about["plugins"].empty()) {
    text += "\nPlugins\n" +
            ListText(about["plugins"], {{"KIND", "kind"}, {"NAME", "name"}, {"VERSION", "version"}}, columns);
  }
  text += "\n" + Table({"Host", ""},
                       {{"OS", TextOf(host, "os")},
                        {"Version", TextOf(host, "version")},
                        {"Kernel", TextOf(host, "kernel")},
                        {"Arch", TextOf(host, "arch")}},
                       columns);
  if (about.contains("runtime")) {
    text += "\nThis project is written in " + TextOf(about["runtime"], "language") + ":";
    for (const auto& [key, value] : about["runtime"].items()) {
      if (key != "language") text += " " + key + "='" + TextOf(about["runtime"], key) + "'";
    }
    text += '\n';
  }
  if (about.contains("currentStack")) text += StackText(about["currentStack"], columns);
  text += "\n" +
          Table({"Backend", ""},
                {{"Name", TextOf(backend, "name")}, {"URL", TextOf(backend, "url")}, {"User", TextOf(backend, "user")}},
                columns);
  text += VariablesText(columns);
  if (!about.contains("dependencies")) return text;
  if (about["dependencies"].empty()) return text + "\nNo dependencies found\n";
  return text + "\nDependencies:\n" +
         ListText(about["dependencies"], {{"NAME", "name"}, {"VERSION", "version"}}, columns);
}

Status RunAbout(Session& session, const AboutOptions& options) {
  const OrderedJson about = Gather(session, options);
  if (*options.as_json) {
    session.Print(PrintableJson(about.dump(2, ' ', false, OrderedJson::error_handler_t::replace)) + "\n");
    return Status::Ok();
  }
  session.Say(AboutText(about, session.columns()));
  for (const OrderedJson& error : about["errors"]) session.Warn(TextIn(error));
  return Status::Ok();
}

Status RunAboutEnvironment(Session& session) {
  std::vector<TableRow> rows;
  for (const Variable& variable : KnownVariables())
    rows.push_back({variable.name, variable.meaning, ShownVariable(variable)});
  session.Print(Table({"Variable", "Description", "Value"}, rows, session.columns()));
  return Status::Ok();
}

}  // namespace

void AddAboutCommands(Commands* commands) {
  commands->push_back({"about", "Show where and as whom this runs", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<AboutOptions>();
                         DeclareJson(flags, options->as_json);
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Switch("-t,--transitive", &options->transitive,
                                      "List the program's packages with all that these need");
                         return [=](Session& session) { return RunAbout(session, *options); };
                       }});
  commands->push_back({"about env", "List the environment variables that are read", [](Flags& flags) -> CommandBody {
                         // They belong to `about`; here nothing depends on them.
                         for (const char* name : {"-j,--json", "-t,--transitive"}) flags.AcceptSwitch(name);
                         for (const char* name : {"--output", "-s,--stack"}) flags.AcceptText(name);
                         return RunAboutEnvironment;
                       }});
}

}  // namespace kingpost
