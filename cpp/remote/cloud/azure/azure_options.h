// SPDX-License-Identifier: Apache-2.0
// azblob://CONTAINER[/ROOT][?PARAMETERS] and AZURE_STORAGE_...: which container, how it is reached, who asks.
#pragma once

#include <string>

#include "base/percent.h"
#include "base/status.h"

namespace kingpost {

struct AzureOptions {
  std::string container, root;
  std::string printable_url;
  std::string endpoint;   // "https://HOST"
  std::string path_base;  // "/CONTAINER/", or "/ACCOUNT/CONTAINER/"
  std::string account;
  // One of them; without any, a token is asked for.
  std::string key;  // raw bytes
  Parameters sas;   // a signed permission, which is added to each URL

  static Result<AzureOptions> From(const std::string& url);
};

}  // namespace kingpost
