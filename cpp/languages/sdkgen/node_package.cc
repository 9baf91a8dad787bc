// SPDX-License-Identifier: Apache-2.0
// The files of a Node.js SDK, module by module, and how it registers its classes.
#include <algorithm>

#include "base/encoding.h"
#include "languages/codegen/names.h"
#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

// The folders right below, each once.
std::vector<std::string> DirectChildren(const std::set<std::string>& children) {
  std::set<std::string> names;
  for (const std::string& child : children) names.insert(child.substr(child.rfind('/') + 1));
  return {names.begin(), names.end()};
}

std::string ImportedAs(const std::string& module) {
  const std::string name = NodeIdentifier(module);
  return name == "module" || name == "exports" || name == "require" ? name + "_" : name;
}

std::string SubmodulesText(const std::vector<std::string>& modules) {
  if (modules.empty()) return "";
  std::string imports = "\n// Sub-modules:\n", exports = "\nexport {\n";
  for (const std::string& module : modules) {
    const std::string name = ImportedAs(module);
    imports += "import * as " + name + " from \"./" + module + "\";\n";
    const bool renamed = name != module && codegen::IsIdentifier(module);
    exports += "    " + name + (renamed ? " as " + module : "") + ",\n";
  }
  return imports + exports + "};\n";
}

// Classes and functions are loaded when they are used; a class with a namespace cannot be.
std::string ReexportText(const NodeExport& exported) {
  const std::string from = Quote(exported.path);
  if (exported.class_name.empty() && exported.functions.empty()) return "export * from " + from + ";\n";
  if (exported.has_namespace) {
    return "export * from " + from + ";\nimport { " + exported.class_name + " } from " + from + ";\n\n";
  }
  std::string text;
  if (!exported.interfaces.empty()) text += "export { " + Joined(exported.interfaces, ", ") + " } from " + from + ";\n";
  std::vector<std::string> names = exported.functions;
  if (!exported.class_name.empty()) {
    names.push_back(exported.class_name);
    text += "export type " + exported.class_name + " = import(" + from + ")." + exported.class_name + ";\n";
  }
  std::vector<std::string> quoted;
  for (const std::string& name : names) {
    text += "export const " + name + ": typeof import(" + from + ")." + name + " = null as any;\n";
    quoted.push_back(Quote(name));
  }
  return text + "utilities.lazyLoad(exports, [" + Joined(quoted, ",") + "], () => require(" + from + "));\n\n";
}

}  // namespace

NodeGenerator::NodeGenerator(const schema::Package& package, const SdkOptions& options)
    : package_(package),
      options_(options),
      node_(NodeOptions::Of(package)),
      modules_(package, [this](const std::string& token) { return ModulePath(token); }) {}

// References to resources in answers become objects of these classes.
std::string NodeGenerator::Registration(const Module& module) const {
  std::string cases, provider;
  std::set<std::string> names;
  for (const schema::Resource* resource : module.resources) {
    if (resource->overlay) continue;
    const std::string name = NodeClassName(resource->token), token = Quote(resource->token);
    if (resource->provider) {
      provider = "pulumi.runtime.registerResourcePackage(" + Quote(package_.name) +
                 ", {\n    version: utilities.getVersion(),\n    constructProvider: (name: string, type: string, urn: "
                 "string): pulumi.ProviderResource => {\n        if (type !== " +
                 token +
                 ") {\n            throw new Error(`unknown provider type ${type}`);\n        }\n"
                 "        return new Provider(name, <any>undefined, { urn });\n    },\n});\n";
      continue;
    }
    cases +=
        "            case " + token + ":\n                return new " + name + "(name, <any>undefined, { urn })\n";
    const std::vector<std::string> parts = Split(resource->token, ':');
    if (parts.size() == 3) names.insert(parts[1]);
  }
  if (cases.empty()) return provider;
  std::string text =
      "\nconst _module = {\n    version: utilities.getVersion(),\n    construct: (name: string, type: string, urn: "
      "string): pulumi.Resource => {\n        switch (type) {\n" +
      cases +
      "            default:\n                throw new Error(`unknown resource type ${type}`);\n        }\n    "
      "},\n};\n";
  for (const std::string& name : names) {
    text += "pulumi.runtime.registerResourceModule(" + Quote(package_.name) + ", " + Quote(name) + ", _module)\n";
  }
  return text + provider;
}

std::string NodeGenerator::IndexFile(const Module& module, std::vector<NodeExport> exports) const {
  std::set<std::string> children;
  for (const Module* child : module.children) children.insert(NodeChild(child->path));
  if (module.path == "types") {
    children.insert({"input", "output"});
    if (HasEnums()) children.insert("enums");
  }
  const bool registers = !module.resources.empty();
  std::string text = Header(module, NodeImports(), registers, registers || !module.functions.empty());
  std::sort(exports.begin(), exports.end(), [](const NodeExport& a, const NodeExport& b) { return a.path < b.path; });
  for (const NodeExport& one : exports) text += ReexportText(one);
  if (!module.enums.empty()) {
    const std::string inside = module.path.empty() ? "" : "/" + Lowered(module.path);
    text += "export * from \"" + RelativePath(module.path, "") + "/types/enums" + inside + "\";\n";
  }
  return text + SubmodulesText(DirectChildren(children)) + Registration(module);
}

std::string NodeGenerator::ConfigFile(const Module& in) const {
  NodeImports imports;
  CollectAll(in, package_.config, nullptr, &imports);
  std::string text = Header(in, imports, true, true) +
                     "declare var exports: any;\nconst __config = new pulumi.Config(" + Quote(package_.name) + ");\n\n";
  for (const schema::Property& variable : package_.config) {
    const NodeType type = TypeOf(*variable.type, false, false, nullptr);
    const bool is_text = variable.type->kind == schema::Type::Kind::kString;
    const bool has_default = variable.default_value && variable.default_value->value;
    std::string read = "__config." + (is_text ? std::string("get") : "getObject<" + type.text() + ">") + "(" +
                       Quote(variable.name) + ")";
    if (variable.default_value) read += " ?? " + NodeDefault(*variable.default_value, *variable.type);
    text += Comment(variable.comment, variable.deprecation, "") + "export declare const " + variable.name + ": " +
            (has_default || variable.required ? type : type.OrUndefined()).text() + ";\n";
    text += "Object.defineProperty(exports, " + Quote(variable.name) + ", {\n    get() {\n        return " + read +
            ";\n    },\n    enumerable: true,\n});\n\n";
  }
  return text;
}

void NodeGenerator::AddModule(const Module& module) {
  const std::string folder = module.path.empty() ? "" : Lowered(module.path) + "/";
  std::vector<NodeExport> exports;
  for (const std::string& path : module.extra_files) {
    const std::string name = path.substr(path.rfind('/') + 1);
    exports.push_back({"./" + name.substr(0, name.size() - 3), "", {}, {}});
  }
  for (const schema::Resource* resource : module.resources) {
    if (resource->overlay) continue;
    const std::string name = FileName(module, NodeCamel(NodeClassName(resource->token)));
    files_[folder + name + ".ts"] = ResourceText(module, *resource);
    exports.push_back(ExportOf(*resource, "./" + name));
  }
  for (const schema::Function* function : module.functions) {
    if (function->overlay) continue;
    const std::string name = FileName(module, NodeFunctionName(*function));
    files_[folder + name + ".ts"] = FunctionFile(module, *function);
    exports.push_back(ExportOf(*function, "./" + name));
  }
  if (module.config) {
    files_[folder + "vars.ts"] = ConfigFile(module);
    exports.push_back({"./vars", "", {}, {}});
  }
  if (module.path == "types") {
    files_["types/input.ts"] = ObjectFile(true);
    files_["types/output.ts"] = ObjectFile(false);
  }
  files_[folder + "index.ts"] = IndexFile(module, std::move(exports));
}

Result<Files> NodeGenerator::Run() {
  if (package_.support_pack && package_.version.empty()) {
    return Status(Code::kInvalidArgument, "package version is required");
  }
  modules_.Fill(Modules::NestedTypes::kTogether, node_.compatibility != "kubernetes20");
  if (modules_.all().count("types") > 0) {
    return Status(Code::kInvalidArgument, "the package has a module `types`, which is where its nested types are");
  }
  if (HasNestedTypes() || HasEnums()) modules_.Get("types");
  for (const auto& [path, content] : options_.extra) {
    files_[path] = content;
    if (path.ends_with(".ts")) modules_.AddExtraFile(path);
  }
  std::map<std::string, std::set<std::string>> enum_folders;  // folder -> those in it that have enumerations
  for (const auto& [path, module] : modules_.all()) {
    AddModule(*module);
    if (module->enums.empty()) continue;
    enum_folders[Lowered(path)];
    for (std::string at = Lowered(path); !at.empty();) {
      const size_t slash = at.rfind('/');
      const std::string above = slash == std::string::npos ? "" : at.substr(0, slash);
      enum_folders[above].insert(at.substr(above.empty() ? 0 : above.size() + 1));
      at = above;
    }
  }
  for (const auto& [folder, children] : enum_folders) {
    const auto found = std::find_if(modules_.all().begin(), modules_.all().end(),
                                    [&](const auto& entry) { return Lowered(entry.first) == folder; });
    const std::string file = "types/enums/" + (folder.empty() ? "" : folder + "/") + "index.ts";
    files_[file] = EnumFile(*found->second) + SubmodulesText({children.begin(), children.end()});
  }
  files_["utilities.ts"] = UtilitiesFile();
  files_["README.md"] = ReadmeOf(package_, node_.readme);
  files_["package.json"] = PackageFile();
  files_["tsconfig.json"] = CompilerFile();
  files_[".gitignore"] = "node_modules/\nbin/\n";
  files_[".gitattributes"] = "* linguist-generated\n";
  if (options_.local) files_["scripts/postinstall.js"] = kNodePostInstall;
  return std::move(files_);
}

Result<Files> NodeSdk(const schema::Package& package, const SdkOptions& options) {
  return NodeGenerator(package, options).Run();
}

}  // namespace kingpost::sdkgen
