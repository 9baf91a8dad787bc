// SPDX-License-Identifier: Apache-2.0
// In which order the parts of a program can be evaluated: each after those whose names it says. Any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "languages/yaml/program_decl.h"

namespace kingpost::yaml {

struct Step {
  enum class Kind { kVariable, kResource } kind = Kind::kVariable;
  size_t index = 0;           // in the body
  std::vector<size_t> needs;  // earlier steps
};

// All expressions of a resource, its options among them.
std::vector<pcl::ExpressionPtr> ExpressionsOf(const ResourceDecl& resource);
// The names that an expression says.
void CollectNames(const pcl::Expression& expression, std::vector<Text>* names);

// `settings`: the names that the configuration gives, without the project's namespace. Reports names that are used
// twice or not declared, and circles; without these, each step comes after those it needs.
std::vector<Step> OrderOf(const Body& body, const std::set<std::string>& settings, const std::string& project,
                          Diagnostics* diagnostics);

// The resource that is the provider of a package, unless another one is named; null if there is none.
const ResourceDecl* DefaultProviderOf(const Body& body, const std::string& package);
// That of a resource which names none.
const ResourceDecl* ImpliedProviderOf(const Body& body, const ResourceDecl& resource);

}  // namespace kingpost::yaml
