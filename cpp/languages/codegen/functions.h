// SPDX-License-Identifier: Apache-2.0
// The writers' common data of a program: its calls, its imports, and the order of its parts. Any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "languages/codegen/packages.h"

namespace kingpost::codegen {

// A call of a provider's function. The options have names as TypeScript has them.
struct Invocation {
  std::string token;
  std::vector<NamedExpression> arguments, options;
};
Invocation InvocationOf(const Call& call);

// The name of a function in programs in YAML.
std::string NameInYaml(const std::string& function);

// Whether it calls functions of the language.
bool CallsFunctions(const Program& program);

// The SDKs that it needs for its resources and the functions of providers: package -> what is imported.
std::map<std::string, std::string> ImportsOf(const Program& program,
                                             SdkName (*sdk)(const std::string& token, const Packages& packages));

// The keys of resources that stand for other stacks.
std::set<std::string> StackReferencesIn(const Program& program);

// The declarations in their order: a resource, or a variable.
struct Statement {
  const Resource* resource = nullptr;
  const NamedExpression* variable = nullptr;
};
std::vector<Statement> StatementsOf(const Program& program);

// "aws", "region" of "aws:region"; "" and the name of one of the project's own.
struct SettingName {
  std::string space, name;
};
SettingName SplitSetting(const std::string& name);

}  // namespace kingpost::codegen
