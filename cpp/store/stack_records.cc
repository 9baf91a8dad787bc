// SPDX-License-Identifier: Apache-2.0
#include "store/stack_records.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/disk/durable_file.h"
#include "store/blob_store.h"
#include "store/file_store.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr char kHistory[] = "history/", kBackups[] = "backups/";

// Where the layout has the record.
std::string PathOf(const StoreLayout& layout, const StackName& stack, const std::string& name) {
  const bool history = name.starts_with(kHistory);
  const std::string folder = history ? layout.HistoryFolder(stack) : layout.BackupFolder(stack);
  return folder + name.substr((history ? sizeof kHistory : sizeof kBackups) - 2);
}

class FileRecords : public StackRecords {
 public:
  FileRecords(const StoreLayout& layout, StackName stack) : layout_(layout), stack_(std::move(stack)) {}

  Result<std::vector<std::string>> Names() override {
    std::vector<std::string> names;
    for (const char* kind : {kHistory, kBackups}) {
      std::error_code error;
      for (const auto& entry : fs::directory_iterator(PathOf(layout_, stack_, kind), error)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(".attrs")) names.push_back(kind + name);  // the reference makes them anew
      }
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  Result<std::string> Read(const std::string& name) override { return ReadWholeFile(PathOf(layout_, stack_, name)); }
  Status Write(const std::string& name, std::string_view bytes) override {
    const std::string path = PathOf(layout_, stack_, name);
    const Status written = WriteFileDurably(path, bytes);
    return written.ok() ? RemoveFile(path + ".attrs") : written;
  }

 private:
  const StoreLayout layout_;
  const StackName stack_;
};

class BlobRecords : public StackRecords {
 public:
  BlobRecords(BlobBucket& bucket, const StoreLayout& layout, StackName stack)
      : bucket_(bucket), layout_(layout), stack_(std::move(stack)) {}

  Result<std::vector<std::string>> Names() override {
    std::vector<std::string> names;
    for (const char* kind : {kHistory, kBackups}) {
      const std::string folder = KeyOf(kind);
      const Result<std::vector<BlobInfo>> listed = bucket_.List(folder, /*one_level=*/true);
      if (!listed.ok()) return listed.status();
      for (const BlobInfo& info : *listed) names.push_back(kind + info.key.substr(folder.size()));
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  Result<std::string> Read(const std::string& name) override {
    const Result<std::optional<Blob>> blob = bucket_.Get(KeyOf(name));
    if (!blob.ok()) return blob.status();
    if (!*blob) return Status(Code::kNotFound, LocationOf(bucket_, KeyOf(name)) + ": no such object");
    return (*blob)->bytes;
  }
  Status Write(const std::string& name, std::string_view bytes) override {
    return bucket_.Put(KeyOf(name), bytes, PutCondition::Always(), std::string(ContentTypeOf(bytes))).status();
  }

 private:
  std::string KeyOf(const std::string& name) const { return PathOf(layout_, stack_, name).substr(1); }

  BlobBucket& bucket_;
  const StoreLayout layout_;
  const StackName stack_;
};

}  // namespace

Result<std::unique_ptr<StackRecords>> RecordsOf(StateStore& store, const StackName& stack) {
  if (auto* files = dynamic_cast<FileStore*>(&store)) {
    return std::unique_ptr<StackRecords>(std::make_unique<FileRecords>(files->layout(), stack));
  }
  auto* objects = dynamic_cast<BlobStore*>(&store);
  if (!objects) {
    return Status(Code::kUnimplemented,
                  store.printable_url() + ": this store keeps stacks only until its process ends");
  }
  if (Status ready = objects->CheckAccess(); !ready.ok()) return ready;
  return std::unique_ptr<StackRecords>(std::make_unique<BlobRecords>(objects->bucket(), objects->layout(), stack));
}

Result<std::vector<StackVersion>> VersionsOf(StackRecords& records) {
  const Result<std::vector<std::string>> names = records.Names();
  if (!names.ok()) return names.status();
  const std::set<std::string> there(names->begin(), names->end());
  std::vector<StackVersion> versions;
  for (const std::string& name : *names) {
    const std::optional<int64_t> time_ns = HistoryTimeOf(name);
    if (!time_ns) continue;
    const std::string stem = name.substr(0, name.find(".history.json")) + ".checkpoint.json";
    for (const char* variant : {"", ".gz", ".zst"}) {
      if (there.count(stem + variant)) versions.push_back({*time_ns, stem + variant});
    }
  }
  std::sort(versions.begin(), versions.end(),
            [](const StackVersion& a, const StackVersion& b) { return a.time_ns < b.time_ns; });
  return versions;
}

}  // namespace kingpost
