// SPDX-License-Identifier: Apache-2.0
#include "engine/source_positions.h"

#include <filesystem>

namespace kingpost::engine {

namespace {
constexpr char kFile[] = "file://";
}

std::string SourcePositions::Relative(const std::string& position) const {
  if (position.rfind(kFile, 0) != 0) return "";
  const size_t hash = position.rfind('#');
  const std::string path =
      position.substr(sizeof(kFile) - 1, hash == std::string::npos ? hash : hash - sizeof(kFile) + 1);
  if (path.empty() || path[0] != '/') return "";
  const std::string relative = std::filesystem::path(path).lexically_relative(root_).generic_string();
  if (relative.empty()) return "";
  return "project:///" + relative + (hash == std::string::npos ? "" : position.substr(hash));
}

std::vector<std::string> SourcePositions::Trace(const std::vector<std::string>& raw,
                                                const std::string& parent_handle) const {
  std::vector<std::string> trace;
  auto parent = traces_.find(parent_handle);
  if (!parent_handle.empty() && parent != traces_.end()) trace = parent->second;
  for (const std::string& position : raw) trace.push_back(Relative(position));
  return trace;
}

std::string SourcePositions::Record(std::vector<std::string> trace, const std::string& handle) {
  if (trace.empty()) return "";
  traces_[handle] = std::move(trace);
  return handle;
}

}  // namespace kingpost::engine
