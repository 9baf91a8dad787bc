// SPDX-License-Identifier: Apache-2.0
// Checks how plugins come into the cache: one at a time, whole or not at all.
#include "plugins/plugin_installation.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/temp_folder.h"

namespace kingpost::plugin_installation_test {

namespace fs = std::filesystem;

class Cache {
 public:
  Cache() {
    std::ofstream(path_ / "program") << "#!/bin/sh\n";
    chmod((path_ / "program").c_str(), 0755);
    spec_.kind = "resource";
    spec_.name = "x";
    spec_.version = "1.0.0";
  }

  std::unique_ptr<PluginInstallation> Begin(bool reinstall = false, const std::atomic<bool>* cancelled = nullptr) {
    auto begun = PluginInstallation::Begin(spec_, folder(), reinstall, cancelled);
    return begun.ok() ? std::move(*begun) : nullptr;
  }
  std::string folder() const { return (path_ / "plugins").string(); }
  std::string plugin() const { return folder() + "/resource-x-v1.0.0"; }
  std::string Names() const {
    std::string names;
    for (const auto& entry : fs::directory_iterator(folder())) names += entry.path().extension().string() + ";";
    return names;
  }

  const TempFolder temporary_;
  const fs::path path_{temporary_.path()};
  PluginSpec spec_;
};

TEST_CASE("a plugin is marked as partial until it is committed") {
  Cache cache;
  auto first = cache.Begin();
  REQUIRE(first);
  CHECK_FALSE(first->is_complete());
  CHECK(fs::exists(cache.plugin() + ".partial"));
  REQUIRE(first->CopyFrom((cache.path_ / "program").string()).ok());
  CHECK(first->Commit().ok());
  CHECK_FALSE(fs::exists(cache.plugin() + ".partial"));
  CHECK(access((cache.plugin() + "/pulumi-resource-x").c_str(), X_OK) == 0);
  first.reset();
  CHECK(cache.Begin()->is_complete());
}

TEST_CASE("an installation that fails leaves nothing but its lock") {
  Cache cache;
  auto first = cache.Begin();
  REQUIRE(first->CopyFrom((cache.path_ / "absent").string()).code() == Code::kNotFound);
  first.reset();
  CHECK(cache.Names() == ".lock;");
}

TEST_CASE("a partial installation of a killed process is started again") {
  Cache cache;
  fs::create_directories(cache.plugin() + "/half");
  std::ofstream(cache.plugin() + ".partial") << "";
  auto again = cache.Begin();
  REQUIRE(again);
  CHECK_FALSE(again->is_complete());
  CHECK(fs::is_empty(cache.plugin()));
}

// Anything that cannot be removed: a mark that is a folder with something in it.
void Block(const std::string& mark) {
  fs::remove(mark);
  fs::create_directories(mark + "/something");
}

TEST_CASE("an installation reports a partial one that it cannot remove") {
  Cache cache;
  fs::create_directories(cache.plugin() + "/half");
  Block(cache.plugin() + ".partial");
  const auto again = PluginInstallation::Begin(cache.spec_, cache.folder(), false, nullptr);
  REQUIRE_FALSE(again.ok());
  CHECK(again.status().message().starts_with("could not discard the partial install at " + cache.plugin() +
                                             ": cannot remove " + cache.plugin() + ".partial: "));
}

TEST_CASE("a failed installation names the files that it could not remove") {
  Cache cache;
  auto first = cache.Begin();
  REQUIRE(first);
  const Status failed(Code::kNotFound, "no such release");
  Block(cache.plugin() + ".partial");
  const Status told = first->Abandon(failed);
  CHECK(told.code() == Code::kNotFound);
  CHECK(told.message().starts_with("no such release\ncannot remove " + cache.plugin() + ".partial: "));
  CHECK_FALSE(fs::exists(cache.plugin()));
  first.reset();
  fs::remove_all(cache.plugin() + ".partial");
  CHECK(cache.Begin()->Abandon(failed).message() == "no such release");
  CHECK(cache.Names() == ".lock;");
}

TEST_CASE("a file in a plugin's place does not count as installed") {
  Cache cache;
  fs::create_directories(cache.folder());
  std::ofstream(cache.plugin()) << "hello";
  const auto first = cache.Begin();
  REQUIRE(first);
  CHECK_FALSE(first->is_complete());
  CHECK(fs::is_directory(cache.plugin()));
}

TEST_CASE("a complete plugin is only replaced on request") {
  Cache cache;
  fs::create_directories(cache.plugin() + "/old");
  CHECK(cache.Begin()->is_complete());
  CHECK(fs::exists(cache.plugin() + "/old"));
  auto again = cache.Begin(true);
  CHECK_FALSE(again->is_complete());
  CHECK_FALSE(fs::exists(cache.plugin() + "/old"));
}

TEST_CASE("the second of two installations waits for the first, and stops waiting when it is cancelled") {
  Cache cache;
  auto first = cache.Begin();
  std::atomic<bool> cancelled{true};
  CHECK(cache.Begin(false, &cancelled) == nullptr);
  std::unique_ptr<PluginInstallation> second;
  std::thread other([&] { second = cache.Begin(); });
  REQUIRE(first->CopyFrom((cache.path_ / "program").string()).ok());
  REQUIRE(first->Commit().ok());
  first.reset();
  other.join();
  REQUIRE(second);
  CHECK(second->is_complete());
  CHECK(access((cache.plugin() + "/pulumi-resource-x").c_str(), X_OK) == 0);
}

TEST_CASE("the folder of a plugin is called as the reference calls it") {
  Cache cache;
  CHECK(PluginFolderName(cache.spec_) == "resource-x-v1.0.0");
  cache.spec_.name = "acme.com/x";
  CHECK(PluginFolderName(cache.spec_) == "resource-acme.com_x-v1.0.0");
}

TEST_CASE("a file that is neither a program nor an archive is refused") {
  Cache cache;
  std::ofstream(cache.path_ / "notes.txt") << "hello";
  auto first = cache.Begin();
  CHECK(first->CopyFrom((cache.path_ / "notes.txt").string()).message().find("is neither an executable file") !=
        std::string::npos);
}

}  // namespace kingpost::plugin_installation_test
