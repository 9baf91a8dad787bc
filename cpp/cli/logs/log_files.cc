// SPDX-License-Identifier: Apache-2.0
#include "cli/logs/log_files.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "base/go_duration.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr char kOfCommands[] = "pulumi";
constexpr char kLogEnd[] = ".log";
constexpr size_t kStampSize = 15;  // 20261125T103709

bool IsStamp(const std::string& text, size_t at) {
  for (size_t i = 0; i < kStampSize; ++i) {
    const char c = text[at + i];
    if (i == 8 ? c != 'T' : std::isdigit(static_cast<unsigned char>(c)) == 0) return false;
  }
  return true;
}

std::optional<std::time_t> LocalOrUtc(const std::string& text, const char* format, bool utc) {
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), format, &parts);
  if (!end || *end != '\0') return {};
  parts.tm_isdst = -1;
  return utc ? ::timegm(&parts) : std::mktime(&parts);
}

}  // namespace

std::string LogFile::shown_stack() const {
  if (!is_command_log()) return stack;
  return command.empty() ? "(cli)" : "(cli: " + command + ")";
}

std::optional<LogFile> ParseLogName(const std::string& name) {
  if (!name.ends_with(kLogEnd)) return {};
  const std::string stem = name.substr(0, name.size() - (sizeof(kLogEnd) - 1));
  size_t at = 0;
  while (at + kStampSize <= stem.size() && !IsStamp(stem, at)) ++at;
  if (at + kStampSize > stem.size()) return {};
  const auto time = LocalOrUtc(stem.substr(at, kStampSize), "%Y%m%dT%H%M%S", /*utc=*/false);
  if (!time) return {};
  LogFile file;
  file.name = name;
  file.time = *time;
  std::string owner = stem.substr(0, at), rest = stem.substr(at + kStampSize);
  if (owner.ends_with('-')) owner.pop_back();
  if (rest.starts_with('-')) rest.erase(0, 1);
  if (owner == kOfCommands) {
    const size_t dash = rest.find('-');
    if (dash != std::string::npos) file.command = rest.substr(dash + 1);
    std::replace(file.command.begin(), file.command.end(), '_', ' ');
    file.update_id = rest.substr(0, dash);
  } else {
    std::replace(owner.begin(), owner.end(), '+', '/');
    file.stack = owner;
    file.update_id = rest;
  }
  return file;
}

Result<std::vector<LogFile>> ListLogFiles(const std::string& folder) {
  std::vector<LogFile> files;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error == std::errc::no_such_file_or_directory) return files;
  if (error) return Status(Code::kUnknown, "could not read the folder " + folder + ": " + error.message());
  for (const fs::directory_entry& entry : entries) {
    std::optional<LogFile> file = ParseLogName(entry.path().filename().string());
    if (!file || !entry.is_regular_file(error)) continue;
    file->path = entry.path().string();
    file->bytes = static_cast<int64_t>(entry.file_size(error));
    if (error) continue;  // gone in the meantime
    files.push_back(*std::move(file));
  }
  std::sort(files.begin(), files.end(),
            [](const LogFile& a, const LogFile& b) { return a.time != b.time ? a.time > b.time : a.name > b.name; });
  return files;
}

std::optional<std::time_t> ParseLogTime(const std::string& text, std::time_t now) {
  if (const auto seconds = ParseGoDuration(text); seconds && text != "0") {
    return now - static_cast<std::time_t>(*seconds);
  }
  const bool utc = text.ends_with('Z');
  const std::string local = utc ? text.substr(0, text.size() - 1) : text;
  for (const char* format : {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H", "%Y-%m-%d"}) {
    if (const auto time = LocalOrUtc(local, format, utc)) return time;
  }
  int64_t since_1970 = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, since_1970);
  if (error != std::errc() || stop != end) return {};
  return static_cast<std::time_t>(since_1970);
}

}  // namespace kingpost
