// SPDX-License-Identifier: Apache-2.0
// The drawing of docs/architecture.md, checked against the files: includes point one way, only rpc/ sees gRPC and
// protobuf, and what model/ and decisions/ compile to needs no thread, no gRPC and no protobuf.
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

namespace kingpost::includes_test {

using namespace layering;
namespace fs = std::filesystem;
using Folders = std::set<std::string>;

// What each folder may include beside itself. `kingpost` stands for cpp/include/kingpost: the seams, which are
// vocabulary and so open to everyone.
const std::map<std::string, Folders>& Allowed() {
  static const std::map<std::string, Folders> kAllowed = [] {
    std::map<std::string, Folders> allowed;
    Folders below;
    for (const char* folder : {"base",
                               "model",
                               "naming",
                               "languages/schema",
                               "languages/pcl",
                               "update_plan",
                               "decisions",
                               "remote/http",
                               "remote/blob",
                               "remote/cloud",
                               "assets",
                               "secrets",
                               "store",
                               "workspace",
                               "languages/codegen",
                               "languages/sdkgen",
                               "languages/yaml",
                               "plugins",
                               "journal",
                               "engine/providers",
                               "languages/snippets",
                               "engine",
                               "operation",
                               "rpc",
                               "cli"}) {
      allowed[folder] = below;
      allowed[folder].insert("kingpost");
      below.insert(folder);
    }
    allowed["kingpost"] = {"base", "model"};
    return allowed;
  }();
  return kAllowed;
}

std::string FolderOf(const std::string& target) {
  const size_t first = target.find('/');
  const std::string two = target.substr(0, target.find('/', first + 1));
  return Allowed().contains(two) ? two : target.substr(0, first);
}

bool IsWireHeader(const std::string& target) {
  return target.starts_with("grpc") || target.starts_with("google/protobuf") || target.ends_with(".pb.h");
}

std::string Where(const Include& include) {
  return include.file.string() + ":" + std::to_string(include.line) + ": " + include.target;
}

std::vector<std::string> UndefinedSymbols(const std::string& archive) {
  const std::string command = "nm --undefined-only --demangle '" + archive + "'";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::vector<std::string> symbols;
  std::array<char, 4096> line;
  while (pipe && fgets(line.data(), line.size(), pipe.get()) != nullptr) symbols.emplace_back(line.data());
  return symbols;
}

TEST_CASE("includes point one way, from the outer layers to the inner ones") {
  const auto includes = AllIncludes();
  REQUIRE(includes.size() > 20);
  for (const Include& include : includes) {
    if (!include.quoted || IsWireHeader(include.target)) continue;
    const std::string target = FolderOf(include.target);
    INFO(Where(include));
    const std::string folder = FolderOf(include.folder);
    REQUIRE(Allowed().contains(folder));
    CHECK((target == folder || Allowed().at(folder).contains(target)));
  }
}

TEST_CASE("only rpc includes gRPC and protobuf") {
  for (const Include& include : AllIncludes()) {
    if (include.folder == "rpc") continue;
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

// Which variables count, what an empty one means and where home is, is said once.
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

// What others wrote is read by base/json_access.h: an accessor that throws would end the process from a coroutine.
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

TEST_CASE("model, pcl and plan link without threads, gRPC and protobuf") {
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
