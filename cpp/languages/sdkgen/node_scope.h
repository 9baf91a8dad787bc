// SPDX-License-Identifier: Apache-2.0
// The Node.js SDK of a package, in TypeScript, piece by piece (languages/sdkgen/sdk.h): what its files have in common,
// and the functions that write them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "languages/codegen/names.h"
#include "languages/sdkgen/docs.h"
#include "languages/sdkgen/modules.h"
#include "languages/sdkgen/options.h"
#include "languages/sdkgen/sdk.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen::node {

using codegen::UpperFirst;

// How a type is used where it is spelled.
struct Use {
  bool takes_outputs = false, input = false;
  const schema::Constant* constant = nullptr;  // the only value
};
inline constexpr Use kInput{.takes_outputs = true, .input = true};

// A type as TypeScript has it.
struct TypeText {
  std::string text;
  bool has_alternatives = false;  // "a | b"
};

// The imports of a file.
struct Imports {
  bool nested = false;                                   // inputs, outputs, enums
  std::set<std::string> lines;                           // of other packages
  std::map<std::string, std::set<std::string>> classes;  // by module
};

// The names of a file that index.ts exports.
struct Export {
  std::string path;  // "./bucket"
  std::string class_name = {};
  std::vector<std::string> interfaces = {}, functions = {};
  bool has_namespace = false;
};

// A package as the files of its SDK see it: what names, types and imports are spelled like there.
struct Scope {
  const schema::Package& package;
  const NodeOptions& options;
  const Modules& modules;

  // node_names.cc
  std::string TypeModule(const schema::Package& owner, const std::string& token) const;  // "nested.er."
  std::string ObjectName(const ShapedObject& object, bool input) const;
  std::string ObjectRef(const ShapedObject& object, bool input) const;
  std::string EnumRef(const schema::EnumType& enumeration) const;
  std::string ResourceRef(const Type& type) const;
  bool IsOwn(const schema::Package* other) const { return other == &package; }
  bool HasEnums() const { return !package.enums.empty(); }
  // The imports that the properties need; not that of `self`, in whose file they are.
  void Collect(const Module& in, const Properties& properties, const Resource* self, Imports* imports) const;
  std::string Header(const Module& in, const Imports& imports, bool with_sdk = true, bool with_utilities = true) const;

  // node_types.cc
  TypeText TypeOf(const Type& type, const Use& use = {}) const;
  TypeText BareType(const Type& type, const Use& use, bool in_input) const;
  // As it is read, or given: with "undefined" where it may be missing.
  std::string PropertyType(const Property& property, Use use) const;
  std::string DefaultsFunctionFor(const Type& type, bool takes_outputs, bool input) const;  // "" if none
};

// node_names.cc
std::string ModulePath(const schema::Package& package, const NodeOptions& options, const std::string& token);
// "httpserver" of "HTTPServer", "getShape" of "GetShape": how files and functions are called.
std::string Camel(const std::string& name);
// A legal identifier, as near to the name as can be.
std::string Identifier(const std::string& name);
std::string ClassName(const std::string& token);
std::string FunctionName(const Function& function);
std::string FileName(const Module& in, const std::string& name);

// node_types.cc
std::string ConstantOf(const schema::Constant& value);
std::string DefaultOf(const schema::DefaultValue& value, const Type& type);
// "inputs.nested.endpointArgsProvideDefaults" of "inputs.nested.EndpointArgs".
std::string DefaultsName(const std::string& type);
// A value that is there, and one that may be an output, with the defaults that the function fills in.
std::string FilledIn(const std::string& function, const std::string& value);
std::string FilledInLater(const std::string& function, const std::string& value, bool required);

// node_objects.cc
std::string ObjectFile(const Scope& in, bool input);
std::string EnumFile(const Module& module);
std::string Interface(const Scope& in, const std::string& name, const std::string& comment,
                      const Properties& properties, const Use& use, bool readonly = false,
                      const std::string& indent = "");
// "*/" as a comment may have it.
inline std::string InComment(const std::string& text) { return Replaced(text, "*/", "*&#47;"); }
std::string Comment(const std::string& comment, const std::string& deprecation, const std::string& indent);

// node_resource.cc, node_functions.cc
std::string ResourceFile(const Scope& in, const Module& module, const Resource& resource);
Export ExportOf(const Scope& in, const Resource& resource, const std::string& path);
std::string FunctionFile(const Scope& in, const Module& module, const Function& function);
Export ExportOf(const Function& function, const std::string& path);

// node_metadata.cc: the files for npm and the compiler, and utilities.ts
std::string PackageFile(const Scope& in, bool local);
std::string CompilerFile(const NodeOptions& options, const Files& files);
std::string UtilitiesFile(const schema::Package& package);

}  // namespace kingpost::sdkgen::node
