// SPDX-License-Identifier: Apache-2.0
// Checks the files of cpp/ against the rooms in cmake/Rooms.cmake, which docs/architecture.md draws. Each room includes
// exactly the rooms that the table lists. Only wire/ sees gRPC and protobuf. The code of model/ and decisions/ needs no
// thread, no gRPC and no protobuf.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "layering/include_lines.h"
#include "layering/rooms.h"

namespace kingpost::includes_test {

using namespace layering;
namespace fs = std::filesystem;
bool IsWireHeader(const std::string& target) {
  return target.starts_with("grpc") || target.starts_with("google/protobuf") || target.ends_with(".pb.h");
}

std::string Where(const Include& include) {
  return include.file.string() + ":" + std::to_string(include.line) + ": " + include.target;
}

std::vector<std::string> LinesOf(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::vector<std::string> lines;
  std::array<char, 4096> line;
  while (pipe && fgets(line.data(), line.size(), pipe.get()) != nullptr) lines.emplace_back(line.data());
  return lines;
}

std::vector<std::string> UndefinedSymbols(const std::string& archive) {
  return LinesOf("nm --undefined-only --demangle '" + archive + "'");
}

TEST_CASE("each room includes exactly the rooms in its row of the table") {
  const Rooms rooms;
  const auto includes = AllIncludes();
  REQUIRE(includes.size() > 20);
  std::map<std::string, std::set<std::string>> used;
  for (const Include& include : includes) {
    if (!include.quoted || IsWireHeader(include.target)) continue;
    const std::string room = rooms.Of(include.file), target = rooms.OfInclude(include.target);
    INFO(Where(include));
    REQUIRE(!room.empty());
    REQUIRE(!target.empty());
    if (room == target) continue;
    used[room].insert(target);
    if (!rooms.may_include(room).contains(target)) FAIL_CHECK(room << " may not include " << target);
  }
  for (const std::string& room : rooms.names()) {
    for (const std::string& target : rooms.may_include(room)) {
      if (!used[room].contains(target)) FAIL_CHECK(room << " does not include " << target << ": take it off the table");
    }
  }
}

TEST_CASE("each folder with sources is a room of the table, and there are few to read directly below cpp") {
  const Rooms rooms;
  std::set<std::string> with_sources, outermost;
  for (const auto& entry : fs::recursive_directory_iterator(SourceRoot())) {
    const auto extension = entry.path().extension();
    if (extension != ".cc" && extension != ".h") continue;
    const std::string room = rooms.Of(entry.path());
    INFO(entry.path().string());
    CHECK_FALSE(room.empty());
    with_sources.insert(room);
  }
  for (const std::string& room : rooms.names()) {
    INFO(room);
    CHECK(with_sources.contains(room));
    outermost.insert(room.substr(0, room.find('/')));
  }
  CHECK(outermost.size() <= 20);
}

// Programs with other stores, secrets and transports, or none, can link the engine.
TEST_CASE("the engine needs no store, no secrets, no clouds, no settings, no processes and no wire") {
  const std::set<std::string> needed = Rooms().Closure("engine");
  CHECK(needed.contains("decisions"));
  for (const char* room : {"store", "secrets", "remote/http", "remote/blob", "remote/cloud", "assets", "workspace",
                           "processes", "runtimes", "plugins", "wire", "operation", "console/display", "cli"}) {
    INFO(room);
    CHECK_FALSE(needed.contains(room));
  }
}

TEST_CASE("the engine, linked whole and alone, loads no library for the wire, for services or for files of others") {
  static const std::regex kOfOthers("grpc|proto|expat|fyaml|archive|zstd|libz|curl|pq|utf8proc");
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "kp_engine_alone";
  REQUIRE(fs::exists(program));
  const auto lines = LinesOf("readelf --dynamic --wide '" + program.string() + "'");
  size_t loaded = 0;
  for (const std::string& line : lines) {
    if (line.find("(NEEDED)") == std::string::npos) continue;
    ++loaded;
    if (std::regex_search(line, kOfOthers)) FAIL_CHECK(line);
  }
  CHECK(loaded > 0);
}

TEST_CASE("only wire includes gRPC and protobuf") {
  for (const Include& include : AllIncludes()) {
    if (include.folder == "wire") continue;
    INFO(Where(include));
    CHECK_FALSE(IsWireHeader(include.target));
  }
}

// GCC 12 destroys braced temporaries and captures inside an awaited expression twice, or not at all: they get a name
// first. Everything else is awaited where it is made.
TEST_CASE("no braces, no captures and no conditional temporaries stand inside an awaited expression") {
  static const std::regex kUnsound(R"re(co_await [^;]*(\{[^}]|\[[^\]]*[&=\w][^\]]*\]\s*(\(|\{)| \? ))re");
  static const std::regex kRenamed(
      R"re(Task<[^;]*> (\w+) = [^;]*;\s*(\w+ )*=? ?(co_return )?co_await std::move\(\1\);)re");
  for (const char* folder : {"engine", "decisions", "operation"}) {
    for (const auto& entry : fs::recursive_directory_iterator(SourceRoot() / folder)) {
      if (entry.path().extension() != ".cc") continue;
      std::ifstream in(entry.path());
      const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
      std::smatch found;
      INFO(entry.path().string());
      if (std::regex_search(text, found, kUnsound)) FAIL_CHECK("inside co_await: " << found.str());
      if (std::regex_search(text, found, kRenamed)) FAIL_CHECK("awaited by another name: " << found.str());
    }
  }
}

// One file decides which variables count, what an empty one means, and where the home folder is.
TEST_CASE("the environment and the user database are read in base/os.cc alone") {
  static const std::regex kDirect(R"re(\b(getenv|secure_getenv|getpwuid|getpwnam)\()re");
  for (const auto& entry : fs::recursive_directory_iterator(SourceRoot())) {
    if (!entry.is_regular_file() || entry.path().filename() == "os.cc") continue;
    std::ifstream in(entry.path());
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    INFO(entry.path().string());
    CHECK_FALSE(std::regex_search(text, kDirect));
  }
}

// base/json_access.h reads JSON from outside: an accessor that throws would end the process from a coroutine.
TEST_CASE("JSON is read without accessors that throw") {
  static const std::regex kThrowing(R"re((\.|->)(get|get_ref|get_to)<|(\.|->)(value|at)\("|json::parse\()re");
  for (const auto& entry : fs::recursive_directory_iterator(SourceRoot())) {
    const auto extension = entry.path().extension();
    if ((extension != ".cc" && extension != ".h") || entry.path().stem() == "json_access") continue;
    std::ifstream in(entry.path());
    std::string text;
    for (int line = 1; std::getline(in, text); line++) {
      if (std::regex_search(text, kThrowing)) {
        FAIL_CHECK(entry.path().string() + ":" + std::to_string(line) + ": " + text);
      }
    }
  }
}

TEST_CASE("model, pcl, update_plan and decisions link without threads, gRPC and protobuf") {
  static const std::regex kForbidden(R"(pthread_create|std::thread|std::condition_variable|grpc|google::protobuf)");
  const std::string archives = KINGPOST_PURE_ARCHIVES;
  REQUIRE_FALSE(archives.empty());
  for (size_t at = 0; at < archives.size();) {
    const size_t end = std::min(archives.find(' ', at), archives.size());
    const std::string archive = archives.substr(at, end - at);
    const auto symbols = UndefinedSymbols(archive);
    INFO(archive);
    CHECK_FALSE(symbols.empty());
    for (const std::string& symbol : symbols) {
      if (std::regex_search(symbol, kForbidden)) FAIL_CHECK(symbol);
    }
    at = end + 1;
  }
}

}  // namespace kingpost::includes_test
