// SPDX-License-Identifier: Apache-2.0
// A seam may declare a function that another room defines, so includes alone do not show every dependency. These tests
// use the symbols of the libraries: the rooms that the table (cmake/Rooms.cmake) lists must define each symbol that a
// room needs.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "layering/rooms.h"

namespace kingpost::links_test {

using layering::Rooms;

struct Symbols {
  std::unordered_set<std::string> defined, wanted;
};

// Returns the names of kingpost in the archive. The linker finds missing names of other libraries.
Symbols SymbolsOf(const std::string& archive) {
  const std::string command = "nm --extern-only --format=posix '" + archive + "'";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  Symbols symbols;
  std::array<char, 16384> line;
  while (pipe && fgets(line.data(), line.size(), pipe.get()) != nullptr) {
    std::istringstream words(line.data());
    std::string name, kind;
    words >> name >> kind;
    if (name.find("kingpost") == std::string::npos || kind.size() != 1) continue;
    (kind == "U" ? symbols.wanted : symbols.defined).insert(name);
  }
  return symbols;
}

// By the folder of each library: "base", "engine/providers".
std::map<std::string, Symbols> AllSymbols() {
  std::map<std::string, Symbols> all;
  std::istringstream archives(KINGPOST_ARCHIVES);  // "base=/path/to/libkp_base.a ..."
  for (std::string word; archives >> word;) {
    const size_t equals = word.find('=');
    all[word.substr(0, equals)] = SymbolsOf(word.substr(equals + 1));
  }
  return all;
}

TEST_CASE("a library calls only functions of the rooms that its rooms include, directly or not") {
  const Rooms rooms;
  const auto symbols = AllSymbols();
  REQUIRE(symbols.size() > 20);
  std::unordered_map<std::string, std::set<std::string>> homes;
  for (const auto& [library, its] : symbols) {
    for (const std::string& name : its.defined) homes[name].insert(library);
  }
  for (const auto& [library, its] : symbols) {
    INFO(library);
    std::set<std::string> reached = {library};
    for (const std::string& room : rooms.InLibrary(library)) {
      for (const std::string& seen : rooms.Closure(room)) reached.insert(rooms.library_of(seen));
    }
    for (const std::string& name : its.wanted) {
      const auto found = homes.find(name);
      if (found == homes.end()) continue;
      bool is_reached = false;
      for (const std::string& home : found->second) is_reached = is_reached || reached.contains(home);
      if (!is_reached) FAIL_CHECK(name << " is defined in " << *found->second.begin());
    }
  }
}

}  // namespace kingpost::links_test
