// SPDX-License-Identifier: Apache-2.0
// FileStore's documents beside the state: history, reasons, backups, tags, and what a new name does to all of them.
#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/clock.h"
#include "base/command_name.h"
#include "base/json_access.h"
#include "kingpost/journal_paths.h"
#include "store/file_store.h"
#include "store/stack_tags.h"

namespace kingpost {
namespace {

namespace fs = std::filesystem;

struct HistoryFile {
  int64_t time_ns = 0;
  std::string path;
};

// NAME-UNIXNANO.history.json[.gz|.zst]; the number orders them.
std::vector<HistoryFile> ListHistory(const std::string& folder) {
  std::vector<HistoryFile> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (const std::optional<int64_t> time_ns = HistoryTimeOf(name)) files.push_back({*time_ns, entry.path().string()});
  }
  std::sort(files.begin(), files.end(),
            [](const HistoryFile& a, const HistoryFile& b) { return a.time_ns > b.time_ns; });
  return files;
}

// Moves X-123.history.json to Y-123.history.json; files of other forms stay.
Status RenameHistory(const std::string& from, const std::string& to, const std::string& old_name,
                     const std::string& new_name) {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(from, error)) {
    if (!entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  if (error)
    return error == std::errc::no_such_file_or_directory ? Status::Ok() : FileError(from, "list", error.value());
  const Status made = MakeFolders(to);
  if (!made.ok()) return made;
  for (const std::string& name : names) {
    const size_t dash = name.rfind('-');
    if (dash == std::string::npos || name.substr(0, dash) != old_name) continue;
    const std::string target = to + "/" + new_name + name.substr(dash);
    if (rename((from + "/" + name).c_str(), target.c_str()) != 0) return FileError(target, "rename to", errno);
  }
  return Status::Ok();
}

}  // namespace

// The state file as it is on disk, copied (not linked: people edit state files in place).
Result<std::string> FileStore::CopyCurrent(const StackName& stack, const std::string& to_without_extension) {
  const std::string file = CurrentFile(stack);
  const Result<std::string> bytes = ReadWholeFile(file);
  if (!bytes.ok()) return bytes.status();
  const std::string to = to_without_extension + ".json" + file.substr(layout_.StackFile(stack).size());
  std::string sidecar;
  {
    std::lock_guard<std::mutex> lock(saved_mutex_);
    if (saved_ && saved_->version == VersionOf(file)) sidecar = saved_->sidecar;
  }
  const Status written = Write(to, *bytes, sidecar.empty() ? SidecarOf(*bytes) : sidecar, "", false);
  if (!written.ok()) return written;
  return to;
}

Status FileStore::AppendHistory(const StackName& stack, std::string_view record) {
  const std::string folder = layout_.HistoryFolder(stack);
  // A clock that was set back must not sort this record below older ones.
  const std::vector<HistoryFile> files = ListHistory(folder);
  const int64_t time_ns = std::max(NowUnixNano(), files.empty() ? 0 : files[0].time_ns + 1);
  const std::string prefix = folder + "/" + stack.name + "-" + std::to_string(time_ns);

  const Result<std::string> packed = Compress(options_.compression, record);
  if (!packed.ok()) return packed.status();
  const std::string file = (prefix + ".history.json").append(ExtensionOf(options_.compression));
  const Status written = Write(file, *packed, "", false);
  if (!written.ok()) return written;
  const Result<std::string> copied = CopyCurrent(stack, prefix + ".checkpoint");
  return copied.status();
}

Result<std::vector<std::string>> FileStore::ReadHistory(const StackName& stack, int page_size, int page) {
  const std::vector<HistoryFile> files = ListHistory(layout_.HistoryFolder(stack));
  size_t begin = 0, end = files.size();
  if (page_size > 0) {
    begin = std::min(files.size(), static_cast<size_t>(page_size) * static_cast<size_t>(std::max(page, 1) - 1));
    end = std::min(files.size(), begin + static_cast<size_t>(page_size));
  }
  std::vector<std::string> records;
  for (size_t i = begin; i < end; ++i) {
    Result<std::string> bytes = ReadWholeFile(files[i].path);
    if (bytes.ok()) bytes = Decompress(std::move(*bytes), files[i].path);
    if (!bytes.ok()) return bytes.status();
    if (ParseJson(*bytes).is_discarded()) {
      return Status(Code::kDataLoss, files[i].path + ": the history record is not JSON; move the file away to go on");
    }
    records.push_back(std::move(*bytes));
  }
  return records;
}

Status FileStore::Backup(const StackName& stack) {
  if (!options_.backups) return Status::Ok();
  return CopyCurrent(stack, layout_.BackupFolder(stack) + "/" + stack.name + "." + std::to_string(NowUnixNano()))
      .status();
}

Status FileStore::SaveReasons(const StackName& stack, ReasonsKind of, std::string_view bytes) {
  const FileFault* fault = options_.fault ? &options_.fault : nullptr;
  // The reference makes a sidecar when it renames the file, and then holds the file to it.
  if (const Status removed = RemoveFile(layout_.ReasonsFile(stack, of) + ".attrs"); !removed.ok()) return removed;
  return WriteFileDurably(layout_.ReasonsFile(stack, of), bytes, {.backup_path = "", .fault = fault, .sync = false});
}

Result<std::string> FileStore::LoadReasons(const StackName& stack, ReasonsKind of) {
  Result<std::string> bytes = ReadWholeFile(layout_.ReasonsFile(stack, of));
  if (!bytes.ok() && bytes.status().code() == Code::kNotFound) return std::string();
  return bytes;
}

Status FileStore::Rename(const StackName& from, const StackName& to, std::string_view bytes) {
  const Result<bool> taken = Exists(to);
  if (!taken.ok()) return taken.status();
  if (*taken) return {Code::kAlreadyExists, "a stack named " + to.name + " already exists"};
  return RenameFrom(*this, from, to, bytes);
}

Status FileStore::RenameFrom(FileStore& source, const StackName& from, const StackName& to, std::string_view bytes) {
  const Result<bool> there = Exists(to);
  if (!there.ok()) return there.status();
  const JournalPaths places(source.layout_.JournalFile(from));
  for (const std::string& journal : {places.journal, places.taken}) {
    std::error_code error;
    if (const auto size = fs::file_size(journal, error); error || size == 0) continue;
    return {Code::kFailedPrecondition, journal + ": an unfinished operation of stack " + from.name +
                                           " is still in its journal; run " + QuotedCommand("refresh") + " or " +
                                           QuotedCommand("up") + " first"};
  }
  Status done = *there ? Status::Ok() : Save(to, bytes);
  if (!done.ok()) return done;
  if (FileExists(source.layout_.TagsFile(from))) {
    const Result<std::map<std::string, std::string>> tags = source.LoadTags(from);
    done = tags.ok() ? SaveTags(to, *tags) : tags.status();
  }
  if (done.ok()) {
    done = RenameHistory(source.layout_.HistoryFolder(from), layout_.HistoryFolder(to), from.name, to.name);
  }
  return done.ok() ? source.Remove(from, /*remove_backups=*/false) : done;
}

Result<std::map<std::string, std::string>> FileStore::LoadTags(const StackName& stack) {
  const std::string path = layout_.TagsFile(stack);
  const Result<std::string> bytes = ReadWholeFile(path);
  if (!bytes.ok() && bytes.status().code() == Code::kNotFound) return std::map<std::string, std::string>();
  if (!bytes.ok()) return bytes.status();
  return DecodeTags(path, *bytes);
}

Status FileStore::SaveTags(const StackName& stack, const std::map<std::string, std::string>& tags) {
  const std::string path = layout_.TagsFile(stack);
  if (tags.empty()) {
    const Status removed = RemoveFile(path);
    return removed.ok() ? RemoveFile(path + ".attrs") : removed;
  }
  return Write(path, EncodeTags(tags), "", true);
}

}  // namespace kingpost
