// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/sdk_link.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/disk/durable_file.h"
#include "base/json_access.h"
#include "base/text.h"
#include "cli/packages/node_manifest.h"
#include "cli/session/exit_code.h"
#include "cli/session/foreground.h"
#include "languages/schema/document.h"
#include "languages/sdkgen/sdk.h"
#include "languages/sdkgen/text.h"
#include "model/semver.h"
#include "processes/command_output.h"
#include "processes/plugin_environment.h"
#include "runtimes/node_packages.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

bool HomeHas(const SdkDestination& home, const char* file) {
  std::error_code error;
  return fs::exists(fs::path(home.folder) / file, error);
}

std::string OptionOf(const SdkDestination& home, const char* name) {
  const auto found = home.options.find(name);
  return found == home.options.end() ? "" : found->second;
}

Status RunTool(const SdkDestination& home, std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.working_directory = home.folder;
  spec.environment = PluginEnvironment({});
  return RunInForeground(spec, STDERR_FILENO).Wrap("linking packages");
}

template <typename Json>
void AddOnce(const std::string& text, Json* list) {
  if (!list->is_array()) *list = Json::array();
  if (std::find(list->begin(), list->end(), text) == list->end()) list->push_back(text);
}

// "pulumi_random" of "pulumi-random>=1.0 # why"
std::string RequirementName(const std::string& line) {
  const std::string text = Replaced(line, "-", "_");
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  size_t end = begin;
  while (end < text.size() && (isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
  return text.substr(begin, end - begin);
}

// A line for the SDK in place of those that name it, in a new file if there is none.
Status LinkRequirements(const SdkDestination& home, const std::string& name, const std::string& path) {
  const std::string file = (fs::path(home.folder) / "requirements.txt").string();
  std::string text;
  if (HomeHas(home, "requirements.txt")) {
    auto read = ReadWholeFile(file);
    if (!read.ok()) return read.status().Wrap("linking packages");
    text = *std::move(read);
  }
  const std::string ending = text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  const bool ends_well = text.empty() || text.ends_with('\n');
  std::vector<std::string> lines = Split(Replaced(text, "\r\n", "\n"), '\n');
  if (ends_well) lines.pop_back();
  std::erase_if(lines, [&](const std::string& line) { return line == path || RequirementName(line) == name; });
  lines.push_back(path);
  return WriteFileDurably(file, Joined(lines, ending) + (ends_well ? ending : ""));
}

// Since 0.8 uv takes a folder below the project for a member of a workspace, which an SDK is not: it would need a
// pyproject.toml. Before that it did not know the flag.
std::vector<std::string> UvAddCommand(const SdkDestination& home, const std::string& path) {
  constexpr char kFirstWithWorkspaces[] = "0.8.0";
  std::vector<std::string> command = {"uv", "add", "--no-sync"};
  const std::string said = OutputOf({"uv", "--version"}, home.folder).value_or("");  // "uv 0.9.2 (some build)"
  const size_t begin = std::min(said.find(' ') + 1, said.size());
  const std::string version = said.substr(begin, said.find_first_of(" \n", begin) - begin);
  const bool old = IsSemver(version) && CompareSemver(version, kFirstWithWorkspaces) < 0;
  if (!old) command.push_back("--no-workspace");
  command.push_back(path);
  return command;
}

Result<std::string> LinkPython(const SdkDestination& home, const schema::Package& package, const std::string& path) {
  const std::string toolchain = OptionOf(home, "toolchain");
  const std::string name = sdkgen::PythonDistribution(package);
  Status linked;
  // Not converted yet: `install` makes a pyproject.toml of the requirements.
  const bool by_pip = (toolchain != "uv" && toolchain != "poetry") || !HomeHas(home, "pyproject.toml");
  if (by_pip) {
    linked = LinkRequirements(home, name, path);
  } else if (toolchain == "uv") {
    linked = RunTool(home, UvAddCommand(home, path));
  } else {
    linked = RunTool(home, {"poetry", "add", "--lock", path});
  }
  if (!linked.ok()) return linked;
  const bool own_name = name != sdkgen::DefaultPythonDistribution(package);
  const std::string as = own_name ? name : Replaced(package.name, "-", "_");
  return "You can import the SDK in your Python code with:\n\n  import " + name + " as " + as + "\n";
}

// The script that compiles the SDK, which is run after installation, has to be allowed. Until 10.34.2 pnpm knew
// packages of the project by their names, since then by where they are, and since 11 in another setting.
Status AllowBuildByPnpm(const SdkDestination& home, const std::string& name, const std::string& specifier) {
  std::string version = OutputOf({"pnpm", "--version"}, home.folder).value_or("");
  version.erase(version.find_last_not_of('\n') + 1);
  const auto since = [&](const char* first) { return !IsSemver(version) || CompareSemver(version, first) >= 0; };
  const std::string key = since("11.0.0") ? "allowBuilds" : "onlyBuiltDependencies";
  nlohmann::json setting = ParseJson(OutputOf({"pnpm", "config", "get", key, "--json"}, home.folder).value_or(""));
  if (key == "allowBuilds") {
    if (!setting.is_object()) setting = nlohmann::json::object();
    setting[name + "@" + specifier] = true;
  } else {
    AddOnce(since("10.34.2") ? name + "@" + specifier : name, &setting);
  }
  return RunTool(home, {"pnpm", "config", "set", key, setting.dump(), "--location", "project", "--json"});
}

// Edits package.json in place: its other contents stay in their order.
Status LinkManifest(const SdkDestination& home, const std::string& name, const std::string& path) {
  const std::string file = (fs::path(home.folder) / "package.json").string();
  const auto text = ReadWholeFile(file);
  nlohmann::ordered_json manifest = text.ok() ? ParseOrderedJson(*text) : nlohmann::ordered_json();
  if (!manifest.is_object()) {
    return Fail(ExitCode::kFailed, "linking packages: there is no readable package.json in " + home.folder);
  }
  const std::string specifier = "file:" + path;
  manifest["dependencies"][name] = specifier;
  // The script that compiles the SDK is run only where it is allowed to.
  const auto chosen = ChooseNodePackageManager(home.folder, home.options);
  const std::string manager = chosen.ok() ? *chosen : "npm";
  if (manager == "npm") manifest["allowScripts"][specifier] = true;
  if (manager == "bun") AddOnce(name, &manifest["trustedDependencies"]);
  const Status written = WriteFileDurably(file, ManifestText(manifest, *text));
  return written.ok() && manager == "pnpm" ? AllowBuildByPnpm(home, name, specifier) : written;
}

bool UsesModules(const SdkDestination& home, bool typescript) {
  if (typescript) return true;
  const auto text = ReadWholeFile((fs::path(home.folder) / "package.json").string());
  return text.ok() && TextOf(ParseJson(*text), "type") == "module";
}

Result<std::string> LinkNode(const SdkDestination& home, const schema::Package& package, const std::string& path) {
  const std::string name = sdkgen::NodeDistribution(package);
  if (const Status linked = LinkManifest(home, name, path); !linked.ok()) return linked;
  const bool typescript = OptionOf(home, "typescript") != "false" || HomeHas(home, "tsconfig.json");
  const std::string as = sdkgen::Unhyphenated(package.name);
  std::string text =
      std::string("You can import the SDK in your ") + (typescript ? "TypeScript" : "JavaScript") + " code with:\n\n";
  if (UsesModules(home, typescript)) return text + "  import * as " + as + " from \"" + name + "\";\n";
  return text + "  const " + as + " = require(\"" + name + "\");\n";
}

}  // namespace

Result<std::string> LinkSdkFolder(Session& session, const SdkDestination& home, const schema::Package& package,
                                  const nlohmann::ordered_json& document, const std::string& path) {
  if (home.language == "python") return LinkPython(home, package, path);
  if (home.language == "nodejs") return LinkNode(home, package, path);
  if (home.language == "yaml") return std::string();
  auto client = PluginClient::Open(session, home.project);
  if (!client.ok()) return client.status();
  LinkRequest request;
  request.language = home.language;
  request.root = home.folder;
  request.path = path;
  request.package = package.name;
  request.version = package.version;
  request.schema = schema::DocumentText(document);
  return (*client)->LinkSdk(std::move(request));
}

}  // namespace kingpost
