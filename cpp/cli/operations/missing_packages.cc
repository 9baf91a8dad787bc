// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/missing_packages.h"

#include <filesystem>

#include "base/command_name.h"
#include "base/json_access.h"
#include "cli/packages/install.h"
#include "console/prompt/ask.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string Option(const Project& project, const char* name) { return TextOf(*project.runtime_options, name); }

std::string MissingNodeModules(const Project& project) {
  const fs::path folder = project.ProgramFolder();
  if (!Exists(folder / "package.json")) return "";
  for (fs::path at = folder;; at = at.parent_path()) {
    // Yarn's Plug'n'Play keeps packages elsewhere.
    if (Exists(at / "node_modules" / "@pulumi" / "pulumi") || Exists(at / ".pnp.cjs")) return "";
    if (at == at.parent_path()) break;
  }
  return "node_modules with @pulumi/pulumi, in or above " + folder.string();
}

std::string MissingEnvironment(const Project& project) {
  const std::string environment = Option(project, "virtualenv"), toolchain = Option(project, "toolchain");
  if (environment.empty() && (toolchain == "uv" || toolchain == "poetry")) {
    // Which may be above, or where a variable says.
    const Result<PythonInterpreter> python = FindPython(OptionTexts(*project.runtime_options), project.folder(), false);
    const bool found = python.ok() && !python->environment.empty();
    return found ? "" : "the virtual environment .venv, in or above " + project.folder();
  }
  if (environment.empty()) return "";
  const fs::path path = (fs::path(project.folder()) / environment).lexically_normal();
  const bool finished = Exists(path / "bin" / "python") && !Exists(path / kUnfinishedEnvironment);
  return finished ? "" : "the virtual environment " + path.string();
}

}  // namespace

std::string MissingPackages(const Project& project) {
  if (project.runtime == "nodejs") return MissingNodeModules(project);
  if (project.runtime == "python") return MissingEnvironment(project);
  return "";  // Go fetches its modules when it builds
}

Status OfferToInstall(Session& session) {
  const Result<const Project*> project = session.project();
  if (!project.ok()) return Status::Ok();  // reported by the code that needs it
  const std::string missing = MissingPackages(**project);
  if (missing.empty()) return Status::Ok();
  if ((*project)->runtime == "python") {
    session.Note("Making " + missing +
                 ", which is not there or not finished, and installing the packages of the program...");
    return InstallPackagesQuietly(session);
  }
  const std::string told = "the packages of the program are not installed: there is no " +
                           (missing.rfind("the ", 0) == 0 ? missing.substr(4) : missing);
  if (!session.interactive()) {
    session.Warn(told + "; run " + QuotedCommand("install"));
    return Status::Ok();
  }
  session.Warn(told);
  const std::optional<size_t> chosen = Choose(
      session.painter(), "Install them now, as " + QuotedCommand("install") + " does?", {{"yes", ""}, {"no", ""}});
  return chosen == size_t{0} ? InstallProgram(session) : Status::Ok();
}

}  // namespace kingpost
