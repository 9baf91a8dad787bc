// SPDX-License-Identifier: Apache-2.0
#include "runtimes/build_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/cache_folder.h"
#include "base/digest.h"
#include "base/os.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr char kBuiltProgram[] = "program";
constexpr char kRoomPrefix[] = "new-";
constexpr std::chrono::hours kUnusedMax{30 * 24};

bool IsProgram(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

// One line for a file: its path and its hash, "-" for one that is not there.
void AddFile(const std::string& path, std::string* lines) {
  const Result<std::string> text = ReadWholeFile(path);
  *lines += path + " " + (text.ok() ? Sha256Hex(*text) : "-") + "\n";
}

void AddFolder(const std::string& path, bool whole_tree, std::string* lines) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (!whole_tree || at->path().filename() == ".git") at.disable_recursion_pending();
    if (at->is_regular_file(ignored)) files.push_back(at->path().string());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) AddFile(file, lines);
}

// A letter and a path in each line.
std::string WriteInputs(const BuildInputs& inputs) {
  std::string text;
  for (const auto& path : inputs.files) text += "f " + path + "\n";
  for (const auto& path : inputs.folders) text += "d " + path + "\n";
  for (const auto& path : inputs.trees) text += "t " + path + "\n";
  return text;
}

BuildInputs ReadInputs(const std::string& text) {
  BuildInputs inputs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 3) continue;
    auto& list = line[0] == 'f' ? inputs.files : line[0] == 'd' ? inputs.folders : inputs.trees;
    list.push_back(line.substr(2));
  }
  return inputs;
}

// Under another name first: two commands may write it at once.
void WriteAside(const std::string& path, const std::string& text) {
  const std::string fresh = path + "." + std::to_string(getpid());
  std::ofstream(fresh, std::ios::binary) << text;
  std::error_code error;
  fs::rename(fresh, path, error);
  if (error) fs::remove(fresh, error);
}

}  // namespace

std::string ContentOf(const BuildInputs& inputs, const std::string& settings) {
  std::string lines = settings + "\n";
  for (const auto& path : inputs.files) AddFile(path, &lines);
  for (const auto& path : inputs.folders) AddFolder(path, false, &lines);
  for (const auto& path : inputs.trees) AddFolder(path, true, &lines);
  return Sha256Hex(lines);
}

Result<BuildCache> BuildCache::Open(const std::string& folder) {
  const Status unusable(Code::kFailedPrecondition, "no folder for programs that are built");
  if (folder.empty()) return unusable;
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  mkdir(folder.c_str(), 0700);
  return IsTrustedFolder(folder) ? Result(BuildCache(folder)) : unusable;
}

std::string BuildCache::ProgramOf(const std::string& content) const {
  return folder_ + "/" + content + "/" + kBuiltProgram;
}

std::string BuildCache::ListOf(const std::string& source) const {
  return folder_ + "/" + Sha256Hex(source) + ".inputs";
}

std::string BuildCache::Find(const std::string& source, const std::string& settings) const {
  const Result<std::string> list = ReadWholeFile(ListOf(source));
  if (!list.ok()) return "";
  const std::string program = ProgramOf(ContentOf(ReadInputs(*list), settings));
  if (!IsProgram(program)) return "";
  utimensat(AT_FDCWD, program.c_str(), nullptr, 0);
  return program;
}

std::string BuildCache::Adopt(const std::string& source, const BuildInputs& inputs, const std::string& content) const {
  const std::string program = ProgramOf(content);
  if (!IsProgram(program)) return "";
  utimensat(AT_FDCWD, program.c_str(), nullptr, 0);
  WriteAside(ListOf(source), WriteInputs(inputs));
  return program;
}

Result<std::string> BuildCache::NewBuildTarget() const {
  std::string room = folder_ + "/" + kRoomPrefix + "XXXXXX";
  if (mkdtemp(room.data())) return room + "/" + kBuiltProgram;
  return Status(Code::kUnknown, "cannot make a folder in " + folder_ + ": " + std::strerror(errno));
}

Result<std::string> BuildCache::Keep(const std::string& program, const std::string& source, const BuildInputs& inputs,
                                     const std::string& content) const {
  RemoveUnused();
  const std::string kept = ProgramOf(content);
  std::error_code error;
  fs::rename(fs::path(program).parent_path(), fs::path(kept).parent_path(), error);
  if (error) Drop(program);  // another command was quicker
  if (!IsProgram(kept)) return Status(Code::kUnknown, "cannot keep " + kept + ": " + error.message());
  WriteAside(ListOf(source), WriteInputs(inputs));
  return kept;
}

void BuildCache::Drop(const std::string& program) const {
  std::error_code error;
  fs::remove_all(fs::path(program).parent_path(), error);
}

// Also rooms of builds that were killed.
void BuildCache::RemoveUnused() const {
  const auto oldest = fs::file_time_type::clock::now() - kUnusedMax;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const bool room = at->path().filename().string().starts_with(kRoomPrefix);
    const fs::path dated = at->is_directory() && !room ? at->path() / kBuiltProgram : at->path();
    std::error_code unknown;
    const auto used = fs::last_write_time(dated, unknown);
    if (!unknown && used < oldest) fs::remove_all(at->path(), unknown);
  }
}

}  // namespace kingpost
