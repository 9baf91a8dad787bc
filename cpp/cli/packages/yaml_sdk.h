// SPDX-License-Identifier: Apache-2.0
// What stands for an SDK in a program in YAML: a file that says which plugin serves the package, at which version and
// with which parameter. languages/yaml/packages.h reads it. Pure.
#pragma once

#include <string>
#include <utility>

#include "languages/schema/package.h"

namespace kingpost {

// The file's name and its text. A package that a parameter makes needs a version.
Result<std::pair<std::string, std::string>> YamlSdk(const schema::Package& package);

}  // namespace kingpost
