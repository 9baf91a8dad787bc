// SPDX-License-Identifier: Apache-2.0
// package info: a package, one of its modules, resources or functions, to read.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/command_name.h"
#include "base/json_access.h"
#include "cli/packages/describe.h"
#include "cli/packages/package_commands.h"
#include "cli/packages/package_source.h"
#include "cli/packages/sdk_folder.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "console/display/output.h"

namespace kingpost {

namespace {

using SchemaJson = nlohmann::ordered_json;

struct InfoChoice {
  PackageSource source;
  std::string module, resource, function;
};

std::string Labelled(const Session& session, const std::string& label, const std::string& text) {
  return session.painter().Paint(Style::kBold, label) + ": " + Printable(text, true) + "\n";
}

// "aws", "s3" and "Bucket" of "aws:s3/bucket:Bucket"; the module also whole.
struct TokenWords {
  std::string whole_module, module, name;
};
TokenWords WordsOfToken(const std::string& token) {
  const size_t first = token.find(':'), last = token.rfind(':');
  if (first == std::string::npos || first == last) return {"", "", token};
  const std::string module = token.substr(first + 1, last - first - 1);
  return {module, module.substr(0, module.find('/')), token.substr(last + 1)};
}

std::set<std::string> ModulesOfPackage(const SchemaJson& document) {
  std::set<std::string> modules;
  for (const char* section : {"resources", "functions"}) {
    const SchemaJson members = kingpost::ObjectOf(document, section);
    for (const auto& item : members.items()) modules.insert(WordsOfToken(item.key()).module);
  }
  return modules;
}

Status ShowPackage(Session& session, const InfoChoice& choice, const SchemaJson& document) {
  const std::set<std::string> modules = ModulesOfPackage(document);
  const Painter painter = session.painter();
  const auto count = [&](const char* section) { return std::to_string(kingpost::ObjectOf(document, section).size()); };
  std::string names;
  for (const std::string& module : modules) names += (names.empty() ? "" : ", ") + module;
  std::string text = Labelled(session, "Name", TextOf(document, "name"));
  text += Labelled(session, "Version", TextOf(document, "version"));
  text += Labelled(session, "Description", Summary(TextOf(document, "description")));
  text += painter.Paint(Style::kBold, "Total resources") + " " + count("resources") + "\n";
  text += painter.Paint(Style::kBold, "Total functions") + " " + count("functions") + "\n";
  text += Labelled(session, "Total modules", std::to_string(modules.size())) + "\n";
  text += Labelled(session, "Modules", names) + "\n";
  std::string command = "package info " + Printable(choice.source.text);
  if (modules.size() > 1) {
    command += " --module <module>";
    text += "Use " + QuotedCommand(command) + " to list resources in a module\n";
  }
  session.Say(text + "Use " + QuotedCommand(command + " --resource <resource>") + " for detailed resource info\n");
  return Status::Ok();
}

std::map<std::string, std::string> MembersOfModule(const SchemaJson& document, const char* section,
                                                   const std::string& module) {
  std::map<std::string, std::string> members;
  const SchemaJson all = kingpost::ObjectOf(document, section);
  for (const auto& item : all.items()) {
    const TokenWords words = WordsOfToken(item.key());
    if (words.module == module || words.whole_module == module) {
      members[words.name] = Summary(TextOf(item.value(), "description"));
    }
  }
  return members;
}

Status ShowModule(Session& session, const SchemaJson& document, const std::string& module) {
  const auto resources = MembersOfModule(document, "resources", module);
  const auto functions = MembersOfModule(document, "functions", module);
  if (resources.empty() && functions.empty()) return Fail(ExitCode::kFailed, "module \"" + module + "\" not found");
  std::string text = Labelled(session, "Name", TextOf(document, "name")) + Labelled(session, "Module", module);
  text += Labelled(session, "Version", TextOf(document, "version"));
  text += Labelled(session, "Description", Summary(TextOf(document, "description")));
  const auto list = [&](const char* label, const std::map<std::string, std::string>& members) {
    text += Labelled(session, label, std::to_string(members.size())) + "\n";
    for (const auto& [name, summary] : members) {
      text += " - " + session.painter().Paint(Style::kBold, Printable(name)) + ": " + Printable(summary) + "\n";
    }
  };
  list("Resources", resources);
  text += '\n';
  list("Functions", functions);
  session.Say(text);
  return Status::Ok();
}

// The token of the only member of that name.
Result<std::string> FindMember(const std::vector<std::string>& tokens, const schema::Package& package, const char* kind,
                               const std::string& module, const std::string& name) {
  std::string found;
  for (const std::string& token : tokens) {
    if (schema::NameOfToken(token) != name) continue;
    const std::string own = package.ModuleOf(token);
    if (!module.empty() && (own.empty() ? "index" : own) != module) continue;
    if (!found.empty()) {
      return Fail(ExitCode::kFailed, std::string("ambiguous ") + kind + " name \"" + name +
                                         "\", please use --module <module> to disambiguate");
    }
    found = token;
  }
  if (found.empty()) return Fail(ExitCode::kFailed, std::string(kind) + " \"" + name + "\" not found");
  return found;
}

template <class T>
std::vector<std::string> TokensOf(const std::vector<const T*>& members) {
  std::vector<std::string> tokens;
  for (const T* member : members) tokens.push_back(member->token);
  return tokens;
}

Status ShowResource(Session& session, const schema::Package& package, const std::string& token) {
  const schema::Resource& resource = *package.FindResource(token);
  session.Say(Labelled(session, "Resource", token) + DescriptionText(session.painter(), resource.comment) + "\n" +
              PropertiesText(session.painter(), "Inputs", resource.inputs) + "\n" +
              PropertiesText(session.painter(), "Outputs", resource.outputs));
  return Status::Ok();
}

Status ShowFunction(Session& session, const schema::Package& package, const std::string& token) {
  const schema::Function& function = *package.FindFunction(token);
  const schema::Properties none;
  std::string text = Labelled(session, "Function", token) + DescriptionText(session.painter(), function.comment) +
                     "\n" +
                     PropertiesText(session.painter(), "Inputs", function.inputs ? function.inputs->properties : none);
  if (function.inline_answer) {
    text += "\n" + PropertiesText(session.painter(), "Outputs", function.answer_object()->properties);
  } else if (function.answer) {
    text += "\n" + Labelled(session, "Outputs", TypeName(*function.answer));
  }
  session.Say(text);
  return Status::Ok();
}

Status ShowMember(Session& session, const InfoChoice& choice, const LoadedDocument& loaded) {
  const auto package = BindDocument(session, loaded);
  if (!package.ok()) return package.status();
  const bool function = !choice.function.empty();
  const auto token =
      function ? FindMember(TokensOf((*package)->functions), **package, "function", choice.module, choice.function)
               : FindMember(TokensOf((*package)->resources), **package, "resource", choice.module, choice.resource);
  if (!token.ok()) return token.status();
  return function ? ShowFunction(session, **package, *token) : ShowResource(session, **package, *token);
}

Status ShowInfo(Session& session, InfoChoice choice) {
  if (!choice.function.empty() && !choice.resource.empty()) {
    return Fail(ExitCode::kFailed, "only one of --function or --resource can be specified");
  }
  const auto loaded = LoadDocument(session, choice.source, ProjectOrNone(session));
  if (!loaded.ok()) return loaded.status();
  if (!choice.function.empty() || !choice.resource.empty()) return ShowMember(session, choice, *loaded);
  const SchemaJson& document = *loaded->document;
  if (!choice.module.empty()) return ShowModule(session, document, choice.module);
  // Where there is but one of its kind, that is what is meant.
  const SchemaJson functions = kingpost::ObjectOf(document, "functions"),
                   resources = kingpost::ObjectOf(document, "resources");
  if (functions.size() == 1) {
    choice.function = WordsOfToken(functions.begin().key()).name;
  } else if (resources.size() == 1) {
    choice.resource = WordsOfToken(resources.begin().key()).name;
  }
  if (!choice.function.empty() || !choice.resource.empty()) return ShowMember(session, choice, *loaded);
  const std::set<std::string> modules = ModulesOfPackage(document);
  return modules.size() == 1 ? ShowModule(session, document, *modules.begin()) : ShowPackage(session, choice, document);
}

}  // namespace

void AddPackageInfoCommand(Commands* commands) {
  commands->push_back({"package info", "Tell what a package has", [](Flags& flags) -> CommandBody {
                         auto choice = std::make_shared<InfoChoice>();
                         flags.Argument("SOURCE", &choice->source.text, "A package, a plugin, a repository or a schema",
                                        true);
                         choice->source.Declare(&flags);
                         flags.Text("-m,--module", &choice->module, "A module of it");
                         flags.Text("-r,--resource", &choice->resource, "A resource of it");
                         flags.Text("-f,--function", &choice->function, "A function of it");
                         return [choice](Session& session) { return ShowInfo(session, *choice); };
                       }});
}

}  // namespace kingpost
