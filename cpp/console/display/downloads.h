// SPDX-License-Identifier: Apache-2.0
// Downloads and installations that are under way, as a display shows them. One thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kingpost/event.h"

namespace kingpost {

class Downloads {
 public:
  // A sentence for a display that only ever adds lines: "Downloading plugin aws-6.1.0: starting", later ": done". ""
  // for what lies between.
  std::string Apply(const ProgressEvent& event);

  bool empty() const { return running_.empty(); }
  int size() const { return static_cast<int>(running_.size()); }
  // A line each, with a bar as far as there is room: "Downloading plugin aws-6.1.0 [--->____] 1.20 MiB/3.00 MiB"
  std::vector<std::string> Lines(int columns) const;

 private:
  std::map<std::string, ProgressEvent> running_;  // by ID
};

// "512 B", "1.50 MiB"
std::string BytesText(int64_t bytes);

}  // namespace kingpost
