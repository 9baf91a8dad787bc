// SPDX-License-Identifier: Apache-2.0
// Limits how many files read the headers that take long to compile. Most of a build's time goes into these few headers,
// and they spread through other headers unnoticed.
//
// If a limit is in the way, try one of these first, and else raise it:
//     a header that only names JSON values    include <nlohmann/json_fwd.hpp>
//     a class with heavy members              hide them behind a unique_ptr
//     a long-lived regular expression         do without <regex>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "layering/include_lines.h"

namespace kingpost::weight_test {

namespace fs = std::filesystem;

struct HeavyHeader {
  std::string name;    // the end of what stands in the #include line
  size_t readers_max;  // source files that see it, directly or through headers of ours
};

const std::vector<HeavyHeader> kHeavyHeaders = {
    {"nlohmann/json.hpp", 132},
    {".grpc.pb.h", 16},
    {".pb.h", 29},
    {"grpcpp/server_builder.h", 1},
    {"CLI/CLI.hpp", 2},
    {"regex", 8},
    {"iostream", 9},
    {"future", 4},
    {"random", 2},
};

bool Matches(const std::string& target, const std::string& name) {
  return name.starts_with('.') ? target.ends_with(name) : target == name;
}

// The file of ours that an #include line names; empty if it is not ours.
fs::path FileOf(const std::string& target) {
  for (const fs::path& folder : {layering::SourceRoot(), layering::SourceRoot() / "include"}) {
    if (fs::exists(folder / target)) return folder / target;
  }
  return {};
}

// Everything that a file of ours includes, through headers of ours as well, as the #include lines have it.
class SeenHeaders {
 public:
  const std::set<std::string>& From(const fs::path& file) {
    const auto [entry, is_new] = seen_.try_emplace(file);
    if (!is_new) return entry->second;
    std::set<std::string> all;
    for (const layering::Include& include : layering::ReadIncludes(file)) {
      all.insert(include.target);
      const fs::path ours = FileOf(include.target);
      if (ours.empty()) continue;
      const std::set<std::string>& theirs = From(ours);
      all.insert(theirs.begin(), theirs.end());
    }
    return seen_[file] = std::move(all);
  }

 private:
  std::map<fs::path, std::set<std::string>> seen_;
};

std::vector<fs::path> SourceFiles() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(layering::SourceRoot())) {
    if (entry.path().extension() == ".cc") files.push_back(entry.path());
  }
  return files;
}

TEST_CASE("heavy headers are read by few files") {
  SeenHeaders seen;
  for (const HeavyHeader& header : kHeavyHeaders) {
    std::string readers;
    size_t count = 0;
    for (const fs::path& file : SourceFiles()) {
      bool reads = false;
      for (const std::string& target : seen.From(file)) reads = reads || Matches(target, header.name);
      if (!reads) continue;
      ++count;
      readers += "\n  " + file.lexically_relative(layering::SourceRoot()).string();
    }
    INFO(header.name << " is read by " << count << " files, more than " << header.readers_max << ":" << readers);
    CHECK(count <= header.readers_max);
    CHECK(count > 0);  // else the line of the table is of no use any more
  }
}

// Headers of wire that others include do without: four seconds for each batch that reads gRPC's.
TEST_CASE("gRPC's headers reach no folder but wire") {
  SeenHeaders seen;
  for (const fs::path& file : SourceFiles()) {
    if (file.lexically_relative(layering::SourceRoot()).begin()->string() == "wire") continue;
    for (const std::string& target : seen.From(file)) {
      INFO(file.string() << " sees " << target);
      CHECK_FALSE(
          (target.starts_with("grpcpp/") || target.starts_with("google/protobuf/") || target.ends_with(".pb.h")));
    }
  }
}

}  // namespace kingpost::weight_test
