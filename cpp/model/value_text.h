// SPDX-License-Identifier: Apache-2.0
// A value as people read it in a message: {a}, [1 2], {map...}. Secrets are "[secret]", unless the user asked to see
// them.
#pragma once

#include <string>

#include "model/value.h"

namespace kingpost {

// The reference's form: strings as {text}, objects as {map[key:{value}]}, arrays as {[...]}, null as {<nil>},
// what is not known as output<string>{}, secrets in clear as {&{{text}}}.
std::string ValueText(const Value& value, bool show_secrets = false);

}  // namespace kingpost
