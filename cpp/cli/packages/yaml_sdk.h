// SPDX-License-Identifier: Apache-2.0
// The counterpart of an SDK for a program in YAML: a file with the plugin that serves the package, its version and
// its parameter. The reader is languages/yaml/packages.h. Pure.
#pragma once

#include <string>
#include <utility>

#include "languages/schema/package.h"

namespace kingpost {

// The file's name and its text. A package that a parameter makes needs a version.
Result<std::pair<std::string, std::string>> YamlSdk(const schema::Package& package);

}  // namespace kingpost
