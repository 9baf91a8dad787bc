// SPDX-License-Identifier: Apache-2.0
// The imports of a file of a Python SDK.
#include "languages/codegen/names.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

// The root of the package as one of its modules sees it: "." of "", ".." of "a", "..." of "a/b".
std::string RootImport(const std::string& path) {
  return path.empty() ? "." : std::string(Split(path, '/').size() + 1, '.');
}

std::string FirstOf(const std::string& path) { return path.substr(0, path.find('/')); }

std::string ForeignImport(const schema::Package& package) {
  return "import " + PythonPackageName(package.name_space, package.name);
}

}  // namespace

std::string PythonGenerator::UtilitiesImport(const Module& in) const {
  return "from " + RootImport(in.path) + " import _utilities";
}

std::string PythonGenerator::ObjectImport(const Module& in, const schema::ObjectType& object, bool input) const {
  if (!IsOwn(object.package)) return ForeignImport(*object.package);
  const std::string path = ModulePath(object.token);
  if (path == in.path) return input ? "from ._inputs import *" : "from . import outputs";
  if (path.empty()) {
    return "from " + RootImport(in.path) +
           (input ? " import _inputs as _root_inputs" : " import outputs as _root_outputs");
  }
  return "from " + RootImport(in.path) + " import " + FirstOf(path) + " as _" + FirstOf(path);
}

std::string PythonGenerator::EnumImport(const Module& in, const schema::EnumType& enumeration) const {
  if (!IsOwn(enumeration.package)) return ForeignImport(*enumeration.package);
  const std::string path = ModulePath(enumeration.token);
  if (path == in.path) return "from ._enums import *";
  if (path.empty()) return "from " + RootImport(in.path) + " import _enums as _root_enums";
  return "from " + RootImport(in.path) + " import " + FirstOf(path);
}

std::string PythonGenerator::ResourceImport(const Module& in, const schema::Type& type) const {
  const schema::Resource& resource = *type.resource;
  if (!IsOwn(resource.package)) return ForeignImport(*resource.package);
  const std::string path = ModulePath(type.token);
  if (path != in.path && !path.empty()) {
    return "from " + RootImport(in.path) + " import " + FirstOf(path) + " as _" + FirstOf(path);
  }
  const auto found = modules_.all().find(path);
  const Module& module = found == modules_.all().end() ? in : *found->second;
  const std::string folder = path == in.path ? "." : RootImport(in.path);
  return "from " + folder + ResourceFile(module, resource) + " import " + PythonClassName(type.token);
}

void PythonGenerator::Collect(const Module& in, const schema::Properties& properties, bool input,
                              const schema::Resource* self, Imports* imports) const {
  VisitTypes(properties, [&](const schema::Type& type) {
    if (type.object && !type.object->token.empty()) {
      imports->insert(ObjectImport(in, *type.object, input));
    }
    if (type.enumeration) imports->insert(EnumImport(in, *type.enumeration));
    if (type.resource && type.resource != self) imports->insert(ResourceImport(in, type));
  });
}

// The classes of outputs that the signature of a resource or function takes.
void PythonGenerator::CollectAdmitted(const Module& in, const schema::Properties& inputs, Imports* imports) const {
  VisitTypes(inputs, [&](const schema::Type& type) {
    const bool named = type.object && !type.object->token.empty();
    if (named && AdmitsOutput(*type.object)) imports->insert(ObjectImport(in, *type.object, /*input=*/false));
  });
}

std::string PythonGenerator::Header(const Module& in, const Imports& imports) const {
  std::string text = std::string("# coding=utf-8\n# ") + kGeneratedBy + "\n# " + kDoNotEdit + "\n\n";
  text += "import builtins as _builtins\nimport sys\nimport warnings\n";
  text += "import pulumi\nimport pulumi.runtime\n";
  text += "from typing import Any, Awaitable, Literal, Mapping, Optional, Sequence, Union, overload\n";
  if (python_.typed_dicts()) {
    text += "if sys.version_info >= (3, 11):\n    from typing import NotRequired, TypedDict, TypeAlias\n";
    text += "else:\n    from typing_extensions import NotRequired, TypedDict, TypeAlias\n";
  }
  text += UtilitiesImport(in) + "\n";
  for (const std::string& line : imports) text += line + "\n";
  return text + "\n";
}

}  // namespace kingpost::sdkgen
