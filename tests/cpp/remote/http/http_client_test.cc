// SPDX-License-Identifier: Apache-2.0
// Checks HTTP requests without a server. tests/py/test_plugins.py checks them with servers.
#include "remote/http/http_client.h"

#include <catch2/catch.hpp>
#include <cstdlib>

namespace kingpost {

TEST_CASE("the host of a URL is found without user and port") {
  CHECK(HostOfUrl("https://me:hunter2@acme.com:443/a/b?token=x#y") == "acme.com");
  CHECK(HostOfUrl("https://acme.com/a@b/c") == "acme.com");
  CHECK(HostOfUrl("https://me@acme.com") == "acme.com");
  CHECK(HostOfUrl("http://[::1]:80/") == "::1");
  CHECK(HostOfUrl("acme.com:80") == "acme.com");
}

TEST_CASE("errors name the URL and no secrets") {
  HttpRequest request;
  request.url = "http://me:hunter2@127.0.0.1:1/x?token=hunter2";  // a closed port
  const auto refused = SendHttp(request);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.status().code() == Code::kUnavailable);
  CHECK(refused.status().message().find("cannot fetch http://****:****@127.0.0.1:1/x?") == 0);
  CHECK(refused.status().message().find("hunter2") == std::string::npos);
  request.url = "ftp://127.0.0.1/x";
  CHECK(SendHttp(request).status().code() == Code::kInvalidArgument);
}

TEST_CASE("a request that was cancelled before it began is not sent") {
  std::atomic<bool> cancelled{true};
  HttpRequest request;
  request.url = "http://127.0.0.1:1/";
  request.cancelled = &cancelled;
  const Code code = SendHttp(request).status().code();
  CHECK((code == Code::kCancelled || code == Code::kUnavailable));
}

TEST_CASE("a URL given by programs and providers does not lead to link-local addresses") {
  HttpRequest request;
  request.direct = true;
  request.is_untrusted_url = true;
  for (const char* url : {"http://169.254.169.254/latest/meta-data", "http://[::ffff:169.254.169.254]/",
                          "http://[fe80::1]/", "http://[fd00:ec2::254]/"}) {
    INFO(url);
    request.url = url;
    const auto answer = SendHttp(request);
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.status().code() == Code::kPermissionDenied);
  }
  // The client refuses the address even if a proxy would make the connection.
  request.direct = false;
  request.url = "http://169.254.169.254/latest/meta-data";
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  CHECK(SendHttp(request).status().code() == Code::kPermissionDenied);
  unsetenv("http_proxy");
  request.direct = true;
  request.url = "http://127.0.0.1:1/";
  CHECK(SendHttp(request).status().code() == Code::kUnavailable);
}

}  // namespace kingpost
