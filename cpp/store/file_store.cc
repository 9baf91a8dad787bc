// SPDX-License-Identifier: Apache-2.0
// See file_store.h. The documents themselves; history, backups, tags are in file_store_history.cc.
#include "store/file_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/os.h"
#include "kingpost/journal_paths.h"
#include "store/file_lock.h"

namespace kingpost {
namespace {

namespace fs = std::filesystem;

int64_t ModifiedMs(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return 0;
  return int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1'000'000;
}

// Newer than `best`, by nanoseconds. Missing files are oldest.
bool IsNewer(const std::string& path, const std::string& best) {
  struct stat a, b;
  if (stat(path.c_str(), &a) != 0) return false;
  if (stat(best.c_str(), &b) != 0) return true;
  if (a.st_mtim.tv_sec != b.st_mtim.tv_sec) return a.st_mtim.tv_sec > b.st_mtim.tv_sec;
  return a.st_mtim.tv_nsec > b.st_mtim.tv_nsec;
}

Status RemoveWithSidecar(const std::string& path) {
  const Status removed = RemoveFile(path);
  return removed.ok() ? RemoveFile(path + ".attrs") : removed;
}

// Only files: in a store of stacks without projects, a stack and a project of one name share the folder. In it
// each stack of the project has its own folder.
Status RemoveRecords(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_directory()) files.push_back(entry.path().string());
  }
  if (error == std::errc::no_such_file_or_directory) return Status::Ok();
  if (error) return FileError(folder, "list", error.value());
  for (const std::string& file : files) {
    if (Status removed = RemoveFile(file); !removed.ok()) return removed;
  }
  fs::remove(folder, error);
  return !error || error == std::errc::directory_not_empty ? Status::Ok() : FileError(folder, "remove", error.value());
}

}  // namespace

std::string SidecarOf(std::string_view bytes) {
  const std::string md5 = Base64Encode(Md5(bytes));
  if (md5.empty()) return "";
  return "{\"user.cache_control\":\"\",\"user.content_disposition\":\"\",\"user.content_encoding\":\"\","
         "\"user.content_language\":\"\",\"user.content_type\":\"" +
         std::string(ContentTypeOf(bytes)) + "\",\"user.metadata\":null,\"md5\":\"" + md5 + "\"}\n";
}

FileVersion VersionOf(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return {};
  const int64_t modified_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  return {status.st_dev, status.st_ino, status.st_size, modified_ns};
}

Result<FileStoreOptions> FileStoreOptionsFromEnvironment() {
  const bool gzip = IsTrueVariable("PULUMI_DIY_BACKEND_GZIP", "PULUMI_SELF_MANAGED_STATE_GZIP");
  const bool zstd = IsTrueVariable("PULUMI_DIY_BACKEND_ZSTD", "PULUMI_SELF_MANAGED_STATE_ZSTD");
  if (gzip && zstd) {
    return Status(Code::kInvalidArgument,
                  "PULUMI_DIY_BACKEND_GZIP and PULUMI_DIY_BACKEND_ZSTD cannot both be enabled: unset one of them");
  }
  FileStoreOptions options;
  if (gzip) options.compression = Compression::kGzip;
  if (zstd) options.compression = Compression::kZstd;
  options.backups =
      !IsTrueVariable("PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS", "PULUMI_DISABLE_CHECKPOINT_BACKUPS");
  options.retain_checkpoints = IsTrueVariable("PULUMI_DIY_BACKEND_RETAIN_CHECKPOINTS", "PULUMI_RETAIN_CHECKPOINTS");
  options.every_step = IsTrueVariable("KINGPOST_CHECKPOINT_EVERY_STEP");
  return options;
}

Result<std::unique_ptr<StateStore>> FileStore::Open(const std::string& root, const std::string& url,
                                                    FileStoreOptions options) {
  Result<StoreLayout> layout = StoreLayout::Detect(root);
  if (!layout.ok()) return layout.status();
  return std::unique_ptr<StateStore>(std::make_unique<FileStore>(std::move(*layout), url, std::move(options)));
}

std::unique_ptr<FileStore> FileStore::InLayout(bool legacy) const {
  return std::make_unique<FileStore>(StoreLayout::Of(layout_.root(), legacy), url_, options_);
}

std::string FileStore::CurrentFile(const StackName& stack) const {
  std::string best = layout_.StackFile(stack);
  for (const char* extension : {".gz", ".zst"}) {
    const std::string candidate = layout_.StackFile(stack) + extension;
    if (IsNewer(candidate, best)) best = candidate;
  }
  return best;
}

Status FileStore::EnsureMeta() {
  std::lock_guard<std::mutex> lock(meta_mutex_);
  if (meta_written_ || layout_.legacy() || !layout_.meta_missing()) return Status::Ok();
  if (!FileExists(layout_.MetaFile())) {
    if (const Status written = WriteMeta(); !written.ok()) return written;
  }
  meta_written_ = true;
  return Status::Ok();
}

Status FileStore::WriteMeta() { return Write(layout_.MetaFile(), MetaText(layout_.legacy()), "", true); }

Status FileStore::Write(const std::string& path, std::string_view bytes, const std::string& backup_path, bool sync) {
  return Write(path, bytes, SidecarOf(bytes), backup_path, sync);
}

Status FileStore::Write(const std::string& path, std::string_view bytes, const std::string& sidecar,
                        const std::string& backup_path, bool sync) {
  const FileFault* fault = options_.fault ? &options_.fault : nullptr;
  const Status written = WriteFileDurably(path, bytes, {.backup_path = backup_path, .fault = fault, .sync = sync});
  if (!written.ok()) return written;
  const std::string beside = path + ".attrs";
  if (!WriteFileDurably(beside, sidecar, {.backup_path = "", .fault = fault, .sync = sync}).ok()) {
    // The document is safe; a missing sidecar is as good as a right one.
    (void)RemoveFile(beside);
  }
  return Status::Ok();
}

Result<StackDocument> FileStore::Load(const StackName& stack) {
  const Status valid = CheckName(layout_, stack);
  if (!valid.ok()) return valid;
  StackDocument document;
  document.location = CurrentFile(stack);
  Result<std::string> bytes = ReadWholeFile(document.location);
  if (!bytes.ok() && bytes.status().code() == Code::kNotFound) return document;
  if (!bytes.ok()) return bytes.status();
  Result<std::string> plain = Decompress(std::move(*bytes), document.location);
  if (!plain.ok()) return plain.status();
  document.bytes = std::move(*plain);
  document.exists = true;
  return document;
}

Status FileStore::Save(const StackName& stack, std::string_view bytes) {
  Status ready = CheckName(layout_, stack);
  if (ready.ok()) ready = EnsureMeta();
  if (!ready.ok()) return ready;

  Result<std::string> packed = std::string();
  if (options_.compression != Compression::kNone) {
    packed = Compress(options_.compression, bytes);
    if (!packed.ok()) return packed.status();
    bytes = *packed;
  }
  const std::string former = CurrentFile(stack);
  const std::string target = layout_.StackFile(stack).append(ExtensionOf(options_.compression));
  const std::string sidecar = SidecarOf(bytes);
  const Status written = Write(target, bytes, sidecar, target + ".bak", true);
  if (!written.ok()) return written;
  {
    std::lock_guard<std::mutex> lock(saved_mutex_);
    saved_ = Saved{VersionOf(target), sidecar};
  }
  if (former != target && FileExists(former)) {
    // The compression changed: the former variant becomes a backup now that the new one is safe.
    if (rename(former.c_str(), (former + ".bak").c_str()) != 0) return FileError(former, "rename", errno);
    (void)RemoveFile(former + ".attrs");
  }
  if (options_.retain_checkpoints) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    return Write(target + "." + std::to_string(nanoseconds), bytes, sidecar, "", false);
  }
  return Status::Ok();
}

// Its contents were synced before it got its name.
Status FileStore::Settle(const StackName& stack) {
  const std::string file = CurrentFile(stack);
  return FileExists(file) ? SyncFolder(file.substr(0, file.rfind('/'))) : Status::Ok();
}

Result<bool> FileStore::Exists(const StackName& stack) {
  const Status valid = CheckName(layout_, stack);
  if (!valid.ok()) return valid;
  return FileExists(CurrentFile(stack));
}

Status FileStore::ListFolder(const std::string& folder, const std::string& project,
                             std::vector<StackEntry>* entries) const {
  std::error_code error;
  std::map<std::string, StackEntry> by_name;  // variants of one stack count once
  for (const auto& file : fs::directory_iterator(folder, error)) {
    std::error_code ignored;
    const std::string name = StackOfFile(file.path().filename().string());
    if (name.empty() || !file.is_regular_file(ignored)) continue;
    StackEntry& entry = by_name[name];
    entry.stack = StackName{kDiyOrganization, project, name};
    entry.modified_ms = std::max(entry.modified_ms, ModifiedMs(file.path().string()));
  }
  if (error && error != std::errc::no_such_file_or_directory) return FileError(folder, "list", error.value());
  for (auto& [name, entry] : by_name) {
    const Result<std::vector<LockHolder>> locks = ListFileLocks(layout_.LockFolder(entry.stack));
    entry.locked = locks.ok() && !locks->empty();
    entries->push_back(std::move(entry));
  }
  return Status::Ok();
}

Result<std::vector<StackEntry>> FileStore::List() {
  std::vector<StackEntry> entries;
  if (layout_.legacy()) {
    const Status listed = ListFolder(layout_.StacksFolder(), "", &entries);
    return listed.ok() ? Result<std::vector<StackEntry>>(std::move(entries)) : listed;
  }
  std::error_code error;
  std::vector<std::string> projects;
  for (const auto& folder : fs::directory_iterator(layout_.StacksFolder(), error)) {
    std::error_code ignored;
    const std::string name = folder.path().filename().string();
    if (folder.is_directory(ignored) && ValidateProjectName(name).ok()) projects.push_back(name);
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return FileError(layout_.StacksFolder(), "list", error.value());
  }
  std::sort(projects.begin(), projects.end());
  for (const std::string& project : projects) {
    const Status listed = ListFolder(layout_.StacksFolder() + "/" + project, project, &entries);
    if (!listed.ok()) return listed;
  }
  return entries;
}

Status FileStore::Remove(const StackName& stack, bool remove_backups) {
  Status done = CheckName(layout_, stack);
  if (!done.ok()) return done;
  const std::string file = CurrentFile(stack);
  // Other variants first: were one left, the stack would come back.
  for (const char* extension : {"", ".gz", ".zst"}) {
    const std::string variant = layout_.StackFile(stack) + extension;
    if (done.ok() && variant != file) done = RemoveWithSidecar(variant);
    if (done.ok() && remove_backups) done = RemoveWithSidecar(variant + ".bak");
  }
  if (!done.ok()) return done;
  if (remove_backups) {
    done = RemoveFile(file);
  } else if (rename(file.c_str(), (file + ".bak").c_str()) != 0 && errno != ENOENT) {
    done = FileError(file, "rename", errno);
  }
  if (done.ok()) done = RemoveFile(file + ".attrs");
  if (done.ok()) done = RemoveWithSidecar(layout_.TagsFile(stack));
  const JournalPaths places(layout_.JournalFile(stack));
  for (const std::string& file : {places.journal, places.taken, places.commit, places.rejected}) {
    if (done.ok()) done = RemoveFile(file);
  }
  if (done.ok()) done = RemoveRecords(layout_.HistoryFolder(stack));
  if (done.ok() && remove_backups) done = RemoveRecords(layout_.BackupFolder(stack));
  return done;
}

Result<std::unique_ptr<StackLock>> FileStore::Lock(const StackName& stack) {
  const Status valid = CheckName(layout_, stack);
  if (!valid.ok()) return valid;
  return AcquireFileLock(layout_.LockFolder(stack), stack.name);
}

Result<std::vector<LockHolder>> FileStore::Locks(const StackName& stack) {
  return ListFileLocks(layout_.LockFolder(stack));
}

Result<int> FileStore::BreakLocks(const StackName& stack) {
  const Status valid = CheckName(layout_, stack);
  if (!valid.ok()) return valid;
  return RemoveFileLocks(layout_.LockFolder(stack));
}

Result<std::string> FileStore::JournalPath(const StackName& stack) {
  const Status valid = CheckName(layout_, stack);
  return valid.ok() ? Result<std::string>(layout_.JournalFile(stack)) : valid;
}

}  // namespace kingpost
