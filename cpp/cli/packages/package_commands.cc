// SPDX-License-Identifier: Apache-2.0
// package get-schema, get-mapping, gen-sdk: what a package says of itself, and the SDKs that come of it.
#include "cli/packages/package_commands.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/packages/package_source.h"
#include "cli/packages/sdk_folder.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "console/display/output.h"
#include "languages/schema/document.h"
#include "model/semver.h"

namespace kingpost {

namespace {

// The schema is printed also if it is wrong: to be looked at.
Status GetSchema(Session& session, const PackageSource& source) {
  const auto loaded = LoadDocument(session, source, ProjectOrNone(session));
  if (!loaded.ok()) return loaded.status();
  session.Print(schema::DocumentText(*loaded->document) + "\n");
  return BindDocument(session, *loaded).status().Wrap("failed to bind schema");
}

struct MappingChoice {
  std::string key, provider, out;
  PackageSource source;
};

Status GetMapping(Session& session, const MappingChoice& choice) {
  const auto found = FindSource(session, choice.source, ProjectOrNone(session));
  if (!found.ok()) return found.status();
  if (found->is_file) return UsageError("a schema has no mappings: name the plugin of the package");
  auto client = PluginClient::Open(session, found->project);
  if (!client.ok()) return client.status();
  const auto mapping = (*client)->Mapping(found->question, choice.key, choice.provider);
  if (!mapping.ok()) return mapping.status();
  if (mapping->provider.empty()) return Fail(ExitCode::kFailed, "no mapping found for key \"" + choice.key + "\"");
  session.Note(choice.source.text + " maps to provider " + mapping->provider);
  if (choice.out.empty()) {
    Output(STDOUT_FILENO).Write(mapping->data);
    return Status::Ok();
  }
  std::ofstream file(choice.out, std::ios::binary);
  file << mapping->data;
  file.close();
  return file ? Status::Ok() : Fail(ExitCode::kFailed, "write mapping data file: cannot write " + choice.out);
}

struct SdkChoice {
  PackageSource source;
  std::string language = "all", out = "./sdk", version, overlays;
  bool local = false;
};

Status OverrideVersion(Session& session, const std::string& version, nlohmann::ordered_json* document) {
  if (version.empty()) return Status::Ok();
  if (!IsSemver(version)) return Fail(ExitCode::kFailed, "invalid version \"" + version + "\"");
  if (document->contains("version")) {
    session.Note("overriding package version " + (*document)["version"].dump() + " with \"" + version + "\"");
  }
  (*document)["version"] = version;
  return Status::Ok();
}

Status GenerateSdks(Session& session, const SdkChoice& choice) {
  auto loaded = LoadDocument(session, choice.source, ProjectOrNone(session));
  if (!loaded.ok()) return loaded.status();
  nlohmann::ordered_json document = *loaded->document;
  if (const Status named = OverrideVersion(session, choice.version, &document); !named.ok()) return named;
  auto canonical = schema::Canonical(document);
  if (!canonical.ok()) return canonical.status();
  loaded->document = std::make_shared<const nlohmann::ordered_json>(std::move(*canonical));
  const auto package = BindDocument(session, *loaded);
  if (!package.ok()) return package.status();

  const std::string language = RuntimeOfLanguage(choice.language);
  const bool all = language == "all";
  const std::vector<std::string> languages =
      all ? std::vector<std::string>{"nodejs", "python", "dotnet", "go", "java"} : std::vector{language};
  Status first;
  for (const std::string& one : languages) {
    const std::string folder = (std::filesystem::path(choice.out) / one).string();
    const Status written = WriteSdk(session, loaded->source.project,
                                    {*package, loaded->document, one, folder, choice.overlays, choice.local});
    if (!written.ok() && !all) return written;
    if (!written.ok() && first.ok()) first = written;
  }
  if (!first.ok()) return first;
  session.Note(all ? "SDKs have been written to " + choice.out
                   : "SDK has been written to " + (std::filesystem::path(choice.out) / language).string());
  return Status::Ok();
}

}  // namespace

void AddPackageCommands(Commands* commands) {
  commands->push_back({"package get-schema", "Print the schema of a package", [](Flags& flags) -> CommandBody {
                         auto source = std::make_shared<PackageSource>();
                         flags.Argument("SOURCE", &source->text, "A package, a plugin, a repository or a schema", true);
                         source->Declare(&flags);
                         return [source](Session& session) { return GetSchema(session, *source); };
                       }});
  commands->push_back(
      {"package get-mapping", "Print what a package knows of another ecosystem", [](Flags& flags) -> CommandBody {
         auto choice = std::make_shared<MappingChoice>();
         flags.Argument("KEY", &choice->key, "The ecosystem, such as terraform", true);
         flags.Argument("SOURCE", &choice->source.text, "A package, a plugin or a repository", true);
         flags.Argument("PROVIDER", &choice->provider, "The provider there; the one that the package stands for");
         choice->source.Declare(&flags);
         flags.Text("-o,--out", &choice->out, "A file to write it to");
         return [choice](Session& session) { return GetMapping(session, *choice); };
       }});
  commands->push_back(
      {"package gen-sdk", "Write SDKs for a package", [](Flags& flags) -> CommandBody {
         auto choice = std::make_shared<SdkChoice>();
         flags.Argument("SOURCE", &choice->source.text, "A package, a plugin, a repository or a schema", true);
         choice->source.Declare(&flags);
         flags.Text("--language", &choice->language, "python, nodejs (or typescript), yaml, go, dotnet, java, or all");
         flags.Text("-o,--out", &choice->out, "Where a folder of each language is made anew");
         flags.Text("--version", &choice->version, "The version of the package");
         flags.Text("--overlays", &choice->overlays, "A folder with files of each language to add");
         flags.Switch("--local", &choice->local, "For a project of this machine");
         return [choice](Session& session) { return GenerateSdks(session, *choice); };
       }});
}

}  // namespace kingpost
