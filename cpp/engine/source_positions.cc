// SPDX-License-Identifier: Apache-2.0
#include "engine/source_positions.h"

#include "base/percent.h"

namespace kingpost::engine {

namespace {
constexpr std::string_view kFile = "file://";
}

SourcePositions::SourcePositions(const std::string& project_root)
    : root_(std::filesystem::path(project_root).lexically_normal()) {}

std::string SourcePositions::Relative(const std::string& position) {
  const size_t hash = std::min(position.rfind('#'), position.size());
  const auto [known, is_new] = urls_.try_emplace(position.substr(0, hash));
  if (is_new) known->second = RelativeUrl(known->first);
  return known->second.empty() ? "" : known->second + position.substr(hash);
}

std::string SourcePositions::RelativeUrl(const std::string& url) const {
  if (!url.starts_with(kFile)) return "";
  const std::string path = PercentDecode(std::string_view(url).substr(kFile.size()));
  if (!path.starts_with('/')) return "";
  const auto relative = std::filesystem::path(path).lexically_normal().lexically_relative(root_);
  return relative.empty() ? "" : "project:///" + EscapeUrlPath(relative.generic_string());
}

std::vector<std::string> SourcePositions::Trace(const std::vector<std::string>& raw, const std::string& parent_handle) {
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
