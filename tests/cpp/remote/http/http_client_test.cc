// SPDX-License-Identifier: Apache-2.0
// What requests say about themselves. What they do with servers is tested by tests/py/test_plugins.py.
#include "remote/http/http_client.h"

#include <catch2/catch.hpp>

namespace kingpost {

TEST_CASE("a URL is shown without what may be secret in it") {
  CHECK(PrintableUrl("https://me:hunter2@acme.com/a/b?token=x#y") == "https://acme.com/a/b");
  CHECK(PrintableUrl("https://acme.com/a@b/c") == "https://acme.com/a@b/c");
  CHECK(PrintableUrl("https://me@acme.com") == "https://acme.com");
  CHECK(PrintableUrl("acme.com/x?y") == "acme.com/x");
}

TEST_CASE("errors name the URL and no secrets") {
  HttpRequest request;
  request.url = "http://me:hunter2@127.0.0.1:1/x?token=hunter2";  // where nobody listens
  const auto refused = SendHttp(request);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.status().code() == Code::kUnavailable);
  CHECK(refused.status().message().find("cannot fetch http://127.0.0.1:1/x: ") == 0);
  CHECK(refused.status().message().find("hunter2") == std::string::npos);
  request.url = "ftp://127.0.0.1/x";
  CHECK(SendHttp(request).status().code() == Code::kInvalidArgument);
}

TEST_CASE("a request that was cancelled before it began asks nobody") {
  std::atomic<bool> cancelled{true};
  HttpRequest request;
  request.url = "http://127.0.0.1:1/";
  request.cancelled = &cancelled;
  const Code code = SendHttp(request).status().code();
  CHECK((code == Code::kCancelled || code == Code::kUnavailable));
}

TEST_CASE("what programs and providers name does not lead to link-local addresses") {
  HttpRequest request;
  request.direct = true;
  request.given_by_others = true;
  for (const char* url : {"http://169.254.169.254/latest/meta-data", "http://[::ffff:169.254.169.254]/",
                          "http://[fe80::1]/", "http://[fd00:ec2::254]/"}) {
    INFO(url);
    request.url = url;
    const auto answer = SendHttp(request);
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.status().code() == Code::kPermissionDenied);
  }
  request.url = "http://127.0.0.1:1/";
  CHECK(SendHttp(request).status().code() == Code::kUnavailable);
}

}  // namespace kingpost
