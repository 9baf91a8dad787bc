// SPDX-License-Identifier: Apache-2.0
// Runs YAML programs in this process (cpp/yaml). Loop thread.
#pragma once

#include "runtimes/language_host.h"

namespace kingpost {

LanguageHostPtr YamlHost(Loop& loop, LanguageHostOptions options);

}  // namespace kingpost
