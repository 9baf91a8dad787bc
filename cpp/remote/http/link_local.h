// SPDX-License-Identifier: Apache-2.0
// Link-local addresses, where machines in clouds get their credentials: what a program or a provider has fetched must
// not lead there. Pure.
#pragma once

#include <sys/socket.h>

#include <string>

namespace kingpost {

// Of IPv6 also what stands for an address of IPv4, and the one at which AWS has its service.
bool IsLinkLocal(const sockaddr& address);

// Whether a URL, or what a redirect says instead of one, names such an address itself, in any of the spellings that
// libcurl takes for it, or Google's name for it. What other names resolve to is only known to whoever resolves them,
// which behind a proxy is the proxy.
bool NamesLinkLocal(const std::string& url);

}  // namespace kingpost
