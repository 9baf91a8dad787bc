// SPDX-License-Identifier: Apache-2.0
// Checks the accepted forms of --on.
#include "cli/fleet/cluster.h"

#include <catch2/catch.hpp>

namespace kingpost::cluster_test {

TEST_CASE("the address of a cluster is that of its scheduler", "[fleet]") {
  const std::pair<const char*, const char*> meant[] = {
      {"dask://10.0.0.1:8786", "tcp://10.0.0.1:8786"},
      {"dask://scheduler.example.com", "tcp://scheduler.example.com:8786"},
      {"dask://scheduler:9000/", "tcp://scheduler:9000"},
      {"dask://[::1]", "tcp://[::1]:8786"},
      {"dask://[::1]:9000", "tcp://[::1]:9000"},
      {"dask+tls://scheduler", "tls://scheduler:8786"}};
  for (const auto& [written, expected] : meant) {
    const Result<std::string> scheduler = Cluster::SchedulerOf(written);
    INFO(written);
    REQUIRE(scheduler.ok());
    CHECK(*scheduler == expected);
  }
  for (const char* wrong : {"", "10.0.0.1:8786", "tcp://10.0.0.1:8786", "dask://", "dask:///", "dask://host/path"}) {
    INFO(wrong);
    CHECK_FALSE(Cluster::SchedulerOf(wrong).ok());
  }
}

}  // namespace kingpost::cluster_test
