// SPDX-License-Identifier: Apache-2.0
// Files that are whole or absent: written beside their place, synced, renamed, and the folder synced.
//
// A failure on the way leaves the former file as it was. The last step syncs the folder: if only that fails, the new
// file is in place, and a power cut may still undo it. Blocking; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/os.h"

namespace kingpost {

enum class FileOp { kOpen, kWrite, kSync, kLink, kRename, kSyncFolder };

// Asked before each step of a write: 0 to go on, else the errno to fail with. Lets tests fail the Nth step.
using FileFault = std::function<int(FileOp, const std::string& path)>;

struct DurableOptions {
  std::string backup_path;  // the former file is kept under this path (replacing what is there), if it looks whole
  const FileFault* fault = nullptr;
  bool sync = true;  // false for what may be lost in a power cut, such as history
};

// Creates missing folders (0700) and files (0600); a file that existed keeps its mode. A symbolic link stays one: the
// file it points to is replaced.
Status WriteFileDurably(const std::string& path, std::string_view bytes, const DurableOptions& options = {});

Status MakeFolders(const std::string& path);
// The same, for a folder whose content must survive a power cut: the name of an existing empty folder is synced as
// well.
Status MakeFoldersDurably(const std::string& path);
// Syncs the folder: files that were made, renamed or removed in it are then on the disk.
Status SyncFolder(const std::string& path);
// A missing file is fine.
Status RemoveFile(const std::string& path);
bool FileExists(const std::string& path);

}  // namespace kingpost
