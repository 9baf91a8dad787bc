// SPDX-License-Identifier: Apache-2.0
#include "remote/http/link_local.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace kingpost {

namespace {

constexpr char kGoogle[] = "metadata.google.internal";

// In lower case, without user, port, brackets, zone and a last dot; "" for what is relative to another URL. libcurl
// takes one slash, or three, for two.
std::string HostNamed(const std::string& url) {
  const size_t colon = url.find_first_of(":/?#");
  const bool has_scheme =
      colon != std::string::npos && url[colon] == ':' && url.find_first_of("/\\", colon) == colon + 1;
  if (!has_scheme && !url.starts_with("//")) return "";
  const size_t begin = url.find_first_not_of("/\\", has_scheme ? colon + 1 : 0);
  if (begin == std::string::npos) return "";
  std::string host = url.substr(begin, std::min(url.find_first_of("/\\?#", begin), url.size()) - begin);
  host.erase(0, host.rfind('@') + 1);
  if (host.starts_with('[')) {
    host = host.substr(1, std::min(host.find_first_of("]%"), host.size()) - 1);
  } else {
    host.erase(std::min(host.find(':'), host.size()));
  }
  if (host.ends_with('.')) host.pop_back();
  return Lowered(std::move(host));
}

}  // namespace

bool IsLinkLocal(const sockaddr& address) {
  const auto is_v4 = [](const uint8_t* bytes) { return bytes[0] == 169 && bytes[1] == 254; };
  if (address.sa_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    return is_v4(reinterpret_cast<const uint8_t*>(&v4.sin_addr));
  }
  if (address.sa_family != AF_INET6) return false;
  constexpr uint8_t kAwsService[16] = {0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54};
  const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  return IN6_IS_ADDR_LINKLOCAL(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && is_v4(v6.s6_addr + 12)) ||
         std::equal(std::begin(kAwsService), std::end(kAwsService), v6.s6_addr);
}

bool NamesLinkLocal(const std::string& url) {
  const std::string host = HostNamed(url);
  if (host == kGoogle) return true;
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  if (inet_aton(host.c_str(), &v4.sin_addr) != 0) return IsLinkLocal(reinterpret_cast<const sockaddr&>(v4));
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  return inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) == 1 && IsLinkLocal(reinterpret_cast<const sockaddr&>(v6));
}

}  // namespace kingpost
