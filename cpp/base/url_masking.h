// SPDX-License-Identifier: Apache-2.0
// Texts that may hold URLs, as they may be shown: what a user sets is not always a URL that can be parsed. Pure.
#pragma once

#include <string>
#include <string_view>

namespace kingpost {

// Each URL in the text without user, password and query ("?****": it may hold a signature). A password may hold any of
// "/?#@": what stands before the last @ goes, unless it begins with a host that has no ":".
std::string MaskUrls(std::string_view text);

}  // namespace kingpost
