// SPDX-License-Identifier: Apache-2.0
// The modules of a package: which members each has, and what its types are used for. Both languages divide a package
// so; how modules are called is the language's. Any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "languages/schema/package.h"

namespace kingpost::sdkgen {

// An object type as it stands among inputs that take outputs ("Args"), or plainly.
struct ShapedObject {
  const schema::ObjectType* object = nullptr;
  bool takes_outputs = false;
  friend auto operator<=>(const ShapedObject&, const ShapedObject&) = default;
};

// The uses of an object type.
struct Uses {
  bool input = false, output = false, resource_output = false, function = false;
};

struct Module {
  std::string path;  // "", "s3", "apps/v1"
  Module* parent = nullptr;
  std::vector<Module*> children;
  std::vector<const schema::Resource*> resources;
  std::vector<const schema::Function*> functions;
  std::vector<ShapedObject> objects;
  std::vector<const schema::EnumType*> enums;
  bool config = false;
  std::vector<std::string> extra_files;

  bool IsEmpty() const;
};

class Modules {
 public:
  // `path_of` says in which module a token of the package is.
  Modules(const schema::Package& package, std::function<std::string(const std::string& token)> path_of);

  const schema::Package& package() const { return package_; }
  Module* Get(const std::string& path);  // made with its parents if it is new
  const std::map<std::string, std::unique_ptr<Module>>& all() const { return modules_; }
  std::string PathOf(const std::string& token) const { return path_of_(token); }
  Uses UsesOf(const ShapedObject& object) const;

  // Puts resources, functions and types where they belong. Together: nested types are all in the root, and what
  // functions take is also known in the form that takes outputs (that of methods always is). `with_config`: the
  // configuration is a module.
  enum class NestedTypes { kInTheirModules, kTogether };
  void Fill(NestedTypes nested_types, bool with_config);
  void AddExtraFile(const std::string& path);

 private:
  void Use(const schema::Properties& properties, bool takes_outputs, void (*mark)(Uses*));
  void AddResource(const schema::Resource& resource);
  void AddFunction(const schema::Function& function, bool takes_outputs);

  const schema::Package& package_;
  const std::function<std::string(const std::string&)> path_of_;
  std::map<std::string, std::unique_ptr<Module>> modules_;
  std::map<ShapedObject, Uses> uses_;
};

bool AllOptional(const schema::Properties& properties);
// The arguments of a method beside its resource.
schema::Properties ArgumentsOfMethod(const schema::Function& function);
// The result of a function; a result that is no object is the property "res".
schema::Properties AnswersOf(const schema::Function& function);

// Visits the types of the properties and of all that they hold, each once.
using TypeVisitor = std::function<void(const schema::Type&)>;
void VisitTypes(const schema::Properties& properties, const TypeVisitor& visit);
void VisitTypes(const schema::Type& type, const TypeVisitor& visit);

}  // namespace kingpost::sdkgen
