// SPDX-License-Identifier: Apache-2.0
// Names in a Python SDK, and how one module refers to names of another.
#include "languages/codegen/names.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

std::string PythonPackageName(const std::string& name_space, const std::string& name) {
  const std::string first = name_space.empty() ? "pulumi" : Replaced(name_space, "-", "_");
  return first + "_" + Replaced(name, "-", "_");
}

std::string PythonParameter(const std::string& name) {
  const std::string spelled = codegen::PythonName(name);
  return spelled == "resource_name" || spelled == "opts" ? spelled + "_" : spelled;
}

std::string PythonClassName(const std::string& token) {
  if (IsProviderType(token)) return "Provider";
  const std::string name = codegen::UpperFirst(schema::NameOfToken(token));
  return codegen::IsPythonKeyword(name) ? name + "_" : name;
}

namespace {

std::string SdkNameOf(const schema::Package& package) { return PythonPackageName(package.name_space, package.name); }

// "apps/v1" -> "_apps.v1."
std::string Qualifier(const std::string& path, const char* before) {
  return path.empty() ? "" : before + Replaced(path, "/", ".") + ".";
}

std::string PathIn(const schema::Package& package, const PythonOptions& options, const std::string& token) {
  const std::string module = package.ModuleOf(token);
  if (const auto named = options.module_names.find(module); named != options.module_names.end()) return named->second;
  std::vector<std::string> parts;
  for (const std::string& part : Split(Lowered(module), '/')) parts.push_back(codegen::PythonName(part));
  return Joined(parts, "/");
}

std::string NameIn(const PythonOptions& options, const ShapedObject& object, const Uses& uses, bool input) {
  const std::string name = codegen::UpperFirst(schema::NameOfToken(object.object->token));
  if (!options.plain_names()) return object.takes_outputs ? name + "Args" : name;
  if (input) return name + "Args";
  return uses.function ? name + "Result" : name;
}

}  // namespace

std::string PythonGenerator::ModulePath(const std::string& token) const { return PathIn(package_, python_, token); }

std::string PythonGenerator::ObjectName(const ShapedObject& object, bool input) const {
  return NameIn(python_, object, modules_.UsesOf(object), input);
}

// Quoted: types may name each other in circles.
std::string PythonGenerator::ObjectRef(const Module& in, const ShapedObject& object, bool input, bool dict) const {
  const schema::Package& package = *object.object->package;
  const std::string place = input ? "" : "outputs.";
  if (!IsOwn(&package)) {
    const PythonOptions options = PythonOptions::Of(package);
    // The generator of another package is unknown, unless the package names it.
    const bool as_dict = dict && options.typed_dicts() && !options.input_types.empty();
    const std::string module = Qualifier(PathIn(package, options, object.object->token), "");
    const std::string name = NameIn(options, object, Uses(), input) + (as_dict ? "Dict" : "");
    return "'" + SdkNameOf(package) + "." + module + place + name + "'";
  }
  const std::string path = ModulePath(object.object->token);
  const std::string name = ObjectName(object, input) + (dict ? "Dict" : "");
  if (path == in.path) return "'" + place + name + "'";
  if (path.empty()) return std::string("'") + (input ? "_root_inputs." : "_root_outputs.") + name + "'";
  return "'" + Qualifier(path, "_") + place + name + "'";
}

std::string PythonGenerator::EnumRef(const Module& in, const schema::EnumType& enumeration) const {
  const std::string name = codegen::UpperFirst(schema::NameOfToken(enumeration.token));
  if (!IsOwn(enumeration.package)) {
    const PythonOptions options = PythonOptions::Of(*enumeration.package);
    return "'" + SdkNameOf(*enumeration.package) + "." +
           Qualifier(PathIn(*enumeration.package, options, enumeration.token), "") + name + "'";
  }
  const std::string path = ModulePath(enumeration.token);
  if (path == in.path) return "'" + name + "'";
  return path.empty() ? "'_root_enums." + name + "'" : "'" + Qualifier(path, "") + name + "'";
}

std::string PythonGenerator::ResourceRef(const Module& in, const schema::Type& type) const {
  const schema::Package& package = *type.resource->package;
  const std::string name = PythonClassName(type.token);
  if (!IsOwn(&package)) {
    const std::string module = Qualifier(PathIn(package, PythonOptions::Of(package), type.token), "");
    return SdkNameOf(package) + "." + module + name;
  }
  const std::string path = ModulePath(type.token);
  return path == in.path || path.empty() ? name : Qualifier(path, "_") + name;
}

// A file of a folder's name would hide behind the folder.
std::string PythonGenerator::FileName(const Module& in, const std::string& name) const {
  for (const Module* child : in.children) {
    if (ImportName(*child) == name) return name + "_";
  }
  return name;
}

std::string PythonGenerator::ResourceFile(const Module& in, const schema::Resource& resource) const {
  if (resource.provider) return FileName(in, "provider");
  const std::string name = codegen::UpperFirst(schema::NameOfToken(resource.token));
  return FileName(in, python_.compatibility == "kubernetes20" ? name : codegen::PythonName(name));
}

std::string PythonGenerator::ImportName(const Module& module) const {
  return codegen::PythonName(module.path.substr(module.path.rfind('/') + 1));
}

std::string PythonGenerator::FullImportName(const Module& module) const {
  return module.parent ? FullImportName(*module.parent) + "." + ImportName(module) : sdk_name_;
}

// "BucketArgs"; "BucketInitArgs" where the inputs of a nested type are called so already.
std::string PythonGenerator::ArgsName(const Module& in, const schema::Resource& resource) const {
  const std::string name = PythonClassName(resource.token);
  for (const ShapedObject& object : in.objects) {
    if (modules_.UsesOf(object).input && ObjectName(object, true) == name + "Args") return name + "InitArgs";
  }
  return name + "Args";
}

}  // namespace kingpost::sdkgen
