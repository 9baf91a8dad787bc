// SPDX-License-Identifier: Apache-2.0
// Unguessable bytes from the system's source: for keys and salts, and for names that must not meet. Any thread.
#pragma once

#include <string>

namespace kingpost {

std::string RandomBytes(size_t count);

}  // namespace kingpost
