// SPDX-License-Identifier: Apache-2.0
// Requests to AWS and how they are signed: Signature Version 4, in the header Authorization. Pure.
//
// libcurl has a signer as well. It gets unsorted queries, parameters without "=" and some characters in paths wrong,
// differently in each of its releases. It also leaves out the digest of the body, without which S3 takes no PUT.
#pragma once

#include <string>

#include "base/percent.h"
#include "remote/http/http_client.h"

namespace kingpost {

struct AwsCredentials {
  std::string access_key = {}, secret_key = {};
  std::string session_token = {};  // of temporary ones
  int64_t expires_ms = 0;          // since 1970; 0: never
  std::string source = {};         // for messages: "environment variables", "profile 'team'"

  bool anonymous() const { return access_key.empty(); }
};

struct AwsRequest {
  std::string method = "GET";
  std::string endpoint = {};  // "https://HOST[:PORT]"
  std::string path = "/";     // as it is sent: encoded
  Parameters query = {};      // as they mean: not encoded
  Parameters headers = {};
  std::string body = {};
};

struct SigningScope {
  std::string region, service;
  std::string basic_time;     // "20150830T123600Z"
  bool path_as_sent = false;  // S3: keys may hold anything. Elsewhere paths are tidied and encoded once more
};

// The request as it is sent. With anonymous credentials it is not signed.
HttpRequest SignForAws(const AwsRequest& request, const AwsCredentials& credentials, const SigningScope& scope);

}  // namespace kingpost
