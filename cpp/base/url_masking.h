// SPDX-License-Identifier: Apache-2.0
// Texts that may hold URLs, as they may be shown: what a user sets is not always a URL that can be parsed. Pure.
#pragma once

#include <string>
#include <string_view>

namespace kingpost {

// URLs in it get "****:****" for user and password (up to the last @, unless a host without ":" begins) and "****" for
// parameters that may be secret. A password may hold "/?#@" and blanks. Masking what is masked changes nothing.
std::string MaskUrls(std::string_view text);

// A setting that is meant to be one URL. Without a scheme, all before its last @ is masked, too.
std::string MaskUrlSetting(std::string_view setting);

}  // namespace kingpost
