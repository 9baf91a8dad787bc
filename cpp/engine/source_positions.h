// SPDX-License-Identifier: Apache-2.0
// Where in the user's program a resource was registered (row 1.17). Engine thread.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace kingpost::engine {

class SourcePositions {
 public:
  explicit SourcePositions(const std::string& project_root);

  // "file:///abs/path#line,col" -> "project:///rel/path#line,col"; "" for anything else.
  std::string Relative(const std::string& position);
  // The positions of a trace; those of the request it was made for come first.
  std::vector<std::string> Trace(const std::vector<std::string>& raw, const std::string& parent_handle);

  // Remembers the trace of a request that runs a plugin, so that what the plugin registers can name it.
  std::string Record(std::vector<std::string> trace, const std::string& handle);
  void Release(const std::string& handle) { traces_.erase(handle); }

 private:
  std::string RelativeUrl(const std::string& url) const;

  const std::filesystem::path root_;
  std::unordered_map<std::string, std::string> urls_;  // of the few files that a program has, as they were asked for
  std::unordered_map<std::string, std::vector<std::string>> traces_;
};

}  // namespace kingpost::engine
