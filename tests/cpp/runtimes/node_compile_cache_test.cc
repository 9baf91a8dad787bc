// SPDX-License-Identifier: Apache-2.0
// Checks which folder Node.js is given for compiled code.
#include "runtimes/node_compile_cache.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "support/temp_folder.h"

namespace kingpost::node_compile_cache_test {

namespace fs = std::filesystem;

constexpr std::time_t kNovember = 1795796964, kDecember = kNovember + 5 * 86400;  // 2026-11-27 and 2026-12-02

TEST_CASE("the first use of a month removes the compiled code of earlier months, and nothing else", "[plugins]") {
  const TempFolder home;
  const std::string cache = home / "kingpost";
  const std::string november = CompiledCodeFolder(cache, kNovember);
  REQUIRE(november == cache + "/node-code-2026-11");
  fs::create_directories(november + "/v22");
  fs::create_directories(cache + "/built");
  CHECK(CompiledCodeFolder(cache, kNovember) == november);
  CHECK(fs::exists(november + "/v22"));

  const std::string december = CompiledCodeFolder(cache, kDecember);
  CHECK(december == cache + "/node-code-2026-12");
  CHECK(fs::is_directory(december));
  CHECK_FALSE(fs::exists(november));
  CHECK(fs::exists(cache + "/built"));
}

TEST_CASE("compiled code is not read from a folder that others may write to", "[plugins]") {
  const TempFolder home;
  const std::string folder = CompiledCodeFolder(home.path(), kNovember);
  REQUIRE_FALSE(folder.empty());
  fs::permissions(folder, fs::perms::group_write, fs::perm_options::add);
  CHECK(CompiledCodeFolder(home.path(), kNovember).empty());
  fs::permissions(folder, fs::perms::group_write, fs::perm_options::remove);
  CHECK(CompiledCodeFolder(home.path(), kNovember) == folder);
  fs::permissions(home.path(), fs::perms::others_write, fs::perm_options::add);
  CHECK(CompiledCodeFolder(home.path(), kNovember).empty());
  CHECK(CompiledCodeFolder(home.path(), kDecember).empty());
  CHECK_FALSE(fs::exists(home / "node-code-2026-12"));
}

TEST_CASE("a word of the user about the cache of Node.js counts", "[plugins]") {
  const auto* name = GENERATE("NODE_COMPILE_CACHE", "NODE_DISABLE_COMPILE_CACHE", "NODE_V8_COVERAGE");
  const std::map<std::string, std::string> said = {{name, "1"}};
  std::map<std::string, std::string> environment = said;
  ShareCompiledCode(&environment);
  CHECK(environment == said);
}

}  // namespace kingpost::node_compile_cache_test
