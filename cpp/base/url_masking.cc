// SPDX-License-Identifier: Apache-2.0
#include "base/url_masking.h"

#include <algorithm>

namespace kingpost {

namespace {

constexpr std::string_view kMask = "****";

// Where the host begins in what follows "://".
size_t HostBegin(std::string_view rest) {
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const size_t near = authority.rfind('@');
  if (near != rest.npos) return near + 1;
  // "user:12/34@host" and "host:12/a@b" look alike: better too much than too little.
  const size_t far = rest.rfind('@');
  return far == rest.npos || authority.find(':') == rest.npos ? 0 : far + 1;
}

}  // namespace

std::string MaskUrls(std::string_view text) {
  std::string masked;
  for (;;) {
    const size_t scheme = text.find("://");
    if (scheme == text.npos) return masked.append(text);
    masked.append(text.substr(0, scheme + 3));
    text.remove_prefix(scheme + 3);
    std::string_view rest = text.substr(0, text.find_first_of(" \t\r\n\"'<>"));
    text.remove_prefix(rest.size());
    if (const size_t host = HostBegin(rest); host > 0) {
      masked.append(kMask).append(":").append(kMask).append("@");
      rest.remove_prefix(host);
    }
    const size_t query = std::min(rest.find('?'), rest.size());
    masked.append(rest.substr(0, query));
    if (query < rest.size()) masked.append("?").append(kMask);
  }
}

}  // namespace kingpost
