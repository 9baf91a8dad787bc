// SPDX-License-Identifier: Apache-2.0
#include "assets/content_hash.h"

#include <filesystem>
#include <functional>
#include <set>

#include "assets/archive_members.h"
#include "assets/go_tar.h"
#include "base/digest.h"
#include "base/encoding.h"

namespace kingpost {

namespace {

// How to read an archive that is one file already; null if it is not.
using Reader = std::function<Status(const ByteSink& sink)>;

Reader WholeFile(const ArchiveData& archive, const std::string& working_directory) {
  if (archive.kind == ArchiveData::Kind::kUri && FormatOfUri(archive.text) != ArchiveFormat::kNone) {
    return [uri = archive.text](const ByteSink& sink) { return StreamUri(uri, sink); };
  }
  if (archive.kind != ArchiveData::Kind::kPath || DetectArchiveFormat(archive.text) == ArchiveFormat::kNone) {
    return nullptr;
  }
  const std::string path = (std::filesystem::path(working_directory) / archive.text).string();
  return [path](const ByteSink& sink) { return StreamFile(path, sink); };
}

Status AddMember(const ArchiveMember& member, GoTarWriter* tar) {
  tar->BeginFile(member.name, member.size);
  uint64_t got = 0;
  Status status = member.read([&](std::string_view bytes) {
    got += bytes.size();
    tar->Write(bytes);
  });
  tar->EndFile();
  if (status.ok() && got != member.size) {
    return Status(Code::kUnknown, "incorrect blob size for " + member.name + ": expected " +
                                      std::to_string(member.size) + ", got " + std::to_string(got));
  }
  return status;
}

class Hasher {
 public:
  explicit Hasher(const std::string& working_directory) : working_directory_(working_directory) {}

  // `value` with hashes; the first failure is kept in status().
  Value Run(const Value& value) {
    return Rewrite(value, [this](const Value& part) { return WithHash(part); });
  }
  const Status& status() const { return status_; }
  const std::string& failed_kind() const { return kind_; }

 private:
  Value WithHash(const Value& value) {
    if (!status_.ok() || !NeedsHashes(value)) return value;
    if (value.is_asset()) {
      AssetData asset = value.as_asset();
      Keep(HashAsset(asset, working_directory_), "asset", &asset.hash);
      return Value::Asset(std::move(asset));
    }
    if (value.is_archive()) {
      ArchiveData archive = value.as_archive();
      archive.assets = Rewrite(archive.assets, [this](const Value& part) { return WithHash(part); });
      if (!status_.ok() || !archive.hash.empty()) return Value::Archive(std::move(archive));
      Keep(HashArchive(archive, working_directory_), "archive", &archive.hash);
      return Value::Archive(std::move(archive));
    }
    return value;
  }
  void Keep(Result<std::string> hash, const std::string& kind, std::string* out) {
    if (hash.ok()) {
      *out = std::move(*hash);
    } else {
      status_ = hash.status();
      kind_ = kind;
    }
  }

  const std::string& working_directory_;
  Status status_;
  std::string kind_;
};

}  // namespace

bool NeedsHashes(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kAsset:
      return value.as_asset().hash.empty();
    case Value::Kind::kArchive:
      return value.as_archive().hash.empty() || NeedsHashes(value.as_archive().assets);
    case Value::Kind::kSecret:
      return NeedsHashes(value.as_secret().element);
    case Value::Kind::kOutput:
      return value.as_output().known && NeedsHashes(value.as_output().element);
    case Value::Kind::kObject:
      return NeedsHashes(value.as_object());
    case Value::Kind::kArray:
      for (const Value& element : value.as_array()) {
        if (NeedsHashes(element)) return true;
      }
      return false;
    default:
      return false;
  }
}

bool NeedsHashes(const PropertyMap& map) {
  for (const auto& [key, value] : map) {
    if (NeedsHashes(value)) return true;
  }
  return false;
}

Result<PropertyMap> WithHashes(const PropertyMap& map, const std::string& working_directory) {
  PropertyMap hashed = map;
  for (const auto& [key, value] : map) {
    if (!NeedsHashes(value)) continue;
    Hasher hasher(working_directory);
    Value next = hasher.Run(value);
    if (!hasher.status().ok()) {
      return hasher.status().Wrap("failed to compute " + hasher.failed_kind() + " hash for " + Quote(key));
    }
    hashed.Set(key, std::move(next));
  }
  return hashed;
}

Result<std::string> HashAsset(const AssetData& asset, const std::string& working_directory) {
  auto member = OpenAsset("", asset, working_directory);
  if (!member.ok()) return member.status();
  Sha256 hash;
  Status status = member->read([&hash](std::string_view bytes) { hash.Update(bytes); });
  if (!status.ok()) return status;
  return hash.HexDigest();
}

Result<std::string> HashArchive(const ArchiveData& archive, const std::string& working_directory) {
  Sha256 hash;
  const ByteSink sink = [&hash](std::string_view bytes) { hash.Update(bytes); };
  if (const Reader read = WholeFile(archive, working_directory)) {
    Status status = read(sink);
    if (!status.ok()) return status;
    return hash.HexDigest();
  }

  GoTarWriter tar(sink);
  std::set<std::string> seen;  // of two files with one name the first counts
  Status status = VisitMembers(archive, working_directory, [&](const ArchiveMember& member) {
    return seen.insert(member.name).second ? AddMember(member, &tar) : Status::Ok();
  });
  if (!status.ok()) return status;
  tar.Close();
  return hash.HexDigest();
}

}  // namespace kingpost
