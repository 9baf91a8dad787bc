// SPDX-License-Identifier: Apache-2.0
// Whether resources have the properties that their schemas know, and values the types that these ask for. Any thread.
#pragma once

#include "languages/yaml/package_index.h"

namespace kingpost::yaml {

void CheckTypes(const Body& body, const PackageIndex& book, Diagnostics* diagnostics);

}  // namespace kingpost::yaml
