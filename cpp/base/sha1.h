// SPDX-License-Identifier: Apache-2.0
// SHA-1 (FIPS 180-4), where a format or a language asks for it; not for anything that must withstand an attack.
#pragma once

#include <string>
#include <string_view>

namespace kingpost {

// Lower-case hex.
std::string Sha1Hex(std::string_view bytes);

}  // namespace kingpost
