// SPDX-License-Identifier: Apache-2.0
// Checks the reading of files that users name.
#include <catch2/catch.hpp>
#include <fstream>

#include "cli/session/user_files.h"
#include "support/temp_folder.h"

namespace kingpost::input_test {

TEST_CASE("an input file is read whole, and refused if it is binary or too long") {
  const TempFolder folder;
  const std::string file = folder.path() + "/input";
  std::ofstream(file) << std::string(200'000, 'x');
  CHECK(ReadInput(file)->size() == 200'000);
  CHECK(ReadInput(file, 200'000).ok());
  const Status long_one = ReadInput(file, 199'999).status();
  CHECK(long_one.message() == "file " + file + " is too long: more than 199999 bytes");
  CHECK(ReadInput("/dev/zero").status().message() == "file /dev/zero is not text: it has zero bytes");
}

}  // namespace kingpost::input_test
