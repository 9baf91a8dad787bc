// SPDX-License-Identifier: Apache-2.0
#include "base/url_masking.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace kingpost {

namespace {

constexpr std::string_view kMask = "****";
constexpr std::string_view kBlanks = " \t\r\n\"'<>";

// The parameters of backends and key services (docs/backends.md, docs/key-services.md), in lower case. `endpoint` is a
// URL itself.
constexpr std::string_view kHarmless[] = {"accelerate",
                                          "anonymous",
                                          "awssdk",
                                          "cdn",
                                          "connect_timeout",
                                          "disablehttps",
                                          "disable_https",
                                          "disablessl",
                                          "domain",
                                          "dualstack",
                                          "endpoint",
                                          "fips",
                                          "host",
                                          "hostname_immutable",
                                          "localemu",
                                          "port",
                                          "profile",
                                          "protocol",
                                          "rate_limiter_capacity",
                                          "region",
                                          "request_checksum_calculation",
                                          "response_checksum_validation",
                                          "s3forcepathstyle",
                                          "search_path",
                                          "sslmode",
                                          "ssetype",
                                          "storage_account",
                                          "table",
                                          "universe_domain",
                                          "use_path_style"};

bool IsHarmless(std::string_view name) {
  return std::find(std::begin(kHarmless), std::end(kHarmless), Lowered(std::string(name))) != std::end(kHarmless);
}

// "host:443" and "[::1]:443", but not "user:secret".
bool HasPortAtMost(std::string_view authority) {
  const size_t bracket = authority.rfind(']');
  const size_t colon = authority.find(':', bracket == authority.npos ? 0 : bracket);
  return colon == authority.npos || authority.find_first_not_of("0123456789", colon + 1) == authority.npos;
}

// The part of a line that belongs to the URL which begins it. A password with a blank in it goes on to its @.
std::string_view Extent(std::string_view line) {
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  const bool is_whole = word.find('@') != word.npos || HasPortAtMost(word.substr(0, word.find_first_of("/?#")));
  const std::string_view rest = line.substr(0, std::min(line.find_first_of("\r\n"), line.find("://")));
  const size_t at = is_whole ? rest.npos : rest.find('@', word.size());
  if (at == rest.npos) return word;
  return line.substr(0, std::min(line.find_first_of(kBlanks, at), line.size()));
}

// Where the host begins in what follows "://".
size_t HostBegin(std::string_view scheme, std::string_view rest) {
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const size_t near = authority.rfind('@'), far = rest.rfind('@');
  // The path of a database has no @ of its own.
  const size_t query = std::min(rest.find('?'), rest.size());
  if (scheme.ends_with("postgres") || scheme.ends_with("postgresql")) {
    const size_t before = rest.substr(0, query).rfind('@');
    if (before != rest.npos) return before + 1;
  }
  if (near != rest.npos) return near + 1;
  // "user:12/34@host" and "host:12/a@b" look alike: better too much than too little.
  return far == rest.npos || authority.find(':') == rest.npos ? 0 : far + 1;
}

std::string MaskedParameter(std::string_view parameter) {
  const size_t equals = parameter.find('=');
  const std::string_view name = parameter.substr(0, equals);
  if (equals == parameter.npos) return std::string(IsHarmless(name) ? name : kMask);
  const std::string_view value = parameter.substr(equals + 1);
  std::string masked(parameter.substr(0, equals + 1));
  if (!IsHarmless(name)) return masked.append(kMask);
  if (value.find("://") != value.npos) return masked.append(MaskUrls(value));
  const size_t at = value.rfind('@');
  return masked.append(at == value.npos ? value
                                        : std::string(kMask) + ":" + std::string(kMask).append(value.substr(at)));
}

// Returns the part after "?", or after a "#" that parameters follow.
std::string MaskedParameters(std::string_view query) {
  std::string masked(query.substr(0, 1));
  query.remove_prefix(1);
  while (true) {
    const size_t next = query.find_first_of("&#");
    masked += MaskedParameter(query.substr(0, next));
    if (next == query.npos) return masked;
    masked += query[next];
    query.remove_prefix(next + 1);
  }
}

}  // namespace

std::string MaskUrls(std::string_view text) {
  std::string masked;
  for (;;) {
    const size_t begin = text.find("://");
    if (begin == text.npos) return masked.append(text);
    const std::string_view scheme = text.substr(0, begin);
    masked.append(text.substr(0, begin + 3));
    text.remove_prefix(begin + 3);
    // A URL among the parameters of this one belongs to it.
    std::string_view rest = Extent(text);
    text.remove_prefix(rest.size());
    if (const size_t host = HostBegin(scheme, rest); host > 0) {
      masked.append(kMask).append(":").append(kMask).append("@");
      rest.remove_prefix(host);
    }
    size_t query = rest.find('?');
    const size_t fragment = rest.find('#');
    if (query == rest.npos && fragment != rest.npos && rest.find('=', fragment) != rest.npos) query = fragment;
    masked.append(rest.substr(0, query));
    if (query != rest.npos) masked.append(MaskedParameters(rest.substr(query)));
  }
}

std::string MaskUrlSetting(std::string_view setting) {
  const size_t at = setting.rfind('@');
  if (at == setting.npos || setting.find("://") != setting.npos) return MaskUrls(setting);
  return std::string(kMask).append(":").append(kMask).append(setting.substr(at));
}

}  // namespace kingpost
