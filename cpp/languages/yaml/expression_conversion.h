// SPDX-License-Identifier: Apache-2.0
// Expressions as they are to be written in another language: what their names stand for is told in the tree. What a
// path goes through decides how its steps are spelled: properties of a schema have another name in each language, keys
// of a map have not. What would be another value elsewhere is refused, by its name and place. Any thread.
#pragma once

#include <map>
#include <set>
#include <string>

#include "languages/codegen/program.h"
#include "languages/yaml/type_inference.h"

namespace kingpost::yaml {

class ExpressionConverter {
 public:
  // `settings`: what the names of the program's settings are called in the configuration.
  ExpressionConverter(const ProgramDecl& source, const PackageIndex& book, std::map<std::string, std::string> settings,
                      Diagnostics* diagnostics);

  // `to`: what the value is for, if a schema says so.
  pcl::ExpressionPtr Convert(const pcl::ExpressionPtr& expression, const Type& to = schema::AnyType());
  // Once, before what uses it.
  pcl::ExpressionPtr ConvertVariable(const NamedExpression& variable);
  // The same, where a resource may stand: options, and inputs that are resources.
  pcl::ExpressionPtr ConvertResources(const pcl::ExpressionPtr& expression, const Type& to = schema::AnyType());
  std::vector<NamedExpression> ConvertInputs(const std::vector<NamedExpression>& list,
                                             const schema::Properties& properties);
  // Names of the configuration that the program uses, and does not declare.
  const std::set<std::string>& used_settings() const { return used_settings_; }
  // The functions of providers that the program calls.
  const std::map<std::string, codegen::FunctionShape>& functions() const { return functions_; }

 private:
  pcl::ExpressionPtr ConvertName(const std::string& name, pcl::Position at);
  pcl::ExpressionPtr ConvertStep(const pcl::PathStep& step, pcl::Position at);
  pcl::ExpressionPtr ConvertProperty(const ResourceDecl& resource, const std::string& name);
  pcl::ExpressionPtr ConvertText(const pcl::Template& text);
  pcl::ExpressionPtr ConvertParts(const pcl::Expression& whole, const Type& to);
  pcl::ExpressionPtr ConvertCall(const pcl::Call& call, pcl::Position at);
  pcl::ExpressionPtr ConvertLength(const pcl::ExpressionPtr& argument);
  pcl::ExpressionPtr ConvertResourceFact(const pcl::Call& call, pcl::Position at);
  pcl::ExpressionPtr ConvertInvoke(const pcl::Call& call, pcl::Position at);
  pcl::ObjectLiteral ConvertInvokeOptions(const pcl::Call& call, const std::string& token);
  pcl::ExpressionPtr Refuse(pcl::Position at, const std::string& what);
  const ResourceDecl* FindResource(const std::string& name) const;
  // Whether it is a text, and never missing: as it stands in another text.
  bool IsSurelyText(const pcl::Expression& converted, const pcl::ExpressionPtr& expression);

  const ProgramDecl& source_;
  const Body& body_;
  const PackageIndex& book_;
  const std::map<std::string, std::string> settings_;
  Diagnostics& diagnostics_;
  Diagnostics told_before_;  // of types: they are checked before
  TypeInference types_;
  std::set<std::string> used_settings_;
  std::map<std::string, codegen::FunctionShape> functions_;
  std::map<std::string, pcl::ExpressionPtr> variables_;
  bool resources_allowed_ = false;
};

}  // namespace kingpost::yaml
