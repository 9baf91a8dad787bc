// SPDX-License-Identifier: Apache-2.0
#include "cli/convert/import_language.h"

#include <filesystem>
#include <iterator>

#include "base/json_access.h"
#include "base/os.h"
#include "cli/packages/plugin_client.h"
#include "cli/session/exit_code.h"
#include "languages/codegen/writers.h"

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

Result<std::string> WriteByPlugin(const Session& session, const codegen::Program& program, const Project& project) {
  auto text = codegen::WritePcl(program);
  if (!text.ok()) return text;
  auto client = PluginClient::Open(session, project);
  if (!client.ok()) return client.status();
  ProgramRequest request;
  request.language = project.runtime;
  request.source["main.pp"] = std::move(*text);
  request.schemas = SchemaTexts(program);
  const auto answer = (*client)->GenerateProgram(std::move(request));
  if (!answer.ok() && answer.status().code() == Code::kNotFound) {
    return Fail(ExitCode::kFailed, "no code is generated for programs of the runtime '" + project.runtime +
                                       "': it is written here for python, nodejs and yaml, and by the plugin "
                                       "pulumi-language-" +
                                       project.runtime +
                                       " for others, which is not on PATH; add the "
                                       "resources by hand");
  }
  if (!answer.ok()) return answer.status();
  const Status told = PrintMessages(session, answer->messages, "no code is generated");
  if (!told.ok()) return told;
  std::string code;
  for (const auto& [name, content] : answer->files) code += (code.empty() ? "" : "\n") + content;
  return code;
}

}  // namespace

std::map<std::string, std::string> SchemaTexts(const codegen::Program& program) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, package] : program.packages) texts[name] = package->DocumentText();
  return texts;
}

Status PrintMessages(const Session& session, const SdkMessages& messages, const std::string& what) {
  std::string first;
  for (const auto& [error, text] : messages) {
    session.Note((error ? "error: " : "warning: ") + text);
    if (error && first.empty()) first = text;
  }
  return first.empty() ? Status::Ok() : Fail(ExitCode::kFailed, what + ": " + first);
}

Result<std::string> WriteProgram(const Session& session, const codegen::Program& program, const Project& project) {
  if (project.runtime == "python") return codegen::WritePython(program);
  if (project.runtime == "yaml") return codegen::WriteYaml(program);
  if (project.runtime == "nodejs" || project.runtime == "bun") {
    return codegen::WriteTypeScript(
        program, IsPlainNode(project) ? codegen::ModuleKind::kRequire : codegen::ModuleKind::kImport);
  }
  return WriteByPlugin(session, program, project);
}

}  // namespace kingpost
