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

struct Order {
  std::vector<Step> steps;
  std::vector<std::vector<size_t>> outputs;  // for each, the steps that it needs
};

// The names that an expression says.
void CollectNames(const pcl::Expression& expression, std::vector<Text>* names);
// All that a resource says, its options among them.
void CollectNames(const ResourceDecl& resource, std::vector<Text>* names);

// `settings`: the names that the configuration gives, without the project's namespace. Reports names that are used
// twice or not declared, and circles.
Order OrderOf(const Body& body, const std::set<std::string>& settings, const std::string& project,
              Diagnostics* diagnostics);

// The resource that is the provider of a package, unless another one is named; null if there is none.
const ResourceDecl* DefaultProviderOf(const Body& body, const std::string& package);

}  // namespace kingpost::yaml
