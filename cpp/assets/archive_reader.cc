// SPDX-License-Identifier: Apache-2.0
#include "assets/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace kingpost {

namespace {

constexpr size_t kChunkSize = 64 * 1024;
constexpr mode_t kPermissionBits = 0777;

struct FreeArchive {
  void operator()(struct archive* archive) const { archive_read_free(archive); }
};
struct CloseGzip {
  void operator()(gzFile file) const { gzclose_r(file); }
};

ArchiveEntry::Kind KindOf(struct archive_entry* entry) {
  if (archive_entry_hardlink(entry)) return ArchiveEntry::Kind::kOther;
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
      return ArchiveEntry::Kind::kFile;
    case AE_IFDIR:
      return ArchiveEntry::Kind::kFolder;
    case AE_IFLNK:
      return ArchiveEntry::Kind::kSymlink;
    default:
      return ArchiveEntry::Kind::kOther;
  }
}

// A text of an entry in UTF-8. The first spelling is null if the process's locale has no such letters, the second if
// the archive does not say in which encoding its bytes are.
std::string TextOf(const char* raw, const char* utf8) { return raw ? raw : utf8 ? utf8 : ""; }

class LibArchiveReader : public ArchiveReader {
 public:
  LibArchiveReader(std::string name, ArchiveFormat format) : name_(std::move(name)), format_(format) {}

  Status Start(int fd) {
    archive_.reset(archive_read_new());
    if (!archive_) return Status(Code::kResourceExhausted, "cannot read " + name_ + ": there is no memory");
    return format_ == ArchiveFormat::kZip ? StartZip(fd) : StartTar(fd);
  }

  Result<bool> Next(ArchiveEntry* entry) override {
    struct archive_entry* found = nullptr;
    const int code = archive_read_next_header(archive_.get(), &found);
    if (code == ARCHIVE_EOF) {
      Status status = CheckRest();
      if (!status.ok()) return status;
      return false;
    }
    if (!IsFine(code)) return Damaged();
    entry->kind = KindOf(found);
    entry->name = TextOf(archive_entry_pathname(found), archive_entry_pathname_utf8(found));
    entry->target = TextOf(archive_entry_symlink(found), archive_entry_symlink_utf8(found));
    entry->size = static_cast<uint64_t>(archive_entry_size(found));
    entry->permissions = archive_entry_perm(found) & kPermissionBits;
    return true;
  }

  Status Read(const std::function<Status(std::string_view)>& sink) override {
    for (;;) {
      const la_ssize_t got = archive_read_data(archive_.get(), chunk_, sizeof chunk_);
      if (got == 0) return Status::Ok();
      if (got < 0) return Damaged();
      Status status = sink({chunk_, static_cast<size_t>(got)});
      if (!status.ok()) return status;
    }
  }

  int64_t bytes_read() const override {
    return gzip_ ? static_cast<int64_t>(gzoffset(gzip_.get())) : archive_filter_bytes(archive_.get(), -1);
  }

 private:
  // A warning is about letters or times that the process cannot express.
  static bool IsFine(int code) { return code == ARCHIVE_OK || code == ARCHIVE_WARN; }

  Status Damaged() const {
    return Status(Code::kDataLoss, "the archive " + name_ + " is damaged" +
                                       (format_ == ArchiveFormat::kGzippedTar ? " or not a .tar.gz file" : ""));
  }
  Status SystemError() const { return Status(Code::kUnknown, "cannot read " + name_ + ": " + std::strerror(errno)); }

  Status StartZip(int fd) {
    if (lseek(fd, 0, SEEK_SET) < 0) return SystemError();
    archive_read_support_format_zip_seekable(archive_.get());
    return IsFine(archive_read_open_fd(archive_.get(), fd, kChunkSize)) ? Status::Ok() : Damaged();
  }

  // zlib unpacks, and lets plain bytes through: libarchive's own filter does not look at the checksum.
  Status StartTar(int fd) {
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0 || lseek(copy, 0, SEEK_SET) < 0) {
      Status status = SystemError();
      close(copy);
      return status;
    }
    gzip_.reset(gzdopen(copy, "rb"));
    if (!gzip_) {
      close(copy);
      return Status(Code::kResourceExhausted, "cannot read " + name_ + ": zlib has no memory");
    }
    archive_read_support_format_tar(archive_.get());
    archive_read_support_format_empty(archive_.get());
    return IsFine(archive_read_open(archive_.get(), this, nullptr, &ReadGzip, nullptr)) ? Status::Ok() : Damaged();
  }

  static la_ssize_t ReadGzip(struct archive*, void* self, const void** bytes) {
    auto* reader = static_cast<LibArchiveReader*>(self);
    *bytes = reader->packed_;
    return gzread(reader->gzip_.get(), reader->packed_, sizeof reader->packed_);
  }

  // Behind the last entry of a gzipped file stands the checksum of the whole.
  Status CheckRest() {
    if (!gzip_) return Status::Ok();
    int got = 0;
    while ((got = gzread(gzip_.get(), packed_, sizeof packed_)) > 0) {
    }
    int code = Z_OK;
    gzerror(gzip_.get(), &code);
    return got == 0 && (code == Z_OK || code == Z_STREAM_END) ? Status::Ok() : Damaged();
  }

  const std::string name_;
  const ArchiveFormat format_;
  std::unique_ptr<gzFile_s, CloseGzip> gzip_;  // null for zip
  std::unique_ptr<struct archive, FreeArchive> archive_;
  char packed_[kChunkSize];
  char chunk_[kChunkSize];
};

}  // namespace

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::Open(int fd, const std::string& name, ArchiveFormat format) {
  auto reader = std::make_unique<LibArchiveReader>(name, format);
  Status status = reader->Start(fd);
  if (!status.ok()) return status;
  return std::unique_ptr<ArchiveReader>(std::move(reader));
}

}  // namespace kingpost
