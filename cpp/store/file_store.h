// SPDX-License-Identifier: Apache-2.0
// FileStore: stacks as files in Pulumi's layout, so that both tools can use them in turn.
//
// Blocking; called by worker threads and the command's main thread. Holds no stack's content.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/disk/durable_file.h"
#include "kingpost/state_store.h"
#include "store/compression.h"
#include "store/layout.h"

namespace kingpost {

struct FileStoreOptions {
  Compression compression = Compression::kNone;  // PULUMI_DIY_BACKEND_GZIP, PULUMI_DIY_BACKEND_ZSTD
  bool backups = true;                           // not PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS
  bool retain_checkpoints = false;  // PULUMI_DIY_BACKEND_RETAIN_CHECKPOINTS: a copy of every checkpoint written
  bool every_step = false;          // KINGPOST_CHECKPOINT_EVERY_STEP: a bucket gets no keys but the reference's
  FileFault fault = nullptr;        // for tests
};
Result<FileStoreOptions> FileStoreOptionsFromEnvironment();

// Which file it is, and as of when.
struct FileVersion {
  uint64_t device = 0, inode = 0;
  int64_t size = -1, modified_ns = 0;
  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};
FileVersion VersionOf(const std::string& path);  // of a file that is not there: one that no file has
// The sidecar that the reference's blob library keeps beside each file. It reads states without one, but not with a
// broken one.
std::string SidecarOf(std::string_view bytes);

// The folder that holds .pulumi of file://~/x, file://./x and file:///x; "" of other URLs.
std::string FolderOfFileUrl(const std::string& url);

class FileStore : public StateStore {
 public:
  // root: the folder that holds (or will hold) .pulumi. url: as the user wrote it.
  static Result<std::unique_ptr<StateStore>> Open(const std::string& root, const std::string& url,
                                                  FileStoreOptions options);
  FileStore(StoreLayout layout, std::string url, FileStoreOptions options)
      : layout_(std::move(layout)), url_(std::move(url)), options_(std::move(options)) {}

  // The same folder read by one layout, whatever the folder says it has.
  std::unique_ptr<FileStore> InLayout(bool legacy) const;

  const StoreLayout& layout() const { return layout_; }
  std::string url() const override { return url_; }
  Result<StackDocument> Load(const StackName& stack) override;
  Status Save(const StackName& stack, std::string_view bytes) override;
  Status Settle(const StackName& stack) override;
  Result<bool> Exists(const StackName& stack) override;
  Result<std::vector<StackEntry>> List() override;
  Status Remove(const StackName& stack, bool remove_backups) override;
  Status Rename(const StackName& from, const StackName& to, std::string_view bytes) override;
  // The same out of another layout of the folder. A document that is there already under the new name stays: it was
  // written by a move that was broken off.
  Status RenameFrom(FileStore& source, const StackName& from, const StackName& to, std::string_view bytes);
  // Declares the layout of this object to be the one of the folder.
  Status WriteMeta();
  Status AppendHistory(const StackName& stack, std::string_view record) override;
  Result<std::vector<std::string>> ReadHistory(const StackName& stack, int page_size, int page) override;
  Status Backup(const StackName& stack) override;
  Status SaveReasons(const StackName& stack, ReasonsKind of, std::string_view bytes) override;
  Result<std::string> LoadReasons(const StackName& stack, ReasonsKind of) override;
  Result<std::unique_ptr<StackLock>> Lock(const StackName& stack) override;
  Result<std::vector<LockHolder>> Locks(const StackName& stack) override;
  Result<int> BreakLocks(const StackName& stack) override;
  Result<std::map<std::string, std::string>> LoadTags(const StackName& stack) override;
  Status SaveTags(const StackName& stack, const std::map<std::string, std::string>& tags) override;
  Result<std::string> JournalPath(const StackName& stack) override;
  std::string QualifiedName(const StackName& stack) const override { return layout_.QualifiedName(stack); }

 private:
  std::string CurrentFile(const StackName& stack) const;  // of .json, .json.gz, .json.zst the newest
  Status EnsureMeta();
  // With its sidecar. `backup_path` as in DurableOptions.
  Status Write(const std::string& path, std::string_view bytes, const std::string& backup_path, bool sync);
  Status Write(const std::string& path, std::string_view bytes, const std::string& sidecar,
               const std::string& backup_path, bool sync);
  Result<std::string> CopyCurrent(const StackName& stack, const std::string& to_without_extension);
  Status ListFolder(const std::string& folder, const std::string& project, std::vector<StackEntry>* entries) const;

  const StoreLayout layout_;
  const std::string url_;
  const FileStoreOptions options_;
  std::mutex meta_mutex_;
  bool meta_written_ = false;
  // The last saved document and its sidecar: the copies of a large state need not be hashed again.
  struct Saved {
    FileVersion version;
    std::string sidecar;
  };
  std::mutex saved_mutex_;
  std::optional<Saved> saved_;
};

}  // namespace kingpost
