// SPDX-License-Identifier: Apache-2.0
#include "cli/import_language.h"

#include <filesystem>
#include <iterator>

#include "base/json_access.h"
#include "base/os.h"
#include "cli/exit_code.h"
#include "codegen/writers.h"

namespace kingpost {

namespace {

std::string TextOfFile(const std::filesystem::path& path) {
  Result<std::string> text = ReadWholeFile(path.string());
  return text.ok() ? std::move(*text) : "";
}

// A program that Node.js runs as it is, in the older of its two kinds of modules.
bool IsPlainNode(const Project& project) {
  const std::filesystem::path folder = project.ProgramFolder();
  std::error_code error;
  if (std::filesystem::exists(folder / "tsconfig.json", error)) return false;
  const nlohmann::json package = ParseJson(TextOfFile(folder / "package.json"));
  if (TextOf(package, "type") == "module") return false;
  const std::string main = TextOf(package, "main");
  if (!main.empty()) return std::filesystem::path(main).extension() == ".js";
  return std::filesystem::exists(folder / "index.js", error) && !std::filesystem::exists(folder / "index.ts", error);
}

}  // namespace

Result<std::string> WriteProgram(const codegen::Program& program, const Project& project) {
  if (project.runtime == "python") return codegen::WritePython(program);
  if (project.runtime == "yaml") return codegen::WriteYaml(program);
  if (project.runtime == "nodejs" || project.runtime == "bun") {
    return codegen::WriteTypeScript(program,
                                    IsPlainNode(project) ? codegen::Modules::kRequire : codegen::Modules::kImport);
  }
  return Fail(ExitCode::kFailed, "no code is generated for programs of the runtime '" + project.runtime +
                                     "' (only for python, nodejs and yaml); add the resources by hand");
}

}  // namespace kingpost
