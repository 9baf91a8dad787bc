// SPDX-License-Identifier: Apache-2.0
// Checks that a built program is found by the hash of its sources.
#include "runtimes/build_cache.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace kingpost::build_cache_test {

namespace fs = std::filesystem;

class Sources {
 public:
  Sources() {
    fs::create_directories(Path("deep"));
    Write("main.go", "one");
  }
  void Write(const std::string& file, const std::string& text) { std::ofstream(Path(file)) << text; }
  std::string folder() const { return path_ / "src"; }
  std::string Path(const std::string& file) const { return folder() + "/" + file; }
  std::string cache() const { return path_ / "built"; }

 private:
  TempFolder path_;
};

void Build(const BuildCache& cache, const Sources& sources, const BuildInputs& inputs, const std::string& settings) {
  auto room = cache.NewBuildTarget();
  REQUIRE(room.ok());
  std::ofstream(*room) << "#!/bin/sh\n";
  chmod(room->c_str(), 0700);
  REQUIRE(cache.Keep(*room, sources.folder(), inputs, ContentOf(inputs, settings)).ok());
}

TEST_CASE("a built program is found while its sources are the same", "[plugins]") {
  Sources sources;
  const BuildCache cache = *BuildCache::Open(sources.cache());
  const BuildInputs inputs{{sources.Path("go.mod")}, {sources.folder()}, {sources.Path("deep")}};
  CHECK(cache.Find(sources.folder(), "go1").empty());
  Build(cache, sources, inputs, "go1");
  const std::string program = cache.Find(sources.folder(), "go1");
  REQUIRE_FALSE(program.empty());

  const auto change = GENERATE(0, 1, 2, 3, 4);
  CAPTURE(change);
  if (change == 0) CHECK(cache.Find(sources.folder(), "go2").empty());
  const std::string files[] = {"", "main.go", "go.mod", "other.go", "deep/embedded"};
  if (change > 0) sources.Write(files[change], "two");
  if (change > 0) CHECK(cache.Find(sources.folder(), "go1").empty());
  if (change == 1) sources.Write("main.go", "one");
  if (change > 1) fs::remove(sources.Path(files[change]));
  CHECK(cache.Find(sources.folder(), "go1") == program);
}

TEST_CASE("a build that was not used for long goes when a new one is kept", "[plugins]") {
  Sources sources;
  const BuildCache cache = *BuildCache::Open(sources.cache());
  const BuildInputs inputs{{}, {sources.folder()}, {}};
  Build(cache, sources, inputs, "go1");
  const std::string old = cache.Find(sources.folder(), "go1");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(24 * 40));
  sources.Write("main.go", "two");
  Build(cache, sources, inputs, "go1");
  CHECK_FALSE(fs::exists(old));
  CHECK_FALSE(cache.Find(sources.folder(), "go1").empty());
}

TEST_CASE("a folder that others may write to is not used", "[plugins]") {
  Sources sources;
  fs::create_directories(sources.cache());
  chmod(sources.cache().c_str(), 0777);
  CHECK_FALSE(BuildCache::Open(sources.cache()).ok());
  CHECK_FALSE(BuildCache::Open("").ok());
}

}  // namespace kingpost::build_cache_test
