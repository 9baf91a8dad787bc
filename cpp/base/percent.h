// SPDX-License-Identifier: Apache-2.0
// Percent-encoding as RFC 3986 has it and signatures need it: all but letters, digits and -._~ is encoded, in upper
// case, unless a function says otherwise. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kingpost {

using Parameters = std::vector<std::pair<std::string, std::string>>;

// The characters in `kept` stay as well.
std::string PercentEncode(std::string_view text, std::string_view kept = "");
std::string PercentEncodePath(std::string_view path);  // "/" stays
// As Go's net/url writes the path of a URL: what a path may hold ($&+,/:;=@) stays as well.
std::string EscapeUrlPath(std::string_view path);
// Text that is no escape stays as it is. `plus_is_blank` as in queries.
std::string PercentDecode(std::string_view text, bool plus_is_blank = false);

std::string FormBody(const Parameters& fields);  // NAME=VALUE&...
Parameters SplitQuery(std::string_view query);   // decoded; of NAME alone the value is ""

}  // namespace kingpost
