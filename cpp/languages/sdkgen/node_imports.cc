// SPDX-License-Identifier: Apache-2.0
// The imports of a file of a Node.js SDK.
#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

std::string ImportLine(const std::string& name, const std::string& from) {
  return "import * as " + name + " from \"" + from + "\";";
}

}  // namespace

void NodeGenerator::Collect(const Module& in, const schema::Type& type, const schema::Resource* self,
                            NodeImports* imports, std::set<const schema::ObjectType*>* seen) const {
  const schema::Package* package = type.object        ? type.object->package
                                   : type.enumeration ? type.enumeration->package
                                   : type.resource    ? type.resource->package
                                                      : nullptr;
  if (package && !IsOwn(package)) {
    const auto named = node_.provider_modules.find(package->name);
    const std::string scope = package->name_space.empty() ? "pulumi" : package->name_space;
    const std::string from = named == node_.provider_modules.end() ? "@" + scope + "/" + package->name : named->second;
    imports->lines.insert(ImportLine(NodeAlias(package->name), from));
    return;
  }
  if (type.element) Collect(in, *type.element, self, imports, seen);
  for (const schema::Type* element : type.elements) Collect(in, *element, self, imports, seen);
  if (type.enumeration || type.object) imports->nested = true;
  if (type.object && seen->insert(type.object).second) {
    for (const schema::Property& property : type.object->properties) Collect(in, *property.type, self, imports, seen);
  }
  const bool names_class = type.kind == schema::Type::Kind::kResource || type.kind == schema::Type::Kind::kToken;
  if (!names_class || (self && type.resource == self)) return;
  const std::string path = ModulePath(type.token);
  const std::string from = path == in.path ? "./index" : Lowered(RelativePath(in.path, path));
  imports->classes[from == "." ? "./index" : from].insert(NodeClassName(type.token));
}

void NodeGenerator::CollectAll(const Module& in, const schema::Properties& properties, const schema::Resource* self,
                               NodeImports* imports) const {
  std::set<const schema::ObjectType*> seen;
  for (const schema::Property& property : properties) {
    if (property.name != "__self__") Collect(in, *property.type, self, imports, &seen);
  }
}

std::string NodeGenerator::Header(const Module& in, const NodeImports& imports, bool with_sdk,
                                  bool with_utilities) const {
  std::string text = std::string("// ") + kGeneratedBy + "\n// " + kDoNotEdit + "\n\n";
  const std::string root = RelativePath(in.path, "");
  std::vector<std::string> lines;
  if (with_sdk) lines.push_back(ImportLine("pulumi", "@pulumi/pulumi"));
  if (imports.nested) {
    lines.push_back(ImportLine("inputs", root + "/types/input"));
    lines.push_back(ImportLine("outputs", root + "/types/output"));
    if (HasEnums()) lines.push_back(ImportLine("enums", root + "/types/enums"));
  }
  if (with_utilities) lines.push_back(ImportLine("utilities", root + "/utilities"));
  lines.insert(lines.end(), imports.lines.begin(), imports.lines.end());
  for (const auto& [module, names] : imports.classes) {
    lines.push_back("import {" + Joined(std::vector<std::string>(names.begin(), names.end()), ", ") + "} from \"" +
                    (module.starts_with('.') ? module : "./" + module) + "\";");
  }
  return lines.empty() ? text : text + Joined(lines, "\n") + "\n\n";
}

}  // namespace kingpost::sdkgen
