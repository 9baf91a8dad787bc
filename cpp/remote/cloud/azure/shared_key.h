// SPDX-License-Identifier: Apache-2.0
// Requests to Azure's storage signed with the key of an account. Pure.
#pragma once

#include <string>

#include "base/percent.h"
#include "remote/http/http_client.h"

namespace kingpost {

struct AzureRequest {
  std::string method = "GET";
  std::string endpoint = {};  // "https://HOST"
  std::string path = "/";     // as it is sent: encoded
  Parameters query = {};      // not encoded
  Parameters headers = {};
  std::string body = {};
};

HttpRequest PlainAzureRequest(const AzureRequest& request);
// `key` is raw bytes.
HttpRequest SignWithSharedKey(const AzureRequest& request, const std::string& account, const std::string& key);

}  // namespace kingpost
