// SPDX-License-Identifier: Apache-2.0
// The files of a Python SDK, module by module, and how it registers its classes.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "languages/codegen/names.h"
#include "languages/sdkgen/plugin_metadata.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

PythonGenerator::PythonGenerator(const schema::Package& package, const SdkOptions& options)
    : package_(package),
      options_(options),
      python_(PythonOptions::Of(package)),
      sdk_name_(python_.package_name.empty() ? PythonPackageName(package.name_space, package.name)
                                             : python_.package_name),
      modules_(package, [this](const std::string& token) { return ModulePath(token); }) {}

std::string PythonGenerator::InitFile(const Module& module, std::vector<std::string> exports) const {
  std::string text = std::string("# coding=utf-8\n# ") + kGeneratedBy + "\n# " + kDoNotEdit + "\n\n";
  if (module.config) {
    return text +
           "import sys\nfrom .vars import _ExportableConfig\n\nsys.modules[__name__].__class__ = _ExportableConfig\n";
  }
  text += "import builtins as _builtins\n" + UtilitiesImport(module) + "\nimport typing\n";
  std::sort(exports.begin(), exports.end());
  for (const std::string& name : exports) {
    if (name == "_inputs" || name == "outputs") continue;
    text += "from ." + name + " import *\n";
  }
  const auto has = [&](const char* name) { return std::find(exports.begin(), exports.end(), name) != exports.end(); };
  if (has("_inputs")) text += "from ._inputs import *\n";
  if (has("outputs")) text += "from . import outputs\n";

  std::map<std::string, std::string> children;
  for (const Module* child : module.children) {
    if (!child->IsEmpty()) children[ImportName(*child)] = FullImportName(*child);
  }
  std::string seen, lazy;
  for (const auto& [name, full] : children) {
    seen += "    import " + full + " as __" + name + "\n    " + name + " = __" + name + "\n";
    lazy += "    " + name + " = _utilities.lazy_import('" + full + "')\n";
  }
  if (!children.empty())
    text += "\n# Loaded when they are used.\nif typing.TYPE_CHECKING:\n" + seen + "else:\n" + lazy + "\n";
  return module.parent ? text : text + Registration();
}

// References to resources in answers become objects of these classes.
std::string PythonGenerator::Registration() const {
  nlohmann::ordered_json packages = nlohmann::ordered_json::array();
  std::map<std::pair<std::string, std::string>, nlohmann::ordered_json> by_module;
  for (const auto& [path, module] : modules_.all()) {
    for (const schema::Resource* resource : module->resources) {
      if (resource->overlay) continue;
      const std::string full = FullImportName(*module);
      if (resource->provider) {
        packages.push_back({{"pkg", package_.name}, {"token", resource->token}, {"fqn", full}, {"class", "Provider"}});
        continue;
      }
      const std::vector<std::string> parts = Split(resource->token, ':');
      nlohmann::ordered_json& entry = by_module[{parts.size() == 3 ? parts[1] : "", full}];
      if (entry.is_null()) {
        entry = {{"pkg", package_.name}, {"mod", parts.size() == 3 ? parts[1] : ""}, {"fqn", full}};
      }
      entry["classes"][resource->token] = codegen::UpperFirst(schema::NameOfToken(resource->token));
    }
  }
  nlohmann::ordered_json modules = nlohmann::ordered_json::array();
  for (auto& [key, entry] : by_module) modules.push_back(std::move(entry));
  return "_utilities.register(\n    resource_modules=\"\"\"\n" + modules.dump(1) +
         "\n\"\"\",\n    resource_packages=\"\"\"\n" + packages.dump(1) + "\n\"\"\"\n)\n";
}

std::string PythonGenerator::PluginFile() const {
  const bool versioned = python_.respect_version || package_.support_pack;
  return PluginMetadata(package_, versioned ? package_.version : "").dump(2) + "\n";
}

Status PythonGenerator::AddModule(const Module& module) {
  const std::string folder = sdk_name_ + "/" + (module.path.empty() ? "" : module.path + "/");
  std::vector<std::string> exports;
  Status added;
  const auto add = [&](const std::string& name, std::string text) {
    exports.push_back(name);
    if (!files_.emplace(folder + name + ".py", std::move(text)).second && added.ok()) {
      added = Status(Code::kInvalidArgument, "two members of the package are both to be in " + folder + name + ".py");
    }
  };
  for (const std::string& path : module.extra_files) {
    const std::string name = path.substr(path.rfind('/') + 1);
    exports.push_back(name.substr(0, name.size() - 3));
  }
  for (const schema::Resource* resource : module.resources) {
    if (!resource->overlay) add(ResourceFile(module, *resource), ResourceFileText(module, *resource));
  }
  for (const schema::Function* function : module.functions) {
    const std::string name = codegen::PythonFunctionName(function->token);
    if (!function->overlay) add(FileName(module, name), FunctionFile(module, *function));
  }
  if (std::string text = ObjectFile(module, true); !text.empty()) add("_inputs", std::move(text));
  if (std::string text = ObjectFile(module, false); !text.empty()) add("outputs", std::move(text));
  if (!module.enums.empty()) add("_enums", EnumFile(module));
  if (module.config) {
    add("vars", ConfigFile(module));
    files_[folder + "__init__.pyi"] = ConfigStubs(module);
  }
  if (!module.IsEmpty() || module.path.empty()) files_[folder + "__init__.py"] = InitFile(module, std::move(exports));
  return added;
}

Result<Files> PythonGenerator::Run() {
  if (package_.support_pack && package_.version.empty()) {
    return Status(Code::kInvalidArgument, "package version is required");
  }
  modules_.Fill(Modules::NestedTypes::kInTheirModules, python_.compatibility != "kubernetes20");
  for (const auto& [path, content] : options_.extra) {
    files_[sdk_name_ + "/" + path] = content;
    if (path.ends_with(".py")) modules_.AddExtraFile(path);
  }
  for (const auto& [path, module] : modules_.all()) KP_TRY(AddModule(*module));
  const std::string root = sdk_name_ + "/";
  files_[root + "_utilities.py"] = UtilitiesFile();
  files_[root + "py.typed"] = "";
  files_[root + "README.md"] = ReadmeOf(package_, python_.readme);
  files_[root + "pulumi-plugin.json"] = PluginFile();
  files_[".gitattributes"] = "* linguist-generated\n";
  files_[".gitignore"] = "*.pyc\n__pycache__\n.mypy_cache\ndist\nbuild\n*.egg-info\n";
  if (python_.pyproject) {
    files_["pyproject.toml"] = ProjectFile();
    files_["README.md"] = ReadmeOf(package_, python_.readme);
  } else {
    files_["setup.py"] = SetupFile();
  }
  return std::move(files_);
}

Result<Files> PythonSdk(const schema::Package& package, const SdkOptions& options) {
  return PythonGenerator(package, options).Run();
}

}  // namespace kingpost::sdkgen
