// SPDX-License-Identifier: Apache-2.0
// The files of a Python SDK, module by module, how it registers its classes, and its configuration as a module:
// config.region is read when it is asked for.
#include <nlohmann/json.hpp>

#include "languages/sdkgen/python_scope.h"
#include "languages/sdkgen/sdk.h"

namespace kingpost::sdkgen {

namespace python {

namespace {

// A value of another type is given as its text.
std::string ConfigType(const Property& variable) {
  const std::string name = BuiltinName(variable.type->kind), type = name.empty() ? "str" : name;
  const bool has_default = variable.default_value && variable.default_value->value;
  return has_default ? type : "Optional[" + type + "]";
}

std::string ConfigFile(const Scope& in, const Imports& imports) {
  std::string text = in.Header(imports) + "import types\n\n__config__ = pulumi.Config('" + in.package.name +
                     "')\n\n\nclass _ExportableConfig(types.ModuleType):\n";
  for (const Property& variable : in.package.config) {
    text += "    @_builtins.property\n    def " + PythonName(variable.name) + "(self) -> " + ConfigType(variable) +
            ":\n" + Docstring(in.Doc(variable.comment), "        ") + "        return __config__.get" +
            ReaderSuffix(variable.type->kind) + "('" + variable.name + "')";
    if (variable.default_value) text += " or " + DefaultOf(*variable.default_value, *variable.type);
    text += "\n\n";
  }
  return text;
}

// Editors see no types in the class above.
std::string ConfigStubs(const Scope& in, const Imports& imports) {
  std::string text = in.Header(imports);
  for (const Property& variable : in.package.config) {
    text +=
        PythonName(variable.name) + ": " + ConfigType(variable) + "\n" + Docstring(in.Doc(variable.comment), "") + "\n";
  }
  return text;
}

// References to resources in answers become objects of these classes.
std::string Registration(const Scope& in) {
  const std::string& name = in.package.name;
  nlohmann::ordered_json packages = nlohmann::ordered_json::array(), modules = packages;
  std::map<std::pair<std::string, std::string>, nlohmann::ordered_json> by_module;
  for (const auto& [path, module] : in.modules.all()) {
    const std::string full = FullImportName(in.options, module);
    for (const Resource* resource : module.resources) {
      if (resource->overlay) continue;
      if (resource->provider) {
        packages.push_back({{"pkg", name}, {"token", resource->token}, {"fqn", full}, {"class", "Provider"}});
        continue;
      }
      const std::string mod = Split(resource->token, ':')[1];
      nlohmann::ordered_json& entry = by_module[{mod, full}];
      if (entry.is_null()) entry = {{"pkg", name}, {"mod", mod}, {"fqn", full}};
      entry["classes"][resource->token] = UpperFirst(NameOfToken(resource->token));
    }
  }
  for (auto& [key, entry] : by_module) modules.push_back(std::move(entry));
  return "_utilities.register(\n    resource_modules=\"\"\"\n" + modules.dump(1) +
         "\n\"\"\",\n    resource_packages=\"\"\"\n" + packages.dump(1) + "\n\"\"\"\n)\n";
}

std::string InitFile(const Scope& in, const std::set<std::string>& exports) {
  const Module& module = in.module;
  std::string text = FileHead() + "\n";
  if (module.config) {
    return text +
           "import sys\nfrom .vars import _ExportableConfig\n\nsys.modules[__name__].__class__ = _ExportableConfig\n";
  }
  text += "import builtins as _builtins\n" + in.UtilitiesImport() + "import typing\n";
  for (const std::string& name : exports) {
    if (name != "_inputs" && name != "outputs") text += "from ." + name + " import *\n";
  }
  if (exports.count("_inputs") > 0) text += "from ._inputs import *\n";
  if (exports.count("outputs") > 0) text += "from . import outputs\n";

  TextMap children;
  for (const Module* child : module.children) {
    if (!child->IsEmpty()) children[ImportName(*child)] = FullImportName(in.options, *child);
  }
  std::string seen, lazy;
  for (const auto& [name, full] : children) {
    seen += "    import " + full + " as __" + name + "\n    " + name + " = __" + name + "\n";
    lazy += "    " + name + " = _utilities.lazy_import('" + full + "')\n";
  }
  if (!children.empty()) {
    text += "\n# Loaded when they are used.\nif typing.TYPE_CHECKING:\n" + seen + "else:\n" + lazy + "\n";
  }
  return module.path.empty() ? text + Registration(in) : text;
}

Status AddModule(const Scope& in, Files* files) {
  const Module& module = in.module;
  const std::string folder = in.options.package_name + "/" + (module.path.empty() ? "" : module.path + "/");
  std::set<std::string> exports(module.extra_files.begin(), module.extra_files.end());
  Status added;
  const auto add = [&](const std::string& name, std::string text) {
    exports.insert(name);
    if (!files->emplace(folder + name + ".py", std::move(text)).second && added.ok()) {
      added = Status(Code::kInvalidArgument, "two members of the package are both to be in " + folder + name + ".py");
    }
  };
  for (const Resource* resource : module.resources) {
    if (!resource->overlay) add(ResourceFileName(in.options, module, *resource), ResourceFile(in, *resource));
  }
  for (const Function* function : module.functions) {
    const std::string name = codegen::PythonFunctionName(function->token);
    if (!function->overlay) add(FileName(module, name), FunctionFile(in, *function));
  }
  if (std::string text = ObjectFile(in, true); !text.empty()) add("_inputs", std::move(text));
  if (std::string text = ObjectFile(in, false); !text.empty()) add("outputs", std::move(text));
  if (!module.enums.empty()) add("_enums", EnumFile(in));
  if (module.config) {
    Imports imports;
    in.Collect(in.package.config, false, nullptr, &imports);
    add("vars", ConfigFile(in, imports));
    (*files)[folder + "__init__.pyi"] = ConfigStubs(in, imports);
  }
  if (!module.IsEmpty() || module.path.empty()) (*files)[folder + "__init__.py"] = InitFile(in, exports);
  return added;
}

}  // namespace

}  // namespace python

Result<Files> PythonSdk(const schema::Package& package, const SdkOptions& options) {
  if (package.support_pack && package.version.empty()) {
    return Status(Code::kInvalidArgument, "package version is required");
  }
  const PythonOptions settings = PythonOptions::Of(package);
  Modules modules(package, [&](const std::string& token) { return python::ModulePath(package, settings, token); });
  modules.Fill(Modules::NestedTypes::kInTheirModules, settings.compatibility != "kubernetes20");
  const std::string root = settings.package_name + "/";
  Files files;
  for (const auto& [path, content] : options.extra) {
    files[root + path] = content;
    if (path.ends_with(".py")) modules.AddExtraFile(path);
  }
  for (const auto& [path, module] : modules.all()) {
    KP_TRY(python::AddModule({package, settings, modules, module}, &files));
  }
  files[root + "_utilities.py"] = python::UtilitiesFile(package);
  files[root + "py.typed"] = "";
  files[root + "README.md"] = ReadmeOf(package, settings.readme);
  files[root + "pulumi-plugin.json"] = python::PluginFile(package, settings);
  files[".gitattributes"] = "* linguist-generated\n";
  files[".gitignore"] = "*.pyc\n__pycache__\n.mypy_cache\ndist\nbuild\n*.egg-info\n";
  if (settings.pyproject) {
    files["pyproject.toml"] = python::ProjectFile(package, settings);
    files["README.md"] = ReadmeOf(package, settings.readme);
  } else {
    files["setup.py"] = python::SetupFile(package, settings);
  }
  return files;
}

}  // namespace kingpost::sdkgen
