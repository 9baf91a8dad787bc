// SPDX-License-Identifier: Apache-2.0
// The events that a watch waits for: changed files, keys, signals. A thread waits for them and wakes the loop; they
// are read on the loop's thread, between runs, and in a run that takes long. Keys come one by one only while it waits:
// an operation finds the terminal as it was.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/loop.h"
#include "cli/session/signals.h"
#include "cli/watch/watched_files.h"

namespace kingpost {

class WatchEvents {
 public:
  struct WatchEvent {
    std::vector<std::string> files;
    char key = 0;  // a letter in lower case; 'q' for Ctrl-C, Escape and the end of input too
  };

  // keys: the person at the terminal may press some.
  WatchEvents(Loop& loop, std::unique_ptr<WatchedFiles> files, bool keys);
  ~WatchEvents();
  WatchEvents(const WatchEvents&) = delete;

  // Runs the loop until there is news, or for so long. Changes that follow each other closely come together.
  WatchEvent Wait(std::chrono::milliseconds limit);
  // Whether files have changed since the last call or Wait; the next Wait tells which.
  bool HasChanges();
  // Drops the keys that were typed while something else was shown, except those that end the watch.
  void DropKeys();
  // Calls `changed` once, on the loop's thread, when files have changed since the last HasChanges and `after` has
  // passed. Works as long as the returned object lives, in one run of the loop.
  std::shared_ptr<void> Follow(std::chrono::milliseconds after, std::function<void()> changed);
  // Other files from now on.
  void set_files(std::unique_ptr<WatchedFiles> files);
  // This file has been written by this command, and is no news as it is now.
  void MarkKnown(const std::string& file) { files_->MarkKnown(file); }
  // A signal has asked for the end.
  bool interrupted() const { return interrupted_; }

 private:
  void Listen();
  void StartListening();
  void StopListening();
  void Wake();
  WatchEvent Take(class RawTerminal* terminal);

  Loop& loop_;
  std::unique_ptr<WatchedFiles> files_;
  std::set<std::string> seen_;  // by HasChanges
  bool has_quit_ = false;       // by a key, while something else was shown
  const bool keys_;
  int quit_[2] = {-1, -1};
  std::thread listener_;
  std::shared_ptr<bool> waiting_ = std::make_shared<bool>(false);  // loop thread
  std::atomic<bool> interrupted_{false};
  const WatchingSignals signals_;
};

}  // namespace kingpost
