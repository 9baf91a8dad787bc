// SPDX-License-Identifier: Apache-2.0
// The program's values of the configuration: each by its declared type, else by the look of its text, and defaults. Any
// thread.
#pragma once

#include <map>
#include <string>

#include "kingpost/monitor.h"
#include "languages/pcl/evaluator.h"
#include "languages/yaml/program_decl.h"

namespace kingpost::yaml {

// A text of the configuration as a value: 12, true, {"a": 1}; "012" is a text.
Value GuessValue(const std::string& text);

// The values by name, without the project's namespace; secrets are marked. A type that `body` declares decides how a
// text is read: "1048576" of a string stays a text.
std::map<std::string, pcl::Datum> SettingsOf(const Body& body, const DeploymentInfo& info);

// Adds what `body` declares to the scope, beside `settings`, or tells why that cannot be. Defaults are evaluated.
void AddDeclared(const Body& body, const DeploymentInfo& info, const std::map<std::string, pcl::Datum>& settings,
                 pcl::Evaluator* evaluator, pcl::Scope* scope, Diagnostics* diagnostics);

// "string", "list<integer>"; also the words of a project's file: "array" (of whatever), "bool", "int".
bool IsConfigType(const std::string& type);

}  // namespace kingpost::yaml
