// SPDX-License-Identifier: Apache-2.0
// The Node.js SDK of a package, in TypeScript, piece by piece (languages/sdkgen/sdk.h). One generator writes one SDK.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "languages/sdkgen/modules.h"
#include "languages/sdkgen/sdk.h"

namespace kingpost::sdkgen {

// The options that the schema has for Node.js.
struct NodeOptions {
  std::string package_name, description, readme, compatibility, typescript_version;
  std::map<std::string, std::string> dependencies, dev_dependencies, peer_dependencies, resolutions;
  std::map<std::string, std::string> module_names, provider_modules;
  std::vector<std::string> extra_files;
  bool lift_single_results = false, respect_version = false, no_output_unions = false;

  static NodeOptions Of(const schema::Package& package);
  bool plain_names() const { return compatibility == "tfbridge20" || compatibility == "kubernetes20"; }
};

// A type as TypeScript has it: alternatives, of which there is mostly one.
class NodeType {
 public:
  NodeType(std::string text) : alternatives_({std::move(text)}) {}  // NOLINT: implicit by design
  static NodeType AnyOf(const std::vector<NodeType>& types);

  std::string text() const;
  std::string within() const;  // in parentheses if there are several
  NodeType OrUndefined() const { return AnyOf({*this, NodeType("undefined")}); }

 private:
  NodeType() = default;
  std::vector<std::string> alternatives_;
};

// The imports of a file.
struct NodeImports {
  bool nested = false;                                   // inputs, outputs, enums
  std::set<std::string> lines;                           // of other packages
  std::map<std::string, std::set<std::string>> classes;  // by module
};

// The names of a file that index.ts exports.
struct NodeExport {
  std::string path;  // "./bucket"
  std::string class_name;
  std::vector<std::string> interfaces, functions;
  bool has_namespace = false;
};

class NodeGenerator {
 public:
  NodeGenerator(const schema::Package& package, const SdkOptions& options);
  Result<Files> Run();

 private:
  // node_names.cc
  std::string ModulePath(const std::string& token) const;
  std::string TypeModule(const schema::Package& package, const std::string& token) const;  // "nested.er."
  std::string ObjectName(const ShapedObject& object, bool input) const;
  std::string ObjectRef(const ShapedObject& object, bool input) const;
  std::string EnumRef(const schema::EnumType& enumeration) const;
  std::string ResourceRef(const schema::Type& type) const;
  std::string FileName(const Module& in, const std::string& name) const;
  bool IsOwn(const schema::Package* package) const { return package == &package_; }
  bool HasNestedTypes() const;
  bool HasEnums() const { return !package_.enums.empty(); }

  // node_types.cc
  NodeType TypeOf(const schema::Type& type, bool takes_outputs, bool input, const schema::Constant* constant) const;
  NodeType BareType(const schema::Type& type, bool takes_outputs, bool input, bool in_input,
                    const schema::Constant* constant) const;
  // As it is read, or given: with "undefined" where it may be missing.
  std::string PropertyType(const schema::Property& property, bool takes_outputs, bool input) const;

  // node_imports.cc
  void Collect(const Module& in, const schema::Type& type, const schema::Resource* self, NodeImports* imports,
               std::set<const schema::ObjectType*>* seen) const;
  void CollectAll(const Module& in, const schema::Properties& properties, const schema::Resource* self,
                  NodeImports* imports) const;
  std::string Header(const Module& in, const NodeImports& imports, bool with_sdk, bool with_utilities) const;

  // node_objects.cc
  std::string Interface(const std::string& name, const std::string& comment, const schema::Properties& properties,
                        bool takes_outputs, bool input, bool readonly, int depth) const;
  std::string DefaultsFunction(const std::string& name, const schema::Properties& properties, bool takes_outputs,
                               bool input, int depth) const;
  std::string DefaultsFunctionFor(const schema::Type& type, bool takes_outputs, bool input) const;  // "" if none
  std::string WithDefaults(const schema::Property& property, const std::string& value, bool lifted) const;
  std::string ObjectFile(bool input) const;
  std::string Namespace(const std::vector<ShapedObject>& objects, const std::string& path, bool input, int depth) const;
  std::string EnumFile(const Module& module) const;
  std::string Comment(const std::string& comment, const std::string& deprecation, const std::string& indent) const;

  // node_resource.cc, node_resource_init.cc
  std::string ResourceText(const Module& in, const schema::Resource& resource) const;
  std::string ClassIntro(const schema::Resource& resource) const;
  std::string ClassOutputs(const schema::Resource& resource) const;
  std::string Constructor(const schema::Resource& resource) const;
  std::string InputAssignments(const schema::Resource& resource) const;
  std::string OptionMerges(const schema::Resource& resource) const;
  NodeExport ExportOf(const schema::Resource& resource, const std::string& path) const;

  // node_methods.cc
  std::string MethodText(const schema::Resource& resource, const schema::Method& method) const;
  std::string MethodTypes(const schema::Resource& resource) const;

  // node_functions.cc
  std::string FunctionFile(const Module& in, const schema::Function& function) const;
  std::string FunctionText(const schema::Function& function, bool plain) const;
  std::string FunctionSignature(const schema::Function& function, bool plain) const;
  std::string FunctionCall(const schema::Function& function, bool plain) const;
  std::string FunctionInterfaces(const schema::Function& function, bool plain) const;
  std::string FunctionResult(const schema::Function& function) const;
  NodeExport ExportOf(const schema::Function& function, const std::string& path) const;

  // node_package.cc
  void AddModule(const Module& module);
  std::string IndexFile(const Module& module, std::vector<NodeExport> exports) const;
  std::string Registration(const Module& module) const;
  std::string ConfigFile(const Module& in) const;

  // node_metadata.cc
  std::string PackageFile() const;
  std::string CompilerFile() const;
  std::string UtilitiesFile() const;
  std::string Version() const;

  const schema::Package& package_;
  const SdkOptions& options_;
  const NodeOptions node_;
  Modules modules_;
  Files files_;
};

// "httpserver" of "HTTPServer", "getShape" of "GetShape": how files and functions are called.
std::string NodeCamel(const std::string& name);
// A legal identifier, as near to the name as can be.
std::string NodeIdentifier(const std::string& name);
std::string NodeClassName(const std::string& token);
std::string NodeFunctionName(const schema::Function& function);
std::string NodeConstant(const schema::Constant& value);
std::string NodeDefault(const schema::DefaultValue& value, const schema::Type& type);
bool IsNodeText(const schema::Type& type);
// The name that other packages are imported by: "pulumiAws".
std::string NodeAlias(const std::string& package);
// "a" of "a", "b/c" of "a/b/c": how a module calls its children.
std::string NodeChild(const std::string& path);
extern const char kNodeUtilities[];
extern const char kNodePostInstall[];

}  // namespace kingpost::sdkgen
