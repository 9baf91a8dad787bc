// SPDX-License-Identifier: Apache-2.0
// See layout.h.
#include "store/layout.h"

#include <filesystem>
#include <optional>
#include <sstream>

#include "base/os.h"
#include "store/durable_file.h"

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
  StoreLayout layout;
  layout.root_ = root;
  const Result<std::string> meta = ReadWholeFile(layout.MetaFile());
  if (!meta.ok() && meta.status().code() != Code::kNotFound) return meta.status();
  if (!meta.ok()) {
    layout.meta_missing_ = true;
    layout.legacy_ = HasLegacyStacks(layout.StacksFolder()) ||
                     IsTrueVariable("PULUMI_DIY_BACKEND_LEGACY_LAYOUT", "PULUMI_SELF_MANAGED_STATE_LEGACY_LAYOUT");
    return layout;
  }
  const std::optional<int> version = ParseMetaVersion(*meta);
  if (!version) {
    return Status(Code::kDataLoss, layout.MetaFile() + ": corrupt store: missing version; it should read 'version: 1'");
  }
  if (*version > 1) {
    return Status(Code::kUnimplemented, layout.MetaFile() + ": state store unsupported: version " +
                                            std::to_string(*version) + " is newer than this version knows; upgrade");
  }
  layout.legacy_ = *version == 0;
  return layout;
}

}  // namespace kingpost
