// SPDX-License-Identifier: Apache-2.0
#include "remote/http/link_local.h"

#include <catch2/catch.hpp>

namespace kingpost::link_local_test {

TEST_CASE("an address at which clouds give credentials is known in every spelling, in redirects too") {
  for (const char* url : {"http://169.254.169.254/latest",
                          "http://2852039166/",
                          "http://0xa9fea9fe",
                          "http://0251.0376.0251.0376/",
                          "http://169.254.43518/x",
                          "https://169.254.169.254:443/",
                          "http://u:p@169.254.169.254/",
                          "HTTP://169.254.0.1",
                          "http:/169.254.169.254/",
                          "http:///169.254.169.254/",
                          "//169.254.169.254/latest",
                          "http://169.254.169.254./",
                          "http://169.254.169.254?x",
                          "http://169.254.169.254#x",
                          "http:\\\\169.254.169.254\\latest",
                          "http://[fe80::1]/",
                          "http://[fe80::1%25eth0]/",
                          "http://[::ffff:169.254.169.254]/",
                          "http://[fd00:ec2::254]/",
                          "http://metadata.google.internal/computeMetadata",
                          "http://Metadata.Google.Internal./"}) {
    INFO(url);
    CHECK(NamesLinkLocal(url));
  }
}

TEST_CASE("other addresses are left alone") {
  for (const char* url :
       {"http://169.253.1.1/", "https://example.com/169.254.169.254", "http://[::1]/", "/169.254.169.254",
        "169.254.169.254/x", "http://169.254.169.254.example.com/", "", "http://", "file:///x"}) {
    INFO(url);
    CHECK_FALSE(NamesLinkLocal(url));
  }
}

}  // namespace kingpost::link_local_test
