// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/loader.h"

#include <algorithm>
#include <filesystem>

#include "base/os.h"

namespace kingpost::yaml {

namespace {

namespace fs = std::filesystem;

Result<LoadedProgram> Load(const fs::path& path, std::string text, const std::string& folder) {
  LoadedProgram loaded;
  loaded.path = path.string();
  loaded.program = ParseProgram({path.filename().string(), std::move(text)}, &loaded.diagnostics);
  auto decls = FindPackageDecls(folder);
  if (!decls.ok()) return decls.status();
  loaded.decls = std::move(*decls);
  return loaded;
}

// The fields that only programs have.
void RefuseProgramParts(const ProgramDecl& part, Diagnostics* diagnostics) {
  const std::pair<const char*, bool> parts[] = {{"config", !part.body.config.empty()},
                                                {"variables", !part.body.variables.empty()},
                                                {"resources", !part.body.resources.empty()},
                                                {"outputs", !part.body.outputs.empty()}};
  for (const auto& [name, there] : parts) {
    if (!there) continue;
    diagnostics->Error({0, 0}, part.source.file + ": root-level `" + name + "` is not supported in plugins.",
                       "Put it into one of the `components`.");
  }
}

}  // namespace

Result<LoadedProgram> LoadProgram(const std::string& folder, const std::string& project_file) {
  std::vector<fs::path> candidates;
  for (const char* name : {"Main.json", "Main.yaml", "Pulumi.yaml"}) candidates.push_back(fs::path(folder) / name);
  if (fs::path(project_file).parent_path() == fs::path(folder)) candidates.push_back(project_file);
  std::error_code error;
  for (const fs::path& path : candidates) {
    if (!fs::exists(path, error)) continue;
    auto text = ReadWholeFile(path.string());
    if (!text.ok()) return text.status();
    return Load(path, std::move(*text), folder);
  }
  return Status(Code::kNotFound, "reading template: " + folder +
                                     " has neither a Main.yaml, nor a Main.json, nor a Pulumi.yaml: let `main` in the "
                                     "project's file name the folder of the program");
}

Result<LoadedProgram> LoadProgramText(const std::string& name, std::string text, const std::string& folder) {
  return Load(fs::path(folder) / name, std::move(text), folder);
}

Result<LoadedProgram> LoadPlugin(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".yaml" && at->is_regular_file(error)) files.push_back(at->path());
  }
  // The plugin's own description first: messages show its lines.
  std::ranges::sort(files, {},
                    [](const fs::path& file) { return std::pair(file.filename() != "PulumiPlugin.yaml", file); });
  LoadedProgram plugin;
  std::vector<ComponentDecl> components;
  for (const fs::path& file : files) {
    auto text = ReadWholeFile(file.string());
    if (!text.ok()) return text.status();
    ProgramDecl part = ParseProgram({file.filename().string(), std::move(*text)}, &plugin.diagnostics);
    RefuseProgramParts(part, &plugin.diagnostics);
    for (ComponentDecl& component : part.components) {
      if (std::ranges::find(components, component.name, &ComponentDecl::name) != components.end()) {
        return Status(Code::kInvalidArgument, file.string() + ": duplicate component name " + component.name);
      }
      component.source = std::make_shared<const Source>(part.source);
      components.push_back(std::move(component));
    }
    if (!plugin.path.empty()) continue;
    plugin.path = file.string();
    plugin.program = std::move(part);
  }
  plugin.program.components = std::move(components);
  if (plugin.program.name.empty()) {
    return Status(Code::kInvalidArgument, folder + "/PulumiPlugin.yaml: missing required `name` field");
  }
  auto decls = FindPackageDecls(folder);
  if (!decls.ok()) return decls.status();
  plugin.decls = std::move(*decls);
  return plugin;
}

}  // namespace kingpost::yaml
