// SPDX-License-Identifier: Apache-2.0
// Unpacks the archive of a plugin, a gzipped tar file from somewhere on the network, into a folder. Nothing in it may
// write anywhere else. For worker threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"

namespace kingpost {

// Several times what the largest plugins have.
struct UnpackLimits {
  int64_t bytes = int64_t{8} << 30;  // of all files together
  int64_t entries = 500'000;
};

// `archive` is an open file, read from its beginning; `name` is for messages. Folders are private to the user, files
// keep their permission bits. `on_progress` gets the bytes of the archive read so far; false ends the work with
// Cancelled. InvalidArgument: it is refused, and what is in the folder is of no use.
Status UnpackTarGz(int archive, const std::string& name, const std::string& folder,
                   const std::function<bool(int64_t bytes_read)>& on_progress,
                   const UnpackLimits& limits = UnpackLimits());

}  // namespace kingpost
