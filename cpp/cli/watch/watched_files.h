// SPDX-License-Identifier: Apache-2.0
// The files below some folders that change, as inotify tells it. What counts is the content: a file that is written
// anew as it was has not changed, except for the first time.
//
//   auto files = WatchedFiles::Open({"/home/me/site"}, is_ignored);
//   poll((*files)->fd()) ─▶ (*files)->Take()          // {"/home/me/site/__main__.py"}
//
// One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"

namespace kingpost {

class WatchedFiles {
 public:
  // Whether a file, or a folder with all that is in it, is passed over. Paths are absolute.
  using IgnoreFilter = std::function<bool(const std::string& path, bool is_folder)>;

  // Folders with all below them, and single files, which need not be there yet. Fails with what the user can do where
  // the system watches no more.
  static Result<std::unique_ptr<WatchedFiles>> Open(const std::vector<std::string>& roots, IgnoreFilter is_ignored);
  ~WatchedFiles();
  WatchedFiles(const WatchedFiles&) = delete;

  int fd() const { return fd_; }  // readable when something may have changed
  // The files that have changed, have come or have gone since the last call, sorted. Does not block.
  std::vector<std::string> Take();
  // As it is now, the file is known: we have written it ourselves.
  void MarkKnown(const std::string& path);
  size_t folders() const { return folders_.size(); }

 private:
  struct Folder {
    std::string path;
    bool whole = true;            // else only some of its files
    std::set<std::string> names;  // these
  };

  WatchedFiles(int fd, IgnoreFilter is_ignored) : fd_(fd), is_ignored_(std::move(is_ignored)) {}
  Status AddFile(const std::string& path);
  // `found`: gets the files in it, for a folder that has just come; may be null.
  Status AddFolder(const std::string& path, std::set<std::string>* found);
  Status Watch(const std::string& path, int* number);
  void Forget(const std::string& path);  // a folder that has gone, with those below it
  void HandleEvent(int number, uint32_t what, const std::string& name, std::set<std::string>* changed);
  void RescanAll(std::set<std::string>* changed);
  bool HasChanged(const std::string& path);

  const int fd_;
  const IgnoreFilter is_ignored_;
  std::vector<std::string> roots_;
  std::unordered_map<int, Folder> folders_;  // by the number of the watch
  std::unordered_map<std::string, int> numbers_;
  std::unordered_map<std::string, uint64_t> contents_;  // digests of files that have changed before
};

}  // namespace kingpost
