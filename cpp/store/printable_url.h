// SPDX-License-Identifier: Apache-2.0
// URLs of backends as messages show them. Pure. Those of downloads have another one (remote/http/http_client.h).
#pragma once

#include <algorithm>
#include <string>

namespace kingpost {

// Without what stands before @, which may be a password, and without passwords among the parameters. A path may have an
// @ of its own; but that of a database has none, so there it ends a password that holds a "/".
inline std::string PrintableBackendUrl(const std::string& url) {
  const size_t scheme = url.find("://");
  if (scheme == url.npos) return url;
  const size_t begin = scheme + 3, query = std::min(url.find('?', begin), url.size());
  const size_t end = url.starts_with("postgres") ? query : std::min(url.find('/', begin), query);
  const size_t at = url.substr(0, end).rfind('@');
  std::string text = url.substr(0, begin);
  text += at == url.npos || at < begin ? url.substr(begin, query - begin) : "****:****" + url.substr(at, query - at);
  for (size_t part = query; part < url.size();) {
    const size_t next = std::min(url.find('&', part + 1), url.size());
    const size_t equals = std::min(url.find('=', part), next);
    const bool secret = url.substr(part, equals - part).find("password") != url.npos;
    text += secret ? url.substr(part, equals - part) + "=****" : url.substr(part, next - part);
    part = next;
  }
  return text;
}

}  // namespace kingpost
