// SPDX-License-Identifier: Apache-2.0
// The types of expressions, by the schemas of what they name. What cannot be told is of any type. Any thread.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "languages/pcl/datum.h"
#include "languages/yaml/package_index.h"

namespace kingpost::yaml {

using schema::Type;

class TypeInference {
 public:
  TypeInference(const Body& body, const PackageIndex& book, Diagnostics* diagnostics);

  // Tells of properties that are not there. The same expression is complained of once.
  const Type& TypeOf(const pcl::ExpressionPtr& expression);

 private:
  const Type& Infer(const pcl::Expression& expression);
  const Type& OfConfig(const ConfigDecl& config);
  const Type& OfList(const pcl::TupleLiteral& list);
  const Type& OfObject(const pcl::ObjectLiteral& object);
  const Type& OfVariable(const pcl::Variable& variable);
  const Type& OfField(const Type& whole, const std::string& name, const std::string& path, pcl::Position at);
  const Type& OfStep(const pcl::PathStep& step, pcl::Position at);
  const Type& OfCall(const pcl::Call& call, pcl::Position at);
  const Type& OfInvoke(const pcl::Call& call, pcl::Position at);
  const Type& AddType(Type type);
  const Type& MadeObject(schema::Properties fields);

  const Body& body_;
  const PackageIndex& book_;
  Diagnostics& diagnostics_;
  std::vector<std::unique_ptr<Type>> made_;  // that no schema has
  std::vector<std::unique_ptr<schema::ObjectType>> objects_;
  std::map<std::string, const Type*> names_;  // of all but variables
  std::map<std::string, pcl::ExpressionPtr> variables_;
  std::map<const pcl::Expression*, const Type*> types_;
};

// The members that an expression may read of an object or a resource: its properties, and a resource's identity.
schema::Properties FieldsOf(const Type& type);
// "Existing properties are: ...", those first that are like the wrong one.
std::string NamesOf(const schema::Properties& fields, const std::string& wrong,
                    const std::string& none = "It has no properties");

// Whether resources have the properties that their schemas know, and values the types that these ask for. In
// type_check.cc.
void CheckTypes(const Body& body, const PackageIndex& book, Diagnostics* diagnostics);

}  // namespace kingpost::yaml
