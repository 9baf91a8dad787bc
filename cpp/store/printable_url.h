// SPDX-License-Identifier: Apache-2.0
// URLs as messages show them. Pure.
#pragma once

#include <string>

namespace kingpost {

// Without what stands before @, which may be a password.
inline std::string PrintableUrl(const std::string& url) {
  const size_t scheme = url.find("://");
  if (scheme == url.npos) return url;
  const size_t begin = scheme + 3;
  const size_t at = url.substr(0, url.find_first_of("/?", begin)).rfind('@');
  return at == url.npos || at < begin ? url : url.substr(0, begin) + "****:****" + url.substr(at);
}

}  // namespace kingpost
