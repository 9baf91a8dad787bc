// SPDX-License-Identifier: Apache-2.0
// What the writers share about functions: which arguments have to be waited for, and what the functions of providers
// are called. Any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "languages/codegen/deferred_values.h"

namespace kingpost::codegen {

// The places of those arguments that are, or hold, what is known later.
std::vector<size_t> DeferredArguments(const CallOf& call, const DeferredValues& deferred);

// "getAmi" of "aws:ec2/getAmi:getAmi".
std::string FunctionNameOf(const std::string& token);

// All calls of providers' functions in a program, for what it has to import.
std::vector<std::string> InvokedTokens(const Program& program);
// Whether it calls functions of the language.
bool CallsFunctions(const Program& program);

inline constexpr char kStackReferenceToken[] = "pulumi:pulumi:StackReference";
// The keys of resources that stand for other stacks.
std::set<std::string> StackReferencesIn(const Program& program);

// The declarations in their order: a resource, or a variable.
struct Statement {
  const Resource* resource = nullptr;
  const Variable* variable = nullptr;
};
std::vector<Statement> StatementsOf(const Program& program);

// "aws", "region" of "aws:region"; "" and the name of one of the project's own.
struct SettingName {
  std::string space, name;
};
SettingName SplitSetting(const std::string& name);

}  // namespace kingpost::codegen
