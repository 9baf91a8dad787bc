// SPDX-License-Identifier: Apache-2.0
#include "cli/convert/converted_project.h"

#include <filesystem>
#include <set>

#include "base/disk/durable_file.h"
#include "base/json_access.h"
#include "base/os.h"
#include "cli/convert/import_language.h"
#include "cli/packages/plugin_client.h"
#include "cli/packages/project_packages.h"
#include "cli/session/exit_code.h"
#include "cli/templates/temporary_folder.h"
#include "languages/codegen/writers.h"
#include "workspace/yaml_edit.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgramKeys[] = {"resources", "variables", "outputs", "configuration", "pulumi", "components"};

constexpr char kTsConfig[] = R"({
  "compilerOptions": {
    "strict": true,
    "outDir": "bin",
    "target": "es2020",
    "module": "commonjs",
    "moduleResolution": "node",
    "sourceMap": true,
    "forceConsistentCasingInFileNames": true
  },
  "include": ["*.ts"]
}
)";

// A former file is kept as FILE.bak.
Status Write(const Session& session, const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (fs::exists(path, error)) {
    const auto before = ReadWholeFile(path.string());
    if (before.ok() && *before == text) return Status::Ok();
    const fs::path kept = path.string() + ".bak";
    fs::rename(path, kept, error);
    if (error) return Fail(ExitCode::kFailed, "cannot keep " + path.string() + " as " + kept.string());
    session.Note("the former " + path.filename().string() + " is now " + kept.filename().string());
  }
  return WriteFileDurably(path.string(), text).Wrap("cannot write " + path.string());
}

nlohmann::ordered_json RuntimeOf(const std::string& language) {
  nlohmann::ordered_json runtime;
  runtime["name"] = language;
  if (language == "python") {
    runtime["options"]["toolchain"] = "pip";
    runtime["options"]["virtualenv"] = "venv";
    return runtime;
  }
  if (language != "nodejs") return language;
  runtime["options"]["packagemanager"] = "npm";
  return runtime;
}

// Paths that lead out of the old project lead to the same place from the new one.
void MovePaths(const ConversionInput& input, const ConversionTarget& target, nlohmann::ordered_json* project) {
  if (!project->contains("plugins")) return;
  for (auto& [kind, plugins] : (*project)["plugins"].items()) {
    if (!plugins.is_array()) continue;
    for (auto& plugin : plugins) {
      const fs::path path = TextOf(plugin, "path");
      if (path.empty()) continue;
      const fs::path inside = path.lexically_normal();
      if (path.is_absolute() || *inside.begin() != "..") continue;
      const fs::path whole = (fs::path(input.project.folder()) / path).lexically_normal();
      plugin["path"] = whole.lexically_relative(target.folder).string();
    }
  }
}

fs::path ProgramFolderOf(const ConversionInput& input, const ConversionTarget& target) {
  const fs::path inside = fs::path(input.project.ProgramFolder()).lexically_relative(input.project.folder());
  return (fs::path(target.folder) / inside).lexically_normal();
}

// Adds the packages whose SDKs are published: those that the project makes itself are linked when it makes them.
bool IsLocal(const ConversionInput& input, const std::string& package) {
  if (package == "pulumi" || input.project.packages.count(package) > 0) return true;
  for (const PluginOption& plugin : input.project.provider_plugins) {
    if (plugin.name == package && !plugin.path.empty()) return true;
  }
  return false;
}

std::string Requirements(const ConversionInput& input, const std::string& code) {
  std::string text = "pulumi>=3.0.0,<4.0.0\n";
  for (const auto& [name, package] : input.program.packages) {
    if (IsLocal(input, name)) continue;
    std::string distribution = codegen::PythonSdk("pulumi:providers:" + name, input.program.packages).import;
    for (char& c : distribution) c = c == '_' ? '-' : c;
    const std::string version = package->version;
    text += distribution + (version.empty() ? "" : "==" + version) + "\n";
  }
  if (code.find("\nimport regex\n") != std::string::npos) text += "regex\n";
  return text;
}

std::string Manifest(const ConversionInput& input, const ConversionTarget& target) {
  nlohmann::ordered_json manifest;
  manifest["name"] = target.name;
  manifest["main"] = "index.ts";
  manifest["private"] = true;
  auto& needed = manifest["dependencies"];
  needed["@pulumi/pulumi"] = "^3.0.0";
  for (const auto& [name, package] : input.program.packages) {
    if (IsLocal(input, name)) continue;
    const std::string version = package->version;
    const std::string import = codegen::NodeSdk("pulumi:providers:" + name, input.program.packages).import;
    needed[import] = version.empty() ? "*" : version;
  }
  manifest["devDependencies"] = {{"@types/node", "^20"}, {"typescript", "^5.0.0"}};
  return manifest.dump(2) + "\n";
}

// A list of what no repository should have, unless there is one.
Status Ignore(const Session& session, const ConversionTarget& target, const std::string& text) {
  std::error_code error;
  const fs::path path = fs::path(target.folder) / ".gitignore";
  return fs::exists(path, error) ? Status::Ok() : Write(session, path, text);
}

Status WritePythonProgram(const Session& session, const ConversionInput& input, const ConversionTarget& target) {
  const std::string code = codegen::WritePython(input.program);
  Status written = Write(session, ProgramFolderOf(input, target) / "__main__.py", code);
  if (written.ok()) {
    written = Write(session, fs::path(target.folder) / "requirements.txt", Requirements(input, code));
  }
  if (written.ok()) written = Ignore(session, target, "*.pyc\nvenv/\n");
  return written;
}

Status WriteNodeProgram(const Session& session, const ConversionInput& input, const ConversionTarget& target) {
  const fs::path folder = ProgramFolderOf(input, target);
  Status written =
      Write(session, folder / "index.ts", codegen::WriteTypeScript(input.program, codegen::ModuleKind::kImport));
  if (written.ok()) written = Write(session, folder / "tsconfig.json", kTsConfig);
  if (written.ok()) written = Write(session, fs::path(target.folder) / "package.json", Manifest(input, target));
  if (written.ok()) written = Ignore(session, target, "/bin/\n/node_modules/\n");
  return written;
}

// Settings that the project declares, or that are of others, are not the program's to declare.
std::string YamlCode(const ConversionInput& input) {
  codegen::Program program = input.program;
  std::erase_if(program.settings, [&](const codegen::Setting& setting) {
    return input.project.config.count(setting.name) > 0 || setting.name.find(':') != std::string::npos;
  });
  return codegen::WriteYaml(program);
}

// Folders that another machine, or another language, has to make anew.
bool IsLeftBehind(const fs::path& path, const ConversionInput& input, const ConversionTarget& target) {
  static const std::set<std::string> kNames = {".git", ".venv", "venv", "node_modules", "sdks", "Pulumi.yaml"};
  const bool at_top = path.parent_path() == fs::path(input.project.folder());
  return (at_top && kNames.count(path.filename().string()) > 0) || path == fs::path(input.file) ||
         path == fs::path(input.project.file) || path == fs::path(target.folder);
}

Result<YamlDocument> OldProject(const ConversionInput& input) {
  const auto text = ReadWholeFile(input.project.file);
  return text.ok() ? YamlDocument::Parse(input.project.file, *text) : text.status();
}

nlohmann::ordered_json WantedProject(const ConversionInput& input, const ConversionTarget& target,
                                     const nlohmann::json& before) {
  nlohmann::ordered_json wanted = nlohmann::ordered_json(before);
  for (const char* key : kProgramKeys) wanted.erase(key);
  wanted["name"] = target.name;
  wanted["runtime"] = RuntimeOf(target.language);
  if (!input.required_version.empty()) wanted["requiredPulumiVersion"] = input.required_version;
  MovePaths(input, target, &wanted);
  return wanted;
}

}  // namespace

Result<std::string> ProjectJson(const ConversionInput& input, const ConversionTarget& target) {
  const auto document = OldProject(input);
  if (!document.ok()) return document.status();
  return WantedProject(input, target, document->json()).dump();
}

Status WritePclFile(const Session& session, const ConversionInput& input, const ConversionTarget& target) {
  const auto text = codegen::WritePcl(input.program);
  return text.ok() ? Write(session, fs::path(target.folder) / "main.pp", *text) : text.status();
}

Status WriteByLanguagePlugin(Session& session, const ConversionInput& input, const ConversionTarget& target,
                             bool strict) {
  const auto source = TemporaryFolder::Make();
  if (!source.ok()) return source.status();
  const Status written = WritePclFile(session, input, {source->path(), target.language, target.name});
  if (!written.ok()) return written;
  auto project = ProjectJson(input, target);
  if (!project.ok()) return project.status();
  auto client = PluginClient::Open(session, input.project);
  if (!client.ok()) return client.status();
  ProjectRequest request;
  request.language = target.language;
  request.source_folder = source->path();
  request.target_folder = target.folder;
  request.project = std::move(*project);
  request.schemas = SchemaTexts(input.program);
  request.strict = strict;
  const auto messages = (*client)->GenerateProject(std::move(request));
  if (messages.status().code() == Code::kNotFound) {
    return Fail(ExitCode::kFailed, "programs are converted to python, typescript and yaml here, and to '" +
                                       target.language + "' by the plugin pulumi-language-" + target.language +
                                       ", which is not on PATH");
  }
  if (!messages.ok()) return messages.status().Wrap("could not generate output program");
  return PrintMessages(session, *messages, "could not generate output program");
}

bool HasBuiltinWriter(const std::string& language) {
  return language == "python" || language == "nodejs" || language == "yaml";
}

Status WriteProjectFile(const Session& session, const ConversionInput& input, const ConversionTarget& target,
                        const std::string& program) {
  const auto document = OldProject(input);
  if (!document.ok()) return document.status();
  const nlohmann::ordered_json wanted = WantedProject(input, target, document->json());
  return Write(session, fs::path(target.folder) / "Pulumi.yaml", EditYaml(*document, wanted) + program);
}

Status WriteProgramFiles(const Session& session, const ConversionInput& input, const ConversionTarget& target) {
  const bool is_yaml = target.language == "yaml";
  const std::string code = is_yaml ? YamlCode(input) : "";
  const bool inside = is_yaml && input.project.ProgramFolder() == input.project.folder();
  const Status written = WriteProjectFile(session, input, target, inside ? "\n" + code : "");
  if (!written.ok() || inside) return written;
  if (is_yaml) return Write(session, ProgramFolderOf(input, target) / "Main.yaml", code);
  return target.language == "python" ? WritePythonProgram(session, input, target)
                                     : WriteNodeProgram(session, input, target);
}

Status CopyOtherFiles(const Session& session, const ConversionInput& input, const ConversionTarget& target) {
  const fs::path from = input.project.folder();
  if (fs::path(target.folder) == from) return Status::Ok();
  std::error_code error;
  for (fs::recursive_directory_iterator at(from, error), end; !error && at != end; at.increment(error)) {
    if (IsLeftBehind(at->path(), input, target)) {
      at.disable_recursion_pending();
      continue;
    }
    const fs::path to = fs::path(target.folder) / at->path().lexically_relative(from);
    std::error_code failed;
    if (at->is_directory(failed) && !at->is_symlink(failed)) {
      fs::create_directories(to, failed);
    } else if (fs::exists(fs::symlink_status(to, failed))) {
      session.Note("kept the existing " + to.string());
    } else {
      fs::copy(at->path(), to, fs::copy_options::copy_symlinks, failed);
      if (failed) return Fail(ExitCode::kFailed, "cannot copy " + at->path().string() + ": " + failed.message());
    }
  }
  return error ? Fail(ExitCode::kFailed, "cannot read " + from.string() + ": " + error.message()) : Status::Ok();
}

Status WriteLocalSdks(Session& session, const ConversionInput& input, const Project& converted) {
  if (converted.runtime == "yaml") return GenerateProjectPackages(session, converted);  // a program needs no others
  const SdkDestination home = SdkDestinationOf(converted);
  for (const PluginOption& plugin : converted.provider_plugins) {
    if (plugin.path.empty() || input.program.packages.count(plugin.name) == 0) continue;
    PackageSource source;
    source.text = plugin.name;
    const auto added = AddSdk(session, home, source);
    if (!added.ok()) return added.status().Wrap("package '" + plugin.name + "'");
  }
  return GenerateProjectPackages(session, converted);
}

}  // namespace kingpost
