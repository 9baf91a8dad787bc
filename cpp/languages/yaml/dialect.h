// SPDX-License-Identifier: Apache-2.0
// What YAML programs say otherwise than snippets, for the one evaluator. Any thread.
#pragma once

#include "languages/pcl/evaluator.h"

namespace kingpost::yaml {

pcl::Dialect YamlDialect();

// A value in a text: 1e+06, [a b], map[a:1], <nil>, as Go writes values; nullopt for a resource, an asset or an
// archive.
std::optional<std::string> TextInTemplate(const Value& value);

}  // namespace kingpost::yaml
