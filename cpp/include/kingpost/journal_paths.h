// SPDX-License-Identifier: Apache-2.0
// The files around the journal of a stack. All lie in one folder, for the owner only.
#pragma once

#include <unistd.h>

#include <ctime>
#include <string>

namespace kingpost {

struct JournalPaths {
  // As StateStore::JournalPath gives it: ".../NAME.journal".
  explicit JournalPaths(const std::string& path)
      : stem(path.substr(0, path.size() - std::string(".journal").size())), journal(path) {}

  const std::string stem;
  const std::string journal;                             // of the operation that runs, or was interrupted
  const std::string taken = stem + ".journal.taken";     // the same while it is recovered: out of its writer's reach
  const std::string commit = stem + ".journal.commit";   // which checkpoint the recovery is about to save
  const std::string rejected = stem + ".rejected.json";  // a state that was not in order, and so was not saved

  // A name of its own for a journal that waits to be merged: NAME.20261122T013015Z-4711.kept
  std::string NewKeptPath() const {
    const time_t now = ::time(nullptr);
    tm utc{};
    ::gmtime_r(&now, &utc);
    char text[32];
    ::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc);
    return stem + "." + text + "-" + std::to_string(::getpid()) + ".kept";
  }
};

}  // namespace kingpost
