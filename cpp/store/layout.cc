// SPDX-License-Identifier: Apache-2.0
// See layout.h.
#include "store/layout.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/disk/durable_file.h"
#include "base/os.h"

namespace kingpost {
namespace {

namespace fs = std::filesystem;

bool RemoveSuffix(std::string* text, std::string_view suffix) {
  if (text->size() <= suffix.size() || text->compare(text->size() - suffix.size(), suffix.size(), suffix) != 0) {
    return false;
  }
  text->resize(text->size() - suffix.size());
  return true;
}

// The one number of "version: 1". Other keys are left to later versions.
std::optional<int> ParseMetaVersion(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 8, "version:") != 0) continue;
    std::istringstream number(line.substr(8));
    int version = 0;
    std::string rest;
    if (!(number >> version) || version < 0) return std::nullopt;
    if (number >> rest && rest[0] != '#') return std::nullopt;
    return version;
  }
  return std::nullopt;
}

bool HasLegacyStacks(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file(error) && !StackOfFile(entry.path().filename().string()).empty()) return true;
  }
  return false;
}

}  // namespace

std::string MetaText(bool legacy) { return legacy ? "version: 0\n" : "version: 1\n"; }

std::string StackOfFile(const std::string& file_name) {
  std::string name = file_name;
  if (!RemoveSuffix(&name, ".gz")) RemoveSuffix(&name, ".zst");
  if (!RemoveSuffix(&name, ".json")) return "";
  return ValidateStackName(name).ok() ? name : "";
}

StoreLayout StoreLayout::Of(const std::string& root, bool legacy) {
  StoreLayout layout;
  layout.root_ = root;
  layout.legacy_ = legacy;
  return layout;
}

Result<StoreLayout> StoreLayout::Detect(const std::string& root) {
  const StoreLayout layout = Of(root, /*legacy=*/false);
  Result<std::string> read = ReadWholeFile(layout.MetaFile());
  if (!read.ok() && read.status().code() != Code::kNotFound) return read.status();
  std::optional<std::string> meta;
  if (read.ok()) meta = *std::move(read);
  return Read(root, layout.MetaFile(), meta, [&] { return HasLegacyStacks(layout.StacksFolder()); });
}

Result<StoreLayout> StoreLayout::Read(const std::string& root, const std::string& where,
                                      const std::optional<std::string>& meta,
                                      const std::function<Result<bool>()>& has_legacy_stacks) {
  StoreLayout layout = Of(root, /*legacy=*/false);
  if (!meta) {
    layout.meta_missing_ = true;
    layout.legacy_ = IsTrueVariable("PULUMI_DIY_BACKEND_LEGACY_LAYOUT", "PULUMI_SELF_MANAGED_STATE_LEGACY_LAYOUT");
    if (layout.legacy_) return layout;
    const Result<bool> legacy = has_legacy_stacks();
    if (!legacy.ok()) return legacy.status();
    layout.legacy_ = *legacy;
    return layout;
  }
  const std::optional<int> version = ParseMetaVersion(*meta);
  if (!version) {
    return Status(Code::kDataLoss, where + ": corrupt store: missing version; it should read 'version: 1'");
  }
  if (*version > 1) {
    return Status(Code::kUnimplemented, where + ": state store unsupported: version " + std::to_string(*version) +
                                            " is newer than this version knows; upgrade");
  }
  layout.legacy_ = *version == 0;
  return layout;
}

std::optional<int64_t> HistoryTimeOf(const std::string& file_name) {
  const size_t kind = file_name.find(".history.json");
  const size_t dash = kind == std::string::npos ? kind : file_name.rfind('-', kind);
  if (dash == std::string::npos) return std::nullopt;
  const std::string extension = file_name.substr(kind + sizeof(".history.json") - 1);
  if (!extension.empty() && extension != ".gz" && extension != ".zst") return std::nullopt;
  const std::string digits = file_name.substr(dash + 1, kind - dash - 1);
  if (digits.empty() || digits.size() > 18 + 1 || !std::all_of(digits.begin(), digits.end(), ::isdigit)) {
    return std::nullopt;
  }
  return static_cast<int64_t>(std::strtoll(digits.c_str(), nullptr, 10));
}

Status CheckName(const StoreLayout& layout, const StackName& stack) {
  const Status project = layout.legacy() ? Status::Ok() : ValidateProjectName(stack.project);
  return project.ok() ? ValidateStackName(stack.name) : project;
}

}  // namespace kingpost
