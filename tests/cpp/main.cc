// SPDX-License-Identifier: Apache-2.0
// The main function of kp_tests.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <cstdlib>

// A plugin that a test misses is not to be looked for on the network.
[[maybe_unused]] const int kOffline = setenv("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "true", 1);
