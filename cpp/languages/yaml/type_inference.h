// SPDX-License-Identifier: Apache-2.0
// The types of expressions, by the schemas of what they name. What cannot be told is of any type. Any thread.
#pragma once

#include <map>
#include <set>
#include <string>

#include "languages/pcl/datum.h"
#include "languages/yaml/package_book.h"
#include "languages/yaml/types.h"

namespace kingpost::yaml {

class TypeInference {
 public:
  TypeInference(const Body& body, const PackageBook& book, Diagnostics* diagnostics);

  // Tells of properties that are not there. The same expression is complained of once.
  Type TypeOf(const pcl::ExpressionPtr& expression);

 private:
  Type Infer(const pcl::Expression& expression);
  Type OfVariable(const pcl::Variable& variable);
  Type OfAttribute(const Type& whole, const std::string& name, const std::string& path, pcl::Position at);
  Type OfIndex(const Type& whole, const Value& key, const std::string& path, pcl::Position at);
  Type OfCall(const pcl::Call& call, pcl::Position at);
  Type OfInvoke(const pcl::Call& call, pcl::Position at);

  const Body& body_;
  const PackageBook& book_;
  Diagnostics& diagnostics_;
  std::map<std::string, Type> names_;                    // as far as they are known
  std::map<std::string, pcl::ExpressionPtr> variables_;  // that are not in `names_` yet
  std::map<const pcl::Expression*, Type> types_;
};

// "bucket.tags[0]" of a path; "" of other expressions.
std::string SpelledPath(const pcl::Expression& expression);

}  // namespace kingpost::yaml
