// SPDX-License-Identifier: Apache-2.0
// The files of a Node.js SDK, module by module, how it registers its classes, and its configuration as a module.
#include <algorithm>

#include "languages/sdkgen/node_scope.h"

namespace kingpost::sdkgen {

namespace node {

namespace {

std::string SubmodulesText(const std::set<std::string>& modules) {
  if (modules.empty()) return "";
  std::string imports = "\n// Sub-modules:\n", exports = "\nexport {\n";
  for (const std::string& module : modules) {
    std::string name = Identifier(module);
    if (name == "module" || name == "exports" || name == "require") name += '_';
    const bool renamed = name != module && codegen::IsIdentifier(module);
    imports += "import * as " + name + " from \"./" + module + "\";\n";
    exports += "    " + name + (renamed ? " as " + module : "") + ",\n";
  }
  return imports + exports + "};\n";
}

// Classes and functions are loaded when they are used; a class with a namespace cannot be.
std::string ReexportText(const Export& exported) {
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
  for (const std::string& name : names) {
    text += "export const " + name + ": typeof import(" + from + ")." + name + " = null as any;\n";
  }
  return text + "utilities.lazyLoad(exports, [" + Joined(names, ",", Quote) + "], () => require(" + from + "));\n\n";
}

// References to resources in answers become objects of these classes.
std::string Registration(const Scope& in, const Module& module) {
  const std::string package = Quote(in.package.name);
  std::string cases, provider;
  std::set<std::string> names;
  for (const Resource* resource : module.resources) {
    if (resource->overlay) continue;
    const std::string token = Quote(resource->token);
    if (resource->provider) {
      provider = "pulumi.runtime.registerResourcePackage(" + package +
                 ", {\n    version: utilities.getVersion(),\n    constructProvider: (name: string, type: string, urn: "
                 "string): pulumi.ProviderResource => {\n        if (type !== " +
                 token +
                 ") {\n            throw new Error(`unknown provider type ${type}`);\n        }\n"
                 "        return new Provider(name, <any>undefined, { urn });\n    },\n});\n";
      continue;
    }
    cases += "            case " + token + ":\n                return new " + ClassName(resource->token) +
             "(name, <any>undefined, { urn })\n";
    names.insert(Split(resource->token, ':')[1]);
  }
  if (cases.empty()) return provider;
  std::string text =
      "\nconst _module = {\n    version: utilities.getVersion(),\n    construct: (name: string, type: string, urn: "
      "string): pulumi.Resource => {\n        switch (type) {\n" +
      cases +
      "            default:\n                throw new Error(`unknown resource type ${type}`);\n        }\n    "
      "},\n};\n";
  for (const std::string& name : names) {
    text += "pulumi.runtime.registerResourceModule(" + package + ", " + Quote(name) + ", _module)\n";
  }
  return text + provider;
}

std::string IndexFile(const Scope& in, const Module& module, std::vector<Export> exports) {
  std::set<std::string> children;
  for (const Module* child : module.children) children.insert(Lowered(LastOf(child->path)));
  if (module.path == "types") {
    children.insert({"input", "output"});
    if (in.HasEnums()) children.insert("enums");
  }
  const bool registers = !module.resources.empty();
  std::string text = in.Header(module, {}, registers, registers || !module.functions.empty());
  std::sort(exports.begin(), exports.end(), [](const Export& a, const Export& b) { return a.path < b.path; });
  for (const Export& one : exports) text += ReexportText(one);
  if (!module.enums.empty()) {
    const std::string inside = module.path.empty() ? "" : "/" + Lowered(module.path);
    text += "export * from \"" + RelativePath(module.path, "") + "/types/enums" + inside + "\";\n";
  }
  return text + SubmodulesText(children) + Registration(in, module);
}

std::string ConfigFile(const Scope& in, const Module& module) {
  Imports imports;
  in.Collect(module, in.package.config, nullptr, &imports);
  std::string text = in.Header(module, imports) + "declare var exports: any;\nconst __config = new pulumi.Config(" +
                     Quote(in.package.name) + ");\n\n";
  for (const Property& variable : in.package.config) {
    const std::string type = in.TypeOf(*variable.type).text, name = Quote(variable.name);
    const bool is_text = variable.type->kind == Type::Kind::kString;
    const bool has_default = variable.default_value && variable.default_value->value;
    std::string read = "__config." + (is_text ? "get" : "getObject<" + type + ">") + "(" + name + ")";
    if (variable.default_value) read += " ?? " + DefaultOf(*variable.default_value, *variable.type);
    text += Comment(variable.comment, variable.deprecation, "") + "export declare const " + variable.name + ": " +
            type + (has_default || variable.required ? "" : " | undefined") + ";\nObject.defineProperty(exports, " +
            name + ", {\n    get() {\n        return " + read + ";\n    },\n    enumerable: true,\n});\n\n";
  }
  return text;
}

void AddModule(const Scope& in, const Module& module, Files* files) {
  const std::string folder = module.path.empty() ? "" : Lowered(module.path) + "/";
  std::vector<Export> exports;
  for (const std::string& name : module.extra_files) exports.push_back({"./" + name});
  for (const Resource* resource : module.resources) {
    if (resource->overlay) continue;
    const std::string name = FileName(module, Camel(ClassName(resource->token)));
    (*files)[folder + name + ".ts"] = ResourceFile(in, module, *resource);
    exports.push_back(ExportOf(in, *resource, "./" + name));
  }
  for (const Function* function : module.functions) {
    if (function->overlay) continue;
    const std::string name = FileName(module, FunctionName(*function));
    (*files)[folder + name + ".ts"] = FunctionFile(in, module, *function);
    exports.push_back(ExportOf(*function, "./" + name));
  }
  if (module.config) {
    (*files)[folder + "vars.ts"] = ConfigFile(in, module);
    exports.push_back({"./vars"});
  }
  if (module.path == "types") {
    (*files)["types/input.ts"] = ObjectFile(in, true);
    (*files)["types/output.ts"] = ObjectFile(in, false);
  }
  (*files)[folder + "index.ts"] = IndexFile(in, module, std::move(exports));
}

void AddEnums(const Modules& modules, Files* files) {
  std::map<std::string, std::set<std::string>> folders;  // with those in each that have enumerations
  for (const auto& [path, module] : modules.all()) {
    if (module.enums.empty()) continue;
    folders[Lowered(path)];
    for (std::string at = Lowered(path); !at.empty(); at = FolderOf(at)) folders[FolderOf(at)].insert(LastOf(at));
  }
  for (const auto& [folder, children] : folders) {
    const auto found = std::find_if(modules.all().begin(), modules.all().end(),
                                    [&](const auto& entry) { return Lowered(entry.first) == folder; });
    const std::string file = "types/enums/" + (folder.empty() ? "" : folder + "/") + "index.ts";
    (*files)[file] = EnumFile(found->second) + SubmodulesText(children);
  }
}

}  // namespace

}  // namespace node

Result<Files> NodeSdk(const schema::Package& package, const SdkOptions& options) {
  if (package.support_pack && package.version.empty()) {
    return Status(Code::kInvalidArgument, "package version is required");
  }
  const NodeOptions settings = NodeOptions::Of(package);
  Modules modules(package, [&](const std::string& token) { return node::ModulePath(package, settings, token); });
  modules.Fill(Modules::NestedTypes::kTogether, settings.compatibility != "kubernetes20");
  if (modules.all().count("types") > 0) {
    return Status(Code::kInvalidArgument, "the package has a module `types`, which is where its nested types are");
  }
  const node::Scope scope{package, settings, modules};
  if (!modules.Get("")->objects.empty() || scope.HasEnums()) modules.Get("types");
  Files files;
  for (const auto& [path, content] : options.extra) {
    files[path] = content;
    if (path.ends_with(".ts")) modules.AddExtraFile(path);
  }
  for (const auto& [path, module] : modules.all()) node::AddModule(scope, module, &files);
  node::AddEnums(modules, &files);
  files["utilities.ts"] = node::UtilitiesFile(package);
  files["README.md"] = ReadmeOf(package, settings.readme);
  files["package.json"] = node::PackageFile(scope, options.local);
  files["tsconfig.json"] = node::CompilerFile(settings, files);
  files[".gitignore"] = "node_modules/\nbin/\n";
  files[".gitattributes"] = "* linguist-generated\n";
  if (options.local) files["scripts/postinstall.js"] = kNodePostInstall;
  return files;
}

}  // namespace kingpost::sdkgen
