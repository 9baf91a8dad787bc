// The main function of kp_tests.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
