// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/package_source.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/json_access.h"
#include "cli/packages/plugin_folder.h"
#include "cli/packages/shell_words.h"
#include "cli/session/exit_code.h"
#include "languages/schema/document.h"
#include "plugins/plugin_repository.h"
#include "workspace/local_packages.h"
#include "workspace/yaml_node.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool IsSchemaFile(const std::string& text) {
  const std::string extension = fs::path(text).extension().string();
  return extension == ".json" || extension == ".yaml" || extension == ".yml";
}

Result<std::string> ReadAll(const std::string& path) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::ifstream file(path, std::ios::binary);
  if (!file) return Fail(ExitCode::kFailed, "open " + path + ": no such file or directory");
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<Json> ReadDocument(const std::string& path) {
  const Result<std::string> text = ReadAll(path);
  if (!text.ok()) return text.status();
  const bool yaml = path.ends_with(".yaml") || path.ends_with(".yml");
  if (!yaml) {
    Json document = ParseOrderedJson(*text);
    if (!document.is_discarded()) return schema::Canonical(document);
    if (path != "-") return Fail(ExitCode::kFailed, "the schema in " + path + " is not well-formed JSON");
  }
  const auto parsed = YamlDocument::Parse(path == "-" ? "standard input" : path, *text);
  if (!parsed.ok()) return parsed.status().Wrap("failed to unmarshal schema");
  if (!parsed->json().is_object()) return Fail(ExitCode::kFailed, "failed to unmarshal schema: it is no object");
  return schema::Canonical(Json(parsed->json()));
}

// A plugin's description of a package whose parameters it got.
Status CheckAnswer(const PackageSource& source, const PackageAnswer& answer, const Json& document) {
  const bool replaces = document.contains("parameterization"), extends = document.contains("extensionParameterization");
  if (!source.extension.empty() && !extends) {
    return Fail(ExitCode::kFailed, source.text +
                                       " did not return an extension-parameterized schema; the source may not "
                                       "support extension parameterization");
  }
  if (answer.name.empty()) return Status::Ok();
  const std::string remedy =
      "; the provider must emit a schema whose parameterization name matches its parameterize response";
  if (!replaces && !extends) {
    return Fail(
        ExitCode::kFailed,
        "provider returned schema without a parameterization block but parameterize identified the package as \"" +
            answer.name + "\"" + remedy);
  }
  const std::string name = TextOf(document, "name");
  if (name == answer.name) return Status::Ok();
  return Fail(ExitCode::kFailed, "provider returned schema parameterized as \"" + name +
                                     "\" but parameterize identified the package as \"" + answer.name + "\"" + remedy);
}

Result<Json> AskDocument(Session& session, const PackageSource& source, const FoundSource& found) {
  auto client = PluginClient::Open(session, found.project);
  if (!client.ok()) return client.status();
  const auto answer = (*client)->Schema(found.question);
  if (!answer.ok()) return answer.status();
  auto document = schema::ReadCanonical(answer->schema);
  if (!document.ok()) return document.status().Wrap("the schema of " + source.text);
  if (const Status checked = CheckAnswer(source, *answer, *document); !checked.ok()) return checked;
  const std::string& server = source.server.empty() ? found.repository_url : source.server;
  if (!server.empty()) (*document)["pluginDownloadURL"] = server;
  // Programs ask for the plugin by the version that it has in the cache.
  if (!found.repository_url.empty()) (*document)["version"] = found.repository_version;
  const std::string& asked = found.question.plugin.version;
  const std::string& version = asked.empty() ? answer->plugin_version : asked;
  if (!document->contains("version") && !version.empty() && found.question.arguments.empty()) {
    (*document)["version"] = version;
  }
  if (!found.name_space.empty() && !document->contains("namespace")) (*document)["namespace"] = found.name_space;
  return schema::Canonical(*document);
}

}  // namespace

void PackageSource::Declare(Flags* flags) {
  flags->Arguments("PARAMETER", &parameters, "A parameter of a parameterized package; behind -- if it has dashes");
  flags->Text("--extension", &extension, "The parameters of an extension of the package's provider, as one text");
  flags->Text("--server", &server, "The URL to download the plugin from");
}

Project ProjectOrNone(Session& session) {
  if (!session.has_project()) return Project();
  const Result<const Project*> project = session.project();
  return project.ok() ? **project : Project();
}

Result<FoundSource> FindSource(Session& session, const PackageSource& source, const Project& project) {
  FoundSource found;
  found.project = project;
  if (source.text == "-" || IsSchemaFile(source.text)) {
    if (!source.parameters.empty() || !source.extension.empty()) {
      const std::string kind = source.text.ends_with(".json") ? "json" : "yaml";
      return Fail(ExitCode::kFailed, "parameterization arguments are not supported for " + kind + " files");
    }
    found.is_file = true;
    return found;
  }
  found.question.arguments = source.parameters;
  if (!source.extension.empty()) {
    if (!source.parameters.empty()) {
      return Fail(ExitCode::kFailed, "combining replacement parameters with --extension is not supported yet");
    }
    auto words = SplitShellWords(source.extension);
    if (!words.ok()) return words.status().Wrap("parse --extension parameters");
    found.question.arguments = std::move(*words);
  }
  std::tie(found.record.source, found.record.version) = SplitVersion(source.text);
  if (const auto named = project.packages.find(source.text); named != project.packages.end()) {
    found.record = named->second;
    if (IsLocalSource(found.record.source)) {
      found.record.source = (fs::path(project.folder()) / found.record.source).lexically_normal().string();
    }
    if (found.question.arguments.empty()) found.question.arguments = named->second.parameters;
  }
  if (!source.server.empty()) found.record.plugin_download_url = source.server;
  found.record.parameters = found.question.arguments;
  if (const Status located = LocatePlugin(session, &found); !located.ok()) return located;
  return found;
}

Result<LoadedDocument> LoadDocument(Session& session, const PackageSource& source, const Project& project) {
  auto found = FindSource(session, source, project);
  if (!found.ok()) return found.status();
  auto document = found->is_file ? ReadDocument(source.text) : AskDocument(session, source, *found);
  if (!document.ok()) return document.status();
  return LoadedDocument{std::make_shared<const Json>(std::move(*document)), std::move(*found)};
}

schema::Lookup LookupByPlugins(Session& session, const Project& project) {
  using Loaded = std::map<std::string, Result<std::shared_ptr<const schema::Package>>>;
  auto loaded = std::make_shared<Loaded>();
  auto lookup = std::make_shared<schema::Lookup>();
  // By itself: packages refer to others in turn.
  *lookup = [&session, project, loaded, weak = std::weak_ptr(lookup)](const std::string& name,
                                                                      const std::string& version) {
    using Answer = Result<std::shared_ptr<const schema::Package>>;
    if (const auto known = loaded->find(name + "@" + version); known != loaded->end()) return known->second;
    loaded->emplace(name + "@" + version, Status(Code::kFailedPrecondition, "packages refer to each other in a cycle"));
    PackageSource source;
    source.text = version.empty() ? name : name + "@" + version;
    const auto document = LoadDocument(session, source, project);
    schema::BindOptions options{.dangling_references = true, .lookup = *weak.lock()};
    const Answer package = document.ok() ? schema::BindWhole(*document->document, options) : Answer(document.status());
    loaded->insert_or_assign(name + "@" + version, package);
    return package;
  };
  return [lookup](const std::string& name, const std::string& version) { return (*lookup)(name, version); };
}

}  // namespace kingpost
