// SPDX-License-Identifier: Apache-2.0
// The Python SDK of a package, piece by piece (languages/sdkgen/sdk.h): what the files of a module have in common, and
// the functions that write them.
#pragma once

#include <set>
#include <string>

#include "languages/codegen/names.h"
#include "languages/sdkgen/modules.h"
#include "languages/sdkgen/options.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen::python {

using codegen::PythonName, codegen::PythonParameter, codegen::UpperFirst;
using Imports = std::set<std::string>;

// How a type is used where it is spelled.
struct Use {
  bool takes_outputs = false;                  // inputs of resources
  bool input = false;                          // of a resource, a function or a nested type
  bool accepts_mapping = false;                // a dict will do for a class
  bool dict = false;                           // in a TypedDict
  const schema::Constant* constant = nullptr;  // the only value
};
inline constexpr Use kArgument{.takes_outputs = true, .input = true, .accepts_mapping = true};

// A module as its files see it: what names, types and imports are spelled like there.
struct Scope {
  const schema::Package& package;
  const PythonOptions& options;
  const Modules& modules;
  const Module& module;

  // python_names.cc
  std::string ObjectName(const ShapedObject& object, bool input) const;
  std::string ObjectRef(const ShapedObject& object, bool input, bool dict) const;
  std::string EnumRef(const schema::EnumType& enumeration) const;
  std::string ResourceRef(const Type& type) const;
  std::string ArgsName(const Resource& resource) const;
  bool IsOwn(const schema::Package* other) const { return other == &package; }
  // The last argument of what calls a parameterized plugin.
  std::string PackageReference(const std::string& before = ", ") const {
    return package.base ? before + "package_ref=_utilities.get_package()" : "";
  }
  // The imports that the properties need; not that of `self`, in whose file they are.
  void Collect(const Properties& properties, bool input, const Resource* self, Imports* imports) const;
  // The classes of outputs that the signature of a resource or function takes.
  void CollectAdmitted(const Properties& inputs, Imports* imports) const;
  std::string UtilitiesImport() const;
  std::string Header(const Imports& imports) const;

  // python_types.cc
  std::string TypeText(const Type& type, const Use& use) const;
  std::string BareText(const Type& type, const Use& use, bool in_input) const;
  std::string PropertyText(const Property& property, bool optional, Use use) const;
  std::string RuntimeType(const Type& type) const;
  bool AdmitsOutput(const ObjectType& object) const;
  std::string Doc(const std::string& comment) const;
  std::string ParamDoc(const std::string& name, const Property& property, bool mapping, bool takes_outputs) const;
};

// python_names.cc
std::string ModulePath(const schema::Package& package, const PythonOptions& options, const std::string& token);
std::string ImportName(const Module& module);                                    // "v1" of "apps/v1"
std::string FullImportName(const PythonOptions& options, const Module& module);  // "pulumi_aws.apps.v1"
std::string ClassName(const std::string& token);
std::string FileName(const Module& in, const std::string& name);
std::string ResourceFileName(const PythonOptions& options, const Module& in, const Resource& resource);
// Required ones first, by name.
Properties RequiredFirst(Properties properties);

// python_types.cc
std::string BuiltinName(Type::Kind kind);   // "str"; "" of what is no builtin type
std::string ReaderSuffix(Type::Kind kind);  // "_bool" of get_env_bool; "" of what is read as it is
std::string ConstantOf(const schema::Constant& value);
// get_env("A") or 1
std::string DefaultOf(const schema::DefaultValue& value, const Type& type);
// A docstring of the lines, or nothing.
std::string Docstring(const std::string& text, const std::string& indent);
// """text""" of a message.
std::string LongText(const std::string& text);

// python_objects.cc
std::string ObjectFile(const Scope& in, bool input);
std::string EnumFile(const Scope& in);
std::string InputClass(const Scope& in, const std::string& name, const std::string& comment,
                       const Properties& properties, bool takes_outputs);
// Properties of a class; those of inputs can be set. `around` is put around their types: "pulumi.Output".
std::string Getters(const Scope& in, const Properties& properties, const std::string& indent,
                    const std::string& around = "", const Use& use = {});
std::string ResultInit(const Scope& in, const Properties& properties, const std::string& indent);

// python_resource.cc, python_functions.cc
std::string ResourceFile(const Scope& in, const Resource& resource);
std::string FunctionFile(const Scope& in, const Function& function);

// python_metadata.cc: the files for pip, and what is at the end of _utilities.py
std::string PluginFile(const schema::Package& package, const PythonOptions& options);
std::string SetupFile(const schema::Package& package, const PythonOptions& options);
std::string ProjectFile(const schema::Package& package, const PythonOptions& options);
std::string UtilitiesFile(const schema::Package& package);
// The beginning of each file.
inline std::string FileHead() { return "# coding=utf-8\n" + GeneratedNote("#"); }

}  // namespace kingpost::sdkgen::python
