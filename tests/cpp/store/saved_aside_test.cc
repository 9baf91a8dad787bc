// SPDX-License-Identifier: Apache-2.0
// Checks files saved aside: new, private, and never through a link.
#include "store/saved_aside.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "support/temp_folder.h"

namespace kingpost {

TEST_CASE("SaveAside writes a new file for its user alone, in the first folder that takes it") {
  const TempFolder folder;
  Spit(folder / "a-file", "");
  const mode_t before = umask(0);
  // A file where a folder should be, one that has to be made, and one that is not needed.
  const auto path = SaveAside({folder / "a-file", folder / "new/folder", folder / "spare"}, "dev/../x", "state");
  const auto again = SaveAside({folder / "new/folder"}, "dev/../x", "other");
  umask(before);
  INFO(path.status().message());
  REQUIRE(path.ok());
  REQUIRE(again.ok());
  CHECK(path->starts_with(folder / "new/folder/dev-..-x-"));
  CHECK(*path != *again);
  CHECK(Slurp(*path) == "state");
  CHECK(ModeOf(*path) == 0600);
  CHECK(ModeOf(folder / "new/folder") == 0700);
  CHECK_FALSE(std::filesystem::exists(folder / "spare"));
}

TEST_CASE("a folder for temporary files gets one of its own") {
  const TempFolder folder;
  const auto path = SaveAside({folder / "kingpost-XXXXXX"}, "dev", "state");
  REQUIRE(path.ok());
  CHECK(ModeOf(std::filesystem::path(*path).parent_path()) == 0700);
  CHECK_FALSE(SaveAside({}, "dev", "state").ok());
  CHECK(FallbackFolders("/state/stacks/dev.json").front() == "/state/stacks");
}

}  // namespace kingpost
