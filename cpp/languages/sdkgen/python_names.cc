// SPDX-License-Identifier: Apache-2.0
// Names in a Python SDK, and how one module refers to names of another.
#include <algorithm>

#include "languages/sdkgen/python_scope.h"
#include "languages/sdkgen/sdk.h"

namespace kingpost::sdkgen::python {

std::string ClassName(const std::string& token) {
  if (IsProviderType(token)) return "Provider";
  const std::string name = UpperFirst(NameOfToken(token));
  return codegen::IsPythonKeyword(name) ? name + "_" : name;
}

std::string ModulePath(const schema::Package& package, const PythonOptions& options, const std::string& token) {
  const std::string module = package.ModuleOf(token);
  if (const auto named = options.module_names.find(module); named != options.module_names.end()) return named->second;
  return Joined(Split(Lowered(module), '/'), "/", PythonName);
}

// A file of a folder's name would hide behind the folder.
std::string FileName(const Module& in, const std::string& name) {
  const bool hides = std::any_of(in.children.begin(), in.children.end(),
                                 [&](const Module* child) { return ImportName(*child) == name; });
  return hides ? name + "_" : name;
}

std::string ResourceFileName(const PythonOptions& options, const Module& in, const Resource& resource) {
  if (resource.provider) return FileName(in, "provider");
  const std::string name = UpperFirst(NameOfToken(resource.token));
  return FileName(in, options.compatibility == "kubernetes20" ? name : PythonName(name));
}

std::string ImportName(const Module& module) { return PythonName(LastOf(module.path)); }

std::string FullImportName(const PythonOptions& options, const Module& module) {
  if (module.path.empty()) return options.package_name;
  return options.package_name + "." + Joined(Split(module.path, '/'), ".", PythonName);
}

Properties RequiredFirst(Properties properties) {
  std::stable_sort(properties.begin(), properties.end(), [](const Property& a, const Property& b) {
    return a.required != b.required ? a.required : a.name < b.name;
  });
  return properties;
}

namespace {

// "apps/v1" -> "_apps.v1."
std::string Qualifier(const std::string& path, const char* before) {
  return path.empty() ? "" : before + Replaced(path, "/", ".") + ".";
}

// "pulumi_random.v1." of what is in another package.
std::string ForeignPlace(const schema::Package& package, const PythonOptions& options, const std::string& token) {
  return DefaultPythonDistribution(package) + "." + Qualifier(ModulePath(package, options, token), "");
}

std::string NameIn(const PythonOptions& options, const ShapedObject& object, const Uses& uses, bool input) {
  const std::string name = UpperFirst(NameOfToken(object.object->token));
  if (!options.plain_names()) return object.takes_outputs ? name + "Args" : name;
  if (input) return name + "Args";
  return uses.function ? name + "Result" : name;
}

}  // namespace

std::string Scope::ObjectName(const ShapedObject& object, bool input) const {
  return NameIn(options, object, modules.UsesOf(object), input);
}

// Quoted: types may name each other in circles.
std::string Scope::ObjectRef(const ShapedObject& object, bool input, bool dict) const {
  const schema::Package& owner = *object.object->package;
  const std::string place = input ? "" : "outputs.", &token = object.object->token;
  if (!IsOwn(&owner)) {
    const PythonOptions theirs = PythonOptions::Of(owner);
    // The generator of another package is unknown, unless the package names it.
    const bool as_dict = dict && theirs.typed_dicts() && !theirs.input_types.empty();
    const std::string name = NameIn(theirs, object, Uses(), input) + (as_dict ? "Dict" : "");
    return "'" + ForeignPlace(owner, theirs, token) + place + name + "'";
  }
  const std::string path = modules.PathOf(token), name = ObjectName(object, input) + (dict ? "Dict" : "");
  if (path == module.path) return "'" + place + name + "'";
  if (path.empty()) return (input ? "'_root_inputs." : "'_root_outputs.") + name + "'";
  return "'" + Qualifier(path, "_") + place + name + "'";
}

std::string Scope::EnumRef(const schema::EnumType& enumeration) const {
  const schema::Package& owner = *enumeration.package;
  const std::string name = UpperFirst(NameOfToken(enumeration.token)), path = modules.PathOf(enumeration.token);
  if (!IsOwn(&owner)) return "'" + ForeignPlace(owner, PythonOptions::Of(owner), enumeration.token) + name + "'";
  if (path == module.path) return "'" + name + "'";
  return path.empty() ? "'_root_enums." + name + "'" : "'" + Qualifier(path, "") + name + "'";
}

std::string Scope::ResourceRef(const Type& type) const {
  const schema::Package& owner = *type.resource->package;
  const std::string name = ClassName(type.token), path = modules.PathOf(type.token);
  if (!IsOwn(&owner)) return ForeignPlace(owner, PythonOptions::Of(owner), type.token) + name;
  return path == module.path || path.empty() ? name : Qualifier(path, "_") + name;
}

// "BucketArgs"; "BucketInitArgs" where the inputs of a nested type are called so already.
std::string Scope::ArgsName(const Resource& resource) const {
  const std::string name = ClassName(resource.token);
  const bool taken = std::any_of(module.objects.begin(), module.objects.end(), [&](const ShapedObject& object) {
    return modules.UsesOf(object).input && ObjectName(object, true) == name + "Args";
  });
  return name + (taken ? "InitArgs" : "Args");
}

namespace {

// From the root of the package as one of its modules sees it: "." of "", ".." of "a", "..." of "a/b".
std::string FromRoot(const Scope& in) {
  const std::string& path = in.module.path;
  return "from ." + std::string(path.empty() ? 0 : Split(path, '/').size(), '.');
}

// The import by which a module names a type: `here` from its own module, `of_root` from the root, else the module,
// hidden or not.
std::string ImportOf(const Scope& in, const schema::Package& owner, const std::string& token, const char* here,
                     const char* of_root, bool hidden) {
  if (!in.IsOwn(&owner)) return "import " + DefaultPythonDistribution(owner);
  const std::string path = in.modules.PathOf(token), first = path.substr(0, path.find('/'));
  if (path == in.module.path) return here;
  return FromRoot(in) + " import " + (path.empty() ? of_root : first + (hidden ? " as _" + first : ""));
}

std::string ObjectImport(const Scope& in, const ObjectType& object, bool input) {
  return ImportOf(in, *object.package, object.token, input ? "from ._inputs import *" : "from . import outputs",
                  input ? "_inputs as _root_inputs" : "outputs as _root_outputs", true);
}

std::string ResourceImport(const Scope& in, const Type& type) {
  const std::string path = in.modules.PathOf(type.token);
  const bool own = in.IsOwn(type.resource->package);
  if (!own || (path != in.module.path && !path.empty())) {
    return ImportOf(in, *type.resource->package, type.token, "", "", true);
  }
  const auto found = in.modules.all().find(path);
  const Module& module = found == in.modules.all().end() ? in.module : found->second;
  return (path == in.module.path ? "from ." : FromRoot(in)) + ResourceFileName(in.options, module, *type.resource) +
         " import " + ClassName(type.token);
}

}  // namespace

void Scope::Collect(const Properties& properties, bool input, const Resource* self, Imports* imports) const {
  VisitTypes(properties, [&](const Type& type) {
    if (type.object && !type.object->token.empty()) imports->insert(ObjectImport(*this, *type.object, input));
    if (type.enumeration) {
      const schema::EnumType& enumeration = *type.enumeration;
      imports->insert(ImportOf(*this, *enumeration.package, enumeration.token, "from ._enums import *",
                               "_enums as _root_enums", false));
    }
    if (type.resource && type.resource != self) imports->insert(ResourceImport(*this, type));
    return true;
  });
}

void Scope::CollectAdmitted(const Properties& inputs, Imports* imports) const {
  VisitTypes(inputs, [&](const Type& type) {
    const bool named = type.object && !type.object->token.empty();
    if (named && AdmitsOutput(*type.object)) imports->insert(ObjectImport(*this, *type.object, /*input=*/false));
    return true;
  });
}

std::string Scope::UtilitiesImport() const { return FromRoot(*this) + " import _utilities\n"; }

std::string Scope::Header(const Imports& imports) const {
  std::string text =
      FileHead() +
      "\nimport builtins as _builtins\nimport sys\nimport warnings\nimport pulumi\nimport pulumi.runtime\n"
      "from typing import Any, Awaitable, Literal, Mapping, Optional, Sequence, Union, overload\n";
  if (options.typed_dicts()) {
    text +=
        "if sys.version_info >= (3, 11):\n    from typing import NotRequired, TypedDict, TypeAlias\n"
        "else:\n    from typing_extensions import NotRequired, TypedDict, TypeAlias\n";
  }
  text += UtilitiesImport();
  for (const std::string& line : imports) text += line + "\n";
  return text + "\n";
}

}  // namespace kingpost::sdkgen::python
