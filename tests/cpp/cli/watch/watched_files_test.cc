// SPDX-License-Identifier: Apache-2.0
// Checks which events in a project's folder count as changes.
#include "cli/watch/watched_files.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "cli/watch/ignored_paths.h"
#include "processes/private_folder.h"

namespace kingpost::watched_files_test {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

void Write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

class Tree {
 public:
  Tree() {
    fs::create_directories(Path("src/deep"));
    Write(Path("main.py"), "one");
    Write(Path("src/part.py"), "one");
  }
  std::string Path(const std::string& name) const { return folder_.Path(name); }

  void Watch(const Names& roots) {
    Names paths;
    for (const std::string& root : roots) paths.push_back(root.empty() ? Root() : Path(root));
    auto is_ignored = [](const std::string& path, bool is_folder) {
      return IsIgnoredByDefault(path, is_folder, "python");
    };
    auto files = WatchedFiles::Open(paths, is_ignored);
    REQUIRE(files.ok());
    files_ = std::move(*files);
  }

  // Returns the changed names below the folder. The kernel has queued an event when the call that caused it returns.
  Names Changed() {
    Names names;
    for (const std::string& path : files_->Take()) names.push_back(path.substr(Root().size() + 1));
    return names;
  }
  WatchedFiles& files() { return *files_; }

 private:
  std::string Root() const {
    std::string root = folder_.Path("");
    root.pop_back();
    return root;
  }

  const PrivateFolder folder_ = std::move(*PrivateFolder::Create());
  std::unique_ptr<WatchedFiles> files_;
};

TEST_CASE("a file that is written, moved over or removed has changed", "[watch]") {
  Tree tree;
  tree.Watch({""});
  CHECK(tree.Changed().empty());
  Write(tree.Path("main.py"), "two");
  CHECK(tree.Changed() == Names{"main.py"});
  Write(tree.Path("src/other"), "three");
  CHECK(tree.Changed() == Names{"src/other"});
  fs::rename(tree.Path("src/other"), tree.Path("src/part.py"));
  CHECK(tree.Changed() == Names{"src/other", "src/part.py"});
  fs::remove(tree.Path("src/part.py"));
  CHECK(tree.Changed() == Names{"src/part.py"});
}

TEST_CASE("a file that is written anew as it was has not changed", "[watch]") {
  Tree tree;
  tree.Watch({""});
  Write(tree.Path("main.py"), "two");
  CHECK(tree.Changed() == Names{"main.py"});
  Write(tree.Path("main.py"), "two");
  CHECK(tree.Changed().empty());
  Write(tree.Path("main.py"), "three");
  Write(tree.Path("main.py"), "four");
  CHECK(tree.Changed() == Names{"main.py"});
}

TEST_CASE("a file that the command wrote itself has not changed until another process writes it", "[watch]") {
  Tree tree;
  tree.Watch({""});
  Write(tree.Path("main.py"), "ours");
  tree.files().MarkKnown(tree.Path("main.py"));
  CHECK(tree.Changed().empty());
  Write(tree.Path("main.py"), "theirs");
  CHECK(tree.Changed() == Names{"main.py"});
}

TEST_CASE("new folders are watched with their contents, and removed ones no longer", "[watch]") {
  Tree tree;
  tree.Watch({""});
  const size_t before = tree.files().folders();
  fs::create_directories(tree.Path("new/inner"));
  Write(tree.Path("new/inner/a.py"), "a");
  CHECK(tree.Changed() == Names{"new/inner/a.py"});
  Write(tree.Path("new/inner/a.py"), "b");
  CHECK(tree.Changed() == Names{"new/inner/a.py"});
  fs::remove_all(tree.Path("new"));
  (void)tree.Changed();
  CHECK(tree.files().folders() == before);
}

TEST_CASE("a folder that was moved is known by its new name", "[watch]") {
  Tree tree;
  tree.Watch({""});
  fs::rename(tree.Path("src"), tree.Path("sources"));
  (void)tree.Changed();
  Write(tree.Path("sources/deep/a.py"), "a");
  CHECK(tree.Changed() == Names{"sources/deep/a.py"});
}

TEST_CASE("caches, repositories and editors' temporary files are not watched", "[watch]") {
  Tree tree;
  fs::create_directories(tree.Path("environment"));
  Write(tree.Path("environment/pyvenv.cfg"), "");
  tree.Watch({""});
  const size_t before = tree.files().folders();
  for (const char* folder : {"node_modules", "__pycache__", ".git", "environment"}) {
    fs::create_directories(tree.Path(folder));
    Write(tree.Path(std::string(folder) + "/a.py"), "a");
  }
  for (const char* file : {"main.py~", ".main.py.swp", "4913", "main.pyc", ".#main.py"}) Write(tree.Path(file), "a");
  CHECK(tree.Changed().empty());
  CHECK(tree.files().folders() == before);
}

TEST_CASE("a single file is watched, there or not, and its neighbours are not", "[watch]") {
  Tree tree;
  tree.Watch({"src/settings.yaml"});
  Write(tree.Path("src/part.py"), "two");
  Write(tree.Path("src/deep/part.py"), "two");
  CHECK(tree.Changed().empty());
  Write(tree.Path("src/settings.yaml"), "a: b");
  CHECK(tree.Changed() == Names{"src/settings.yaml"});
}

TEST_CASE("more events than the kernel keeps lose no file that is new", "[watch]") {
  Tree tree;
  tree.Watch({""});
  int limit = 16384;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> limit;
  if (limit > 100000) return;
  const std::string passed_over = tree.Path(".cache");
  for (int i = 0; i <= limit / 2; ++i) {
    REQUIRE(mkdir(passed_over.c_str(), 0700) == 0);
    REQUIRE(rmdir(passed_over.c_str()) == 0);
  }
  Write(tree.Path("src/late.py"), "x");
  const Names changed = tree.Changed();
  CHECK(std::count(changed.begin(), changed.end(), "src/late.py") == 1);
}

TEST_CASE("the descriptor is readable once a file has changed", "[watch]") {
  Tree tree;
  tree.Watch({""});
  pollfd readable{tree.files().fd(), POLLIN, 0};
  CHECK(poll(&readable, 1, 0) == 0);
  Write(tree.Path("main.py"), "two");
  CHECK(poll(&readable, 1, 0) == 1);
}

}  // namespace kingpost::watched_files_test
