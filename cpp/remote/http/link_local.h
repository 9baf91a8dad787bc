// SPDX-License-Identifier: Apache-2.0
// Link-local addresses, where machines in clouds get their credentials: what a program or a provider has fetched must
// not lead there. Pure.
#pragma once

#include <sys/socket.h>

#include <string>

namespace kingpost {

// In IPv6 also the forms of an address of IPv4, and the address at which AWS has its service.
bool IsLinkLocal(const sockaddr& address);

// Whether a URL, or the target of a redirect, names such an address itself, in any spelling that libcurl accepts,
// or Google's name for it. Only the resolver knows the addresses of other names, and behind a proxy that is the
// proxy.
bool NamesLinkLocal(const std::string& url);

}  // namespace kingpost
