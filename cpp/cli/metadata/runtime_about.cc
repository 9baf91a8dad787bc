// SPDX-License-Identifier: Apache-2.0
#include "cli/metadata/runtime_about.h"

#include "cli/metadata/command_output.h"
#include "rpc/node_packages.h"
#include "rpc/script_runtimes.h"

namespace kingpost {

namespace {

// "3.11.2" of "Python 3.11.2\n" and of "go version go1.22.1 linux/amd64"
std::string VersionIn(const std::string& text) {
  const size_t begin = text.find_first_of("0123456789");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_first_of(" \t\r\n", begin) - begin);
}

std::string VersionOf(const std::string& executable, const std::string& flag, const std::string& folder) {
  return executable.empty() ? "" : VersionIn(OutputOf({executable, flag}, folder).value_or(""));
}

void AddPython(const Project& project, const RuntimeOptions& options, RuntimeAbout* about) {
  const Result<PythonInterpreter> python = FindPython(options, project.folder(), false);
  if (python.ok()) about->executable = python->executable;
  about->version = VersionOf(about->executable, "--version", project.folder());
  const std::string toolchain = Option(options, "toolchain"), checker = Option(options, "typechecker");
  about->metadata["toolchain"] = toolchain.empty() ? "pip" : toolchain;
  about->metadata["typechecker"] = checker.empty() ? "none" : checker;
}

}  // namespace

RuntimeAbout AboutRuntime(const Project& project) {
  RuntimeAbout about;
  about.name = project.runtime;
  const RuntimeOptions options = OptionTexts(project.runtime_options);
  if (project.runtime == "python") {
    AddPython(project, options, &about);
  } else if (project.runtime == "nodejs" || project.runtime == "bun") {
    about.executable = FindOnPath(project.runtime == "bun" ? "bun" : "node");
    about.version = VersionOf(about.executable, "--version", project.folder());
    const Result<std::string> manager = ChooseNodePackageManager(project.ProgramFolder(), options);
    if (manager.ok()) about.metadata["packagemanager"] = *manager;
  } else if (project.runtime == "go") {
    about.executable = FindOnPath("go");
    about.version = VersionOf(about.executable, "version", project.folder());
  }
  return about;
}

}  // namespace kingpost
