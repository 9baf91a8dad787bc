// SPDX-License-Identifier: Apache-2.0
// A value as people read it who know JSON: {"host": "example.com", "password": <secret>}.
#pragma once

#include <string>

#include "model/value.h"

namespace kingpost {

// Assets and archives as asset(text="..") and archive(assets={..}), what is not known as <unknown>. A secret is
// <secret>, unless it may be shown and this process can read it.
std::string PrintValue(const Value& value, bool show_secrets);

}  // namespace kingpost
