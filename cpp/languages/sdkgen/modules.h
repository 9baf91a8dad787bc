// SPDX-License-Identifier: Apache-2.0
// The modules of a package: which members each has, and what its types are used for. Both languages divide a package
// so; how modules are called is the language's. Any thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "languages/schema/package.h"

namespace kingpost::sdkgen {

using schema::Function, schema::Method, schema::ObjectType, schema::Properties, schema::Property, schema::Resource;
using schema::NameOfToken, schema::Type;

// An object type as it stands among inputs that take outputs ("Args"), or plainly.
struct ShapedObject {
  const ObjectType* object = nullptr;
  bool takes_outputs = false;
  friend auto operator<=>(const ShapedObject&, const ShapedObject&) = default;
};

// The uses of an object type.
struct Uses {
  bool input = false, output = false, resource_output = false, function = false;
};

struct Module {
  std::string path;  // "", "s3", "apps/v1"
  std::vector<Module*> children;
  std::vector<const Resource*> resources;
  std::vector<const Function*> functions;
  std::vector<ShapedObject> objects;
  std::vector<const schema::EnumType*> enums;
  bool config = false;
  std::vector<std::string> extra_files;  // written by hand: "more" of "s3/more.py"

  bool IsEmpty() const;
};

class Modules {
 public:
  // `path_of` says in which module a token of the package is.
  Modules(const schema::Package& package, std::function<std::string(const std::string& token)> path_of)
      : package_(package), path_of_(std::move(path_of)) {}

  Module* Get(const std::string& path);  // made with its parents if it is new
  const std::map<std::string, Module>& all() const { return modules_; }
  std::string PathOf(const std::string& token) const { return path_of_(token); }
  Uses UsesOf(const ShapedObject& object) const;

  // Puts resources, functions and types where they belong. Together: nested types are all in the root, and what
  // functions take is also known in the form that takes outputs (that of methods always is). `with_config`: the
  // configuration is a module.
  enum class NestedTypes { kInTheirModules, kTogether };
  void Fill(NestedTypes nested_types, bool with_config);
  void AddExtraFile(const std::string& path);

 private:
  void Use(const Properties& properties, bool takes_outputs, void (*mark)(Uses*));
  void AddResource(const Resource& resource);
  void AddFunction(const Function& function, bool takes_outputs);

  const schema::Package& package_;
  const std::function<std::string(const std::string&)> path_of_;
  std::map<std::string, Module> modules_;
  std::map<ShapedObject, Uses> uses_;
};

bool AllOptional(const Properties& properties);
// The names of outputs that are secrets.
std::vector<std::string> SecretOutputs(const Resource& resource);
// The arguments of a method beside its resource.
Properties WithoutSelf(Properties arguments);
// The result of a function as the property "res"; none if it answers nothing.
Properties WholeAnswerOf(const Function& function);
// Its properties, if it is an object.
Properties AnswersOf(const Function& function);

// Visits the types of the properties and, below each for which `visit` says true, all that it holds; each once.
void VisitTypes(const Properties& properties, const std::function<bool(const Type&)>& visit);

}  // namespace kingpost::sdkgen
