// SPDX-License-Identifier: Apache-2.0
#include "cli/metadata/runtime_info.h"

#include <cctype>
#include <vector>

#include "processes/command_output.h"
#include "runtimes/node_packages.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

namespace {

// "3.11.2" of "Python 3.11.2", "1.8.3" of "Poetry (version 1.8.3)"
std::string VersionIn(const std::string& text) {
  const size_t begin = text.find_first_of("0123456789");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_first_of(" \t\r\n)", begin) - begin);
}

// Its output, without the end of the line; "" if it cannot be run.
std::string PrintedBy(const std::vector<std::string>& argv, const std::string& folder) {
  if (argv.front().empty()) return "";
  const std::string text = OutputOf(argv, folder).value_or("");
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

// The reference tells names of Python's options in this form.
std::string Capitalized(std::string word) {
  if (!word.empty()) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

void AddIfTold(const std::string& key, const std::string& value, RuntimeInfo* about) {
  if (!value.empty()) about->metadata[key] = value;
}

void AddPython(const Project& project, const RuntimeOptions& options, RuntimeInfo* about) {
  const Result<PythonInterpreter> python = FindPython(options, project.folder(), false);
  if (python.ok()) about->executable = python->executable;
  about->version = VersionIn(PrintedBy({about->executable, "--version"}, project.folder()));
  const std::string toolchain = Option(options, "toolchain"), checker = Option(options, "typechecker");
  about->metadata["toolchain"] = toolchain.empty() ? "Pip" : Capitalized(toolchain);
  about->metadata["typechecker"] = checker.empty() ? "None" : Capitalized(checker);
}

bool IsNode(const Project& project) { return project.runtime == "nodejs" || project.runtime == "bun"; }

}  // namespace

RuntimeInfo ReadRuntimeInfo(const Project& project) {
  RuntimeInfo about;
  about.name = project.runtime;
  const RuntimeOptions options = OptionTexts(*project.runtime_options);
  if (project.runtime == "python") {
    AddPython(project, options, &about);
  } else if (IsNode(project)) {
    about.executable = FindOnPath(project.runtime == "bun" ? "bun" : "node");
    about.version = PrintedBy({about.executable, "--version"}, project.folder());
    const Result<std::string> manager = ChooseNodePackageManager(project.ProgramFolder(), options);
    if (manager.ok()) about.metadata["packagemanager"] = *manager;
  } else if (project.runtime == "go") {
    about.executable = FindOnPath("go");
    about.version = PrintedBy({about.executable, "version"}, project.folder());
  }
  return about;
}

void AddToolVersions(const Project& project, RuntimeInfo* about) {
  const std::string folder = project.ProgramFolder();
  if (project.runtime == "python") {
    const std::string toolchain = Option(OptionTexts(*project.runtime_options), "toolchain");
    const std::vector<std::string> pip = {about->executable, "-m", "pip", "--version"};
    const bool is_pip = toolchain.empty() || toolchain == "pip";
    AddIfTold("toolchainVersion",
              VersionIn(PrintedBy(is_pip ? pip : std::vector{toolchain, std::string("--version")}, folder)), about);
  } else if (IsNode(project)) {
    const std::string& manager = about->metadata["packagemanager"];
    AddIfTold("packagemanagerVersion", VersionIn(PrintedBy({manager, "--version"}, folder)), about);
    const char* const script = "console.log(require('typescript/package.json').version)";
    AddIfTold("typescriptVersion", PrintedBy({about->executable, "-e", script}, folder), about);
  }
}

}  // namespace kingpost
