// SPDX-License-Identifier: Apache-2.0
// The differences of YAML programs from snippets, for the one evaluator. Any thread.
#pragma once

#include "languages/pcl/evaluator.h"

namespace kingpost::yaml {

pcl::Dialect YamlDialect();

// A value in a text: 1000000, [a b], map[a:1], <nil>, as Go writes all but numbers; nullopt for a resource, an asset or
// an archive.
std::optional<std::string> TextInTemplate(const Value& value);

}  // namespace kingpost::yaml
