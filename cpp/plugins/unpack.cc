#include "plugins/unpack.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/encoding.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr size_t kBlockSize = 512;
constexpr size_t kChunkSize = 64 * 1024;
constexpr uint64_t kNoteBytesMax = 1 << 20;  // of a long name
constexpr mode_t kFolderMode = 0700;

Status SystemError(const std::string& what, const fs::path& path) {
  return Status(Code::kUnknown, what + " " + path.string() + ": " + std::strerror(errno));
}

// Octal text, or base 256 if the first bit is set.
uint64_t Number(std::string_view field) {
  uint64_t number = 0;
  if (static_cast<unsigned char>(field[0]) & 0x80) {
    for (size_t i = 1; i < field.size(); ++i) number = number << 8 | static_cast<unsigned char>(field[i]);
    return number;
  }
  for (char c : field) {
    if (c >= '0' && c <= '7') number = number * 8 + static_cast<uint64_t>(c - '0');
  }
  return number;
}

std::string Text(std::string_view field) { return std::string(field.substr(0, field.find('\0'))); }

// The path of an entry below the folder, without "." and "..", or empty if it leads out of it.
fs::path Inside(const std::string& name) {
  const fs::path path = fs::path(name).relative_path().lexically_normal();
  return !path.empty() && *path.begin() == ".." ? fs::path() : path;
}

struct Entry {
  char type = '0';
  std::string name, target;  // of a link
  uint64_t size = 0;
  mode_t mode = 0;
};

class Unpacker {
 public:
  Unpacker(gzFile file, const std::string& name, const std::string& folder,
           const std::function<bool(int64_t)>& on_progress)
      : file_(file), name_(name), folder_(folder), on_progress_(on_progress) {}

  Status Run() {
    for (;;) {
      Entry entry;
      bool end = false;
      Status status = ReadHeader(&entry, &end);
      if (!status.ok()) return status;
      if (end) return ReadRest();
      status = Extract(entry);
      if (!status.ok()) return status;
    }
  }

 private:
  Status Damaged() const {
    return Status(Code::kDataLoss, "the archive " + name_ + " is damaged or not a .tar.gz file");
  }

  Status Read(char* data, size_t size) {
    while (size > 0) {
      const int got = gzread(file_, data, static_cast<unsigned>(size));
      if (got <= 0) return Damaged();
      data += got;
      size -= static_cast<size_t>(got);
    }
    return Status::Ok();
  }

  // Behind the last entry stand blocks of zeros and the checksum of the whole.
  Status ReadRest() {
    std::string chunk(kChunkSize, '\0');
    int got = 0;
    while ((got = gzread(file_, chunk.data(), kChunkSize)) > 0) {
    }
    return got == 0 && IsIntact() ? Status::Ok() : Damaged();
  }

  bool IsIntact() const {
    int code = Z_OK;
    gzerror(file_, &code);
    return code == Z_OK || code == Z_STREAM_END;
  }

  // The contents of an entry, in pieces.
  template <class Sink>
  Status ReadContents(uint64_t size, Sink sink) {
    std::string chunk(kChunkSize, '\0');
    while (size > 0) {
      const size_t part = size < kChunkSize ? static_cast<size_t>(size) : kChunkSize;
      const size_t padded = (part + kBlockSize - 1) / kBlockSize * kBlockSize;
      Status status = Read(chunk.data(), padded);
      if (status.ok()) status = sink(std::string_view(chunk.data(), part));
      if (!status.ok()) return status;
      size -= part;
      if (on_progress_ && !on_progress_(gzoffset(file_))) return Status(Code::kCancelled, "unpacking was cancelled");
    }
    return Status::Ok();
  }

  Status ReadNote(uint64_t size, std::string* text) {
    if (size > kNoteBytesMax) return Damaged();
    return ReadContents(size, [text](std::string_view bytes) {
      text->append(bytes);
      return Status::Ok();
    });
  }

  // The next entry that stands for something; records of long names before it are part of it.
  Status ReadHeader(Entry* entry, bool* end) {
    std::string long_name, long_target;
    uint64_t long_size = 0;
    bool has_long_size = false;
    for (;;) {
      char block[kBlockSize];
      // Some writers leave out the blocks of zeros.
      const int first = gzread(file_, block, 1);
      if ((*end = first == 0 && IsIntact())) return Status::Ok();
      Status status = first == 1 ? Read(block + 1, kBlockSize - 1) : Damaged();
      if (!status.ok()) return status;
      const std::string_view header(block, kBlockSize);
      if ((*end = header.find_first_not_of('\0') == std::string_view::npos)) return Status::Ok();
      if (!ChecksumFits(header)) return Damaged();
      entry->type = header[156] == '\0' ? '0' : header[156];
      entry->size = Number(header.substr(124, 12));
      if (entry->type == 'x' || entry->type == 'g' || entry->type == 'L' || entry->type == 'K') {
        std::string note;
        status = ReadNote(entry->size, &note);
        if (!status.ok()) return status;
        if (entry->type == 'L') long_name = Text(note);
        if (entry->type == 'K') long_target = Text(note);
        if (entry->type == 'x') ReadPax(note, &long_name, &long_target, &long_size, &has_long_size);
        continue;
      }
      const std::string prefix =
          header.substr(257, 6) == std::string_view("ustar\0", 6) ? Text(header.substr(345, 155)) : "";
      entry->name = (prefix.empty() ? "" : prefix + "/") + Text(header.substr(0, 100));
      entry->target = long_target.empty() ? Text(header.substr(157, 100)) : long_target;
      entry->mode = static_cast<mode_t>(Number(header.substr(100, 8)) & 0777);
      if (!long_name.empty()) entry->name = long_name;
      if (has_long_size) entry->size = long_size;
      return Status::Ok();
    }
  }

  static bool ChecksumFits(std::string_view header) {
    uint64_t sum = 0;
    for (size_t i = 0; i < header.size(); ++i) {
      sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(header[i]);
    }
    return sum == Number(header.substr(148, 8));
  }

  // "<length> key=value\n" records.
  static void ReadPax(std::string_view records, std::string* name, std::string* target, uint64_t* size,
                      bool* has_size) {
    while (!records.empty()) {
      const size_t length = std::strtoull(std::string(records.substr(0, 20)).c_str(), nullptr, 10);
      const size_t space = records.find(' ');
      if (length == 0 || length > records.size() || space + 2 > length) return;
      const std::string_view record = records.substr(space + 1, length - space - 2);
      if (record.starts_with("path=")) *name = record.substr(5);
      if (record.starts_with("linkpath=")) *target = record.substr(9);
      if (record.starts_with("size=")) {
        *size = std::strtoull(std::string(record.substr(5)).c_str(), nullptr, 10);
        *has_size = true;
      }
      records.remove_prefix(length);
    }
  }

  Status Extract(const Entry& entry) {
    const fs::path inside = Inside(entry.name);
    if (inside.empty() || entry.name.find('\0') != std::string::npos) {
      return Status(Code::kInvalidArgument,
                    "the archive " + name_ + " is refused: its entry " + Quote(entry.name) + " lies outside of it");
    }
    const bool is_folder = entry.type == '5' || entry.name.ends_with("/");
    Status status = MakeFolders(is_folder ? inside : inside.parent_path());
    if (!status.ok()) return status;
    if (is_folder) return Skip(entry.size);
    if (entry.type == '0' || entry.type == '7') return ExtractFile(entry, folder_ / inside);
    if (entry.type == '2') return ExtractLink(entry, inside);
    return Status(Code::kInvalidArgument, "the archive " + name_ + " is refused: its entry " + Quote(entry.name) +
                                              " is neither a file, a folder nor a symbolic link");
  }

  Status Skip(uint64_t size) {
    return ReadContents(size, [](std::string_view) { return Status::Ok(); });
  }

  // Every part is made or is a folder already; a link on the way, even to a folder, is not followed.
  Status MakeFolders(const fs::path& inside) {
    fs::path at = folder_;
    for (const fs::path& part : inside) {
      if (part.empty() || part == ".") continue;
      at /= part;
      if (mkdir(at.c_str(), kFolderMode) == 0) continue;
      struct stat info;
      if (errno != EEXIST || lstat(at.c_str(), &info) != 0) return SystemError("cannot make the folder", at);
      if (!S_ISDIR(info.st_mode)) {
        return Status(Code::kInvalidArgument, "the archive " + name_ + " is refused: it has entries below " +
                                                  Quote(at.filename().string()) + ", which is not a folder");
      }
    }
    return Status::Ok();
  }

  Status ExtractFile(const Entry& entry, const fs::path& path) {
    unlink(path.c_str());  // of two entries with one name the last counts
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, entry.mode);
    if (fd < 0) return SystemError("cannot write", path);
    Status status = ReadContents(entry.size, [fd, &path](std::string_view bytes) {
      while (!bytes.empty()) {
        const ssize_t n = write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return SystemError("cannot write", path);
        bytes.remove_prefix(static_cast<size_t>(n));
      }
      return Status::Ok();
    });
    if (close(fd) != 0 && status.ok()) status = SystemError("cannot write", path);
    return status;
  }

  Status ExtractLink(const Entry& entry, const fs::path& inside) {
    const fs::path target(entry.target);
    if (entry.target.empty() || target.is_absolute() || Inside((inside.parent_path() / target).string()).empty()) {
      return Status(Code::kInvalidArgument,
                    "the archive " + name_ + " is refused: its link " + Quote(entry.name) + " points outside of it");
    }
    const fs::path path = folder_ / inside;
    unlink(path.c_str());
    if (symlink(entry.target.c_str(), path.c_str()) != 0) return SystemError("cannot make the link", path);
    return Skip(entry.size);
  }

  const gzFile file_;
  const std::string& name_;
  const fs::path folder_;
  const std::function<bool(int64_t)>& on_progress_;
};

}  // namespace

Status UnpackTarGz(int archive, const std::string& name, const std::string& folder,
                   const std::function<bool(int64_t bytes_read)>& on_progress) {
  const int copy = fcntl(archive, F_DUPFD_CLOEXEC, 0);
  if (copy < 0 || lseek(copy, 0, SEEK_SET) < 0) return SystemError("cannot read", name);
  const gzFile file = gzdopen(copy, "rb");
  if (!file) {
    close(copy);
    return Status(Code::kResourceExhausted, "cannot read " + name + ": zlib has no memory");
  }
  Status status = Unpacker(file, name, folder, on_progress).Run();
  gzclose_r(file);
  return status;
}

}  // namespace kingpost
