// SPDX-License-Identifier: Apache-2.0
// Programs and plugins in YAML, read from their folders. Blocking, for worker threads.
#pragma once

#include <string>
#include <vector>

#include "languages/yaml/packages.h"
#include "languages/yaml/program_decl.h"

namespace kingpost::yaml {

struct LoadedProgram {
  ProgramDecl program;
  Diagnostics diagnostics;  // what is wrong with its text
  std::vector<PackageDecl> decls;
  std::string path;  // of the file
};

// Main.json, Main.yaml or Pulumi.yaml of the folder; the project's own file, if that is there by another name.
Result<LoadedProgram> LoadProgram(const std::string& folder, const std::string& project_file);
// A program that something else has made, for the project in that folder.
Result<LoadedProgram> LoadProgramText(const std::string& name, std::string text, const std::string& folder);
// All *.yaml of a plugin's folder, its components together.
Result<LoadedProgram> LoadPlugin(const std::string& folder);

}  // namespace kingpost::yaml
