// SPDX-License-Identifier: Apache-2.0
// The Python SDK of a package, piece by piece (languages/sdkgen/sdk.h). One generator writes one SDK.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "languages/sdkgen/modules.h"
#include "languages/sdkgen/sdk.h"

namespace kingpost::sdkgen {

// The options that the schema has for Python.
struct PythonOptions {
  std::string package_name, python_requires, readme, compatibility, input_types;
  std::map<std::string, std::string> requires_, module_names;
  bool lift_single_results = false, respect_version = false, pyproject = false;

  static PythonOptions Of(const schema::Package& package);
  bool typed_dicts() const { return input_types != "classes"; }
  // Names of types do not tell whether they take outputs.
  bool plain_names() const { return compatibility == "tfbridge20" || compatibility == "kubernetes20"; }
};

// How a type is used where it is spelled.
struct PythonUse {
  bool takes_outputs = false;                  // inputs of resources
  bool input = false;                          // of a resource, a function or a nested type
  bool accepts_mapping = false;                // a dict will do for a class
  bool dict = false;                           // in a TypedDict
  const schema::Constant* constant = nullptr;  // the only value
};

class PythonGenerator {
 public:
  PythonGenerator(const schema::Package& package, const SdkOptions& options);
  Result<Files> Run();

 private:
  using Imports = std::set<std::string>;

  // python_names.cc
  std::string ModulePath(const std::string& token) const;
  std::string ObjectName(const ShapedObject& object, bool input) const;
  std::string ObjectRef(const Module& in, const ShapedObject& object, bool input, bool dict) const;
  std::string EnumRef(const Module& in, const schema::EnumType& enumeration) const;
  std::string ResourceRef(const Module& in, const schema::Type& type) const;
  std::string ResourceFile(const Module& in, const schema::Resource& resource) const;
  std::string FileName(const Module& in, const std::string& name) const;
  std::string ImportName(const Module& module) const;      // "v1" of "apps/v1"
  std::string FullImportName(const Module& module) const;  // "pulumi_aws.apps.v1"
  std::string ArgsName(const Module& in, const schema::Resource& resource) const;
  bool IsOwn(const schema::Package* package) const { return package == &package_; }

  // python_types.cc
  std::string TypeText(const Module& in, const schema::Type& type, const PythonUse& use) const;
  std::string PropertyText(const Module& in, const schema::Property& property, bool optional, PythonUse use) const;
  std::string BareText(const Module& in, const schema::Type& type, const PythonUse& use, bool in_input) const;
  std::string UnionText(const Module& in, const schema::Type& type, const PythonUse& use, bool in_input) const;
  bool AdmitsOutput(const schema::ObjectType& object) const;
  std::string ObjectText(const Module& in, const schema::Type& type, const PythonUse& use) const;
  std::string RuntimeType(const Module& in, const schema::Type& type) const;

  // python_imports.cc
  void Collect(const Module& in, const schema::Properties& properties, bool input, const schema::Resource* self,
               Imports* imports) const;
  void CollectAdmitted(const Module& in, const schema::Properties& inputs, Imports* imports) const;
  std::string ObjectImport(const Module& in, const schema::ObjectType& object, bool input) const;
  std::string EnumImport(const Module& in, const schema::EnumType& enumeration) const;
  std::string ResourceImport(const Module& in, const schema::Type& type) const;
  std::string Header(const Module& in, const Imports& imports) const;
  std::string UtilitiesImport(const Module& in) const;

  // python_docs.cc
  std::string Doc(const std::string& comment) const;
  std::string ParamDoc(const Module& in, const std::string& name, const schema::Property& property, bool mapping,
                       bool takes_outputs) const;

  // python_objects.cc
  std::string ObjectFile(const Module& in, bool input) const;
  std::string InputClass(const Module& in, const std::string& name, const std::string& comment,
                         const schema::Properties& properties, bool takes_outputs) const;
  std::string OutputClass(const Module& in, const std::string& name, const schema::ObjectType& object) const;
  std::string ClassBody(const Module& in, const std::string& comment, const schema::Properties& properties, bool input,
                        bool takes_outputs) const;
  std::string TypedDict(const Module& in, const std::string& name, const std::string& comment,
                        const schema::Properties& properties, bool takes_outputs) const;
  std::string KeyWarning(const std::string& name, const schema::Properties& properties) const;
  std::string EnumFile(const Module& in) const;

  // python_members.cc
  std::string Getters(const Module& in, const schema::Properties& properties, const std::string& indent,
                      const std::string& prefix, bool setters, const PythonUse& use) const;
  std::string ResultInit(const Module& in, const schema::Properties& properties, const std::string& indent) const;

  // python_resource.cc, python_resource_init.cc
  std::string ResourceFileText(const Module& in, const schema::Resource& resource) const;
  std::string InitSignature(const Module& in, const schema::Resource& resource, const std::string& name) const;
  std::string InitOverloads(const Module& in, const schema::Resource& resource) const;
  std::string InternalInit(const Module& in, const schema::Resource& resource) const;
  std::string InputAssignments(const schema::Resource& resource) const;
  std::string OptionMerges(const schema::Resource& resource) const;
  std::string InitDoc(const Module& in, const schema::Resource& resource, bool with_args_class) const;
  std::string GetMethod(const Module& in, const schema::Resource& resource) const;
  std::string ExistsMethod(const Module& in, const schema::Resource& resource) const;

  // python_functions.cc, python_methods.cc
  std::string FunctionFile(const Module& in, const schema::Function& function) const;
  std::string FunctionText(const Module& in, const schema::Function& function, bool plain) const;
  std::string AwaitableClass(const Module& in, const schema::Function& function) const;
  std::string FunctionDoc(const Module& in, const schema::Function& function) const;
  std::string MethodText(const Module& in, const schema::Resource& resource, const schema::Method& method) const;
  std::string MethodResult(const Module& in, const schema::Method& method) const;

  // python_config.cc
  std::string ConfigFile(const Module& in) const;
  std::string ConfigStubs(const Module& in) const;

  // python_package.cc
  Status AddModule(const Module& module);
  std::string InitFile(const Module& module, std::vector<std::string> exports) const;
  std::string Registration() const;
  std::string PluginFile() const;
  std::string SetupFile() const;
  std::string ProjectFile() const;
  std::vector<std::string> Requirements() const;
  std::string PypiVersion() const;
  std::string UtilitiesFile() const;

  const schema::Package& package_;
  const SdkOptions& options_;
  const PythonOptions python_;
  const std::string sdk_name_;  // "pulumi_aws"
  Modules modules_;
  Files files_;
};

// "pulumi_random"
std::string PythonPackageName(const std::string& name_space, const std::string& name);
// Also where a class is given arguments: not "resource_name" and "opts".
std::string PythonParameter(const std::string& name);
std::string PythonClassName(const std::string& token);
std::string PythonConstant(const schema::Constant& value);
// get_env("A") or 1
std::string PythonDefault(const schema::DefaultValue& value, const schema::Type& type);
// Required ones first, by name.
schema::Properties RequiredFirst(schema::Properties properties);
bool IsTextType(const schema::Type& type);
// A docstring of the lines, or nothing.
std::string Docstring(const std::string& text, const std::string& indent);
// """text""" of a message.
std::string LongText(const std::string& text);
// 1.0.0-alpha.1 -> 1.0.0a1
std::string PypiVersionOf(const std::string& version);
extern const char kPythonUtilities[];

}  // namespace kingpost::sdkgen
