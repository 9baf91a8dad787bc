// SPDX-License-Identifier: Apache-2.0
// Reads the #include lines of cpp/ from the files, for the tests of the rooms.
#pragma once

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace kingpost::layering {

struct Include {
  std::filesystem::path file;
  int line;
  std::string folder;  // of the including file
  std::string target;  // as written, without quotes or brackets
  bool quoted;
};

inline std::filesystem::path SourceRoot() { return std::filesystem::path(KINGPOST_SOURCE_DIR) / "cpp"; }

// "base" for cpp/base/..., "kingpost" for cpp/include/kingpost/..., "languages/yaml" for cpp/languages/yaml/...
inline std::string FolderBelow(const std::filesystem::path& file) {
  const std::string folder = std::filesystem::relative(file, SourceRoot()).parent_path();
  return folder.starts_with("include/") ? folder.substr(8) : folder;
}

inline std::vector<Include> ReadIncludes(const std::filesystem::path& file) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  std::vector<Include> found;
  std::ifstream in(file);
  std::string text;
  const std::string folder = FolderBelow(file);
  for (int line = 1; std::getline(in, text); line++) {
    std::smatch match;
    if (std::regex_search(text, match, kInclude)) found.push_back({file, line, folder, match[2], match[1] == "\""});
  }
  return found;
}

inline std::vector<Include> AllIncludes() {
  std::vector<Include> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SourceRoot())) {
    const auto extension = entry.path().extension();
    if (extension != ".cc" && extension != ".h") continue;
    for (auto& include : ReadIncludes(entry.path())) all.push_back(std::move(include));
  }
  return all;
}

}  // namespace kingpost::layering
