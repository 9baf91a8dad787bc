// SPDX-License-Identifier: Apache-2.0
// The table of rooms, cmake/Rooms.cmake, as CMake reads it.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "layering/include_lines.h"

namespace kingpost::layering {

class Rooms {
 public:
  Rooms() {
    std::ifstream in(std::filesystem::path(KINGPOST_SOURCE_DIR) / "cmake" / "Rooms.cmake");
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    static const std::string kCall = "\nkp_room(";
    for (size_t at = text.find(kCall); at != std::string::npos; at = text.find(kCall, at + 1)) {
      const size_t begin = at + kCall.size();
      std::istringstream words(text.substr(begin, text.find(')', begin) - begin));
      std::string room, keyword;
      words >> room;
      names_.push_back(room);
      library_of_[room] = room;
      for (std::string word; words >> word;) {
        if (word == "IN" || word == "MAY_INCLUDE") {
          keyword = word;
        } else if (keyword == "IN") {
          library_of_[room] = word;
        } else {
          may_include_[room].insert(word);
        }
      }
    }
  }

  const std::vector<std::string>& names() const { return names_; }
  const std::set<std::string>& may_include(const std::string& room) const { return Of(may_include_, room); }

  // The folder in whose library a room is, and all rooms in the library of a folder.
  const std::string& library_of(const std::string& room) const { return library_of_.at(room); }
  std::vector<std::string> InLibrary(const std::string& folder) const {
    std::vector<std::string> rooms;
    for (const std::string& room : names_) {
      if (library_of(room) == folder) rooms.push_back(room);
    }
    return rooms;
  }

  // All rooms that it sees, directly or through others.
  std::set<std::string> Closure(const std::string& room) const {
    std::set<std::string> all;
    std::vector<std::string> left = {room};
    while (!left.empty()) {
      const std::string next = left.back();
      left.pop_back();
      for (const std::string& other : may_include(next)) {
        if (all.insert(other).second) left.push_back(other);
      }
    }
    return all;
  }

  // The innermost room around a file; "" if there is none.
  std::string Of(const std::filesystem::path& file) const {
    return Around(std::filesystem::relative(file, SourceRoot()).string());
  }
  // The same for the path of an #include line.
  std::string OfInclude(const std::string& target) const {
    return Around(target.starts_with("kingpost/") ? "include/" + target : target);
  }

 private:
  using Table = std::map<std::string, std::set<std::string>>;

  static const std::set<std::string>& Of(const Table& table, const std::string& room) {
    static const std::set<std::string> kNone;
    const auto found = table.find(room);
    return found == table.end() ? kNone : found->second;
  }

  std::string Around(const std::string& path) const {
    std::string longest;
    for (const std::string& room : names_) {
      if (path.starts_with(room + "/") && room.size() > longest.size()) longest = room;
    }
    return longest;
  }

  std::vector<std::string> names_;
  Table may_include_;
  std::map<std::string, std::string> library_of_;
};

}  // namespace kingpost::layering
