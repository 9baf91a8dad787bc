// SPDX-License-Identifier: Apache-2.0
// convert: a program in YAML becomes a project in another language.
#include "cli/convert/convert_command.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/convert/converted_project.h"
#include "cli/packages/install.h"
#include "cli/packages/sdk_folder.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "kingpost/state_store.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

struct ConvertChoice {
  std::string from = "yaml", language, out = ".", name;
  std::vector<std::string> mappings, arguments;
  bool generate_only = false, strict = false;
};

Status Check(const ConvertChoice& choice) {
  if (choice.language.empty()) return UsageError("required flag(s) \"language\" not set");
  if (!choice.name.empty()) {
    const Status valid = ValidateProjectName(choice.name);
    if (!valid.ok()) return UsageError("'" + choice.name + "' is not a valid project name: " + valid.message());
  }
  if (!choice.from.empty() && choice.from != "yaml") {
    return Fail(ExitCode::kFailed, "programs are converted from YAML only: converter plugins, such as one for '" +
                                       choice.from + "', are not run");
  }
  if (!choice.mappings.empty()) return UsageError("--mappings is for other tools' providers: YAML has none");
  if (!choice.arguments.empty()) return UsageError("the conversion from YAML takes no arguments");
  return Status::Ok();
}

Result<std::string> MakeFolder(const std::string& out) {
  std::error_code error;
  fs::path folder = fs::absolute(out, error).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  fs::create_directories(folder, error);
  if (error) return Fail(ExitCode::kFailed, "create output directory: " + folder.string() + ": " + error.message());
  return fs::canonical(folder, error).string();
}

Status Convert(Session& session, const ConvertChoice& choice) {
  if (const Status fits = Check(choice); !fits.ok()) return fits;
  const std::string language = RuntimeOfLanguage(choice.language);
  session.Note("Converting from yaml...");
  const Result<ConversionInput> input = ReadYamlProgram(session, choice.strict);
  if (!input.ok()) return input.status();
  const Result<std::string> folder = MakeFolder(choice.out);
  if (!folder.ok()) return folder.status();
  const ConversionTarget target{*folder, language, choice.name.empty() ? input->project.name : choice.name};
  session.Note("Converting to " + language + "...");
  if (language == "pcl" || language == "pulumi") return WritePclFile(session, *input, target);
  Status written = HasBuiltinWriter(language) ? WriteProgramFiles(session, *input, target)
                                              : WriteByLanguagePlugin(session, *input, target, choice.strict);
  if (written.ok()) written = CopyOtherFiles(session, *input, target);
  if (!written.ok()) return written;
  const Result<Project> converted = Project::Load((fs::path(*folder) / "Pulumi.yaml").string());
  if (!converted.ok()) return converted.status();
  written = WriteLocalSdks(session, *input, *converted);
  if (!written.ok() || choice.generate_only) return written;
  return InstallPackagesOf(session, *converted);
}

}  // namespace

void AddConvertCommand(Commands* commands) {
  commands->push_back(
      {"convert", "Convert a program in YAML into another language", [](Flags& flags) -> CommandBody {
         auto choice = std::make_shared<ConvertChoice>();
         flags.Arguments("ARGUMENT", &choice->arguments, "For converters of other tools: YAML takes none");
         flags.Text("--from", &choice->from, "The language of the program: yaml");
         flags.Text("--language", &choice->language,
                    "The language that it is converted to: python, typescript, yaml, or one whose plugin is on PATH");
         flags.Text("--out", &choice->out, "The folder of the new project; the current one by default");
         flags.Text("--name", &choice->name, "The project's name; that of the old one by default");
         flags.Switch("--generate-only", &choice->generate_only, "Only the files: packages are not installed");
         flags.List("--mappings", &choice->mappings, "For converters of other tools: YAML takes none", true);
         flags.Switch("--strict", &choice->strict,
                      "Fail also where a part may mean something else in the new language");
         return [choice](Session& session) { return Convert(session, *choice); };
       }});
}

}  // namespace kingpost
