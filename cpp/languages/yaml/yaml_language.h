// SPDX-License-Identifier: Apache-2.0
// Programs and plugins in YAML behind the seam of languages (kingpost/embedded_language.h). Any thread.
#pragma once

#include "kingpost/embedded_language.h"

namespace kingpost::yaml {

EmbeddedLanguages AsEmbeddedLanguages();

}  // namespace kingpost::yaml
