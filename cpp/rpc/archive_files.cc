// Reading tar and zip files that are parts of a bigger archive (rpc/archive_members.h).
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <memory>

#include "rpc/archive_members.h"

namespace kingpost {

namespace {

constexpr size_t kBlockSize = 512;
constexpr uint64_t kMemberBytesMax = uint64_t{4} << 30;

using Bytes = std::shared_ptr<const std::string>;

Status Damaged(const std::string& name) { return Status(Code::kDataLoss, "archive '" + name + "' is damaged"); }

std::string CleanName(const std::string& name) { return std::filesystem::path(name).lexically_normal().string(); }

std::string FieldText(std::string_view field) { return std::string(field.substr(0, field.find('\0'))); }

// Octal text, or base 256 if the first bit is set.
uint64_t FieldNumber(std::string_view field) {
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

// "<length> path=<value>\n" records; only the path and the size matter here.
void ReadPaxRecords(std::string_view records, std::string* path, uint64_t* size) {
  while (!records.empty()) {
    const size_t length = std::strtoull(std::string(records.substr(0, 20)).c_str(), nullptr, 10);
    const size_t space = records.find(' ');
    if (length == 0 || length > records.size() || space >= length) return;
    const std::string_view record = records.substr(space + 1, length - space - 2);
    if (record.starts_with("path=")) *path = record.substr(5);
    if (record.starts_with("size=")) *size = std::strtoull(std::string(record.substr(5)).c_str(), nullptr, 10);
    records.remove_prefix(length);
  }
}

ArchiveMember SliceMember(std::string name, const Bytes& bytes, size_t offset, uint64_t size) {
  ArchiveMember member{CleanName(name), size, nullptr};
  member.read = [bytes, offset, size](const ByteSink& sink) {
    sink(std::string_view(*bytes).substr(offset, size));
    return Status::Ok();
  };
  return member;
}

uint32_t Little(std::string_view bytes, size_t at, int width) {
  uint32_t number = 0;
  for (int i = width - 1; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

Status Inflate(std::string_view packed, uint64_t size, const std::string& name, const ByteSink& sink) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return Status(Code::kInternal, "cannot start zlib");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string buffer(1 << 16, '\0');
  uint64_t total = 0;
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    code = inflate(&stream, Z_NO_FLUSH);
    const size_t got = buffer.size() - stream.avail_out;
    total += got;
    if (total > size || (code == Z_OK && got == 0)) break;
    sink({buffer.data(), got});
  }
  inflateEnd(&stream);
  return code == Z_STREAM_END && total == size ? Status::Ok() : Damaged(name);
}

// One entry of a zip file's directory; null for a directory. *at moves behind the entry.
Result<std::optional<ArchiveMember>> ReadZipEntry(const Bytes& bytes, const std::string& name, size_t* at) {
  constexpr size_t kEntrySize = 46, kLocalSize = 30;
  const std::string_view all = *bytes;
  if (*at + kEntrySize > all.size() || Little(all, *at, 4) != 0x02014b50) return Damaged(name);
  const uint32_t method = Little(all, *at + 10, 2), packed = Little(all, *at + 20, 4), size = Little(all, *at + 24, 4);
  const uint32_t name_size = Little(all, *at + 28, 2);
  const size_t local = Little(all, *at + 42, 4);
  const size_t end = *at + kEntrySize + name_size + Little(all, *at + 30, 2) + Little(all, *at + 32, 2);
  if (end > all.size() || local + kLocalSize > all.size()) return Damaged(name);
  const std::string member_name(all.substr(*at + kEntrySize, name_size));
  *at = end;
  if (member_name.ends_with("/")) return std::optional<ArchiveMember>();

  const size_t data = local + kLocalSize + Little(all, local + 26, 2) + Little(all, local + 28, 2);
  if (data + packed > all.size()) return Damaged(name);
  if (method == 0) return std::optional(SliceMember(member_name, bytes, data, size));
  if (method != 8) return Status(Code::kUnimplemented, "archive '" + name + "' uses an unknown compression");
  ArchiveMember member{CleanName(member_name), size, nullptr};
  member.read = [bytes, data, packed, size, name](const ByteSink& sink) {
    return Inflate(std::string_view(*bytes).substr(data, packed), size, name, sink);
  };
  return std::optional(std::move(member));
}

}  // namespace

Result<std::vector<ArchiveMember>> ListTarMembers(std::string bytes, const std::string& name) {
  const Bytes shared = std::make_shared<const std::string>(std::move(bytes));
  const std::string_view all = *shared;
  std::vector<ArchiveMember> members;
  std::string long_name;
  uint64_t long_size = 0;  // 0: none was given
  for (size_t at = 0; at + kBlockSize <= all.size();) {
    const std::string_view header = all.substr(at, kBlockSize);
    if (header.find_first_not_of('\0') == std::string_view::npos) break;
    const char type = header[156];
    const uint64_t size = long_size > 0 && type != 'x' && type != 'L' ? long_size : FieldNumber(header.substr(124, 12));
    const size_t data = at + kBlockSize;
    if (size > kMemberBytesMax || data + size > all.size()) return Damaged(name);
    at = data + (size + kBlockSize - 1) / kBlockSize * kBlockSize;
    if (type == 'x') {
      ReadPaxRecords(all.substr(data, size), &long_name, &long_size);
      continue;
    }
    if (type == 'L') {
      long_name = FieldText(all.substr(data, size));
      continue;
    }
    const std::string prefix =
        header.substr(257, 6) == std::string_view("ustar\0", 6) ? FieldText(header.substr(345, 155)) : "";
    std::string member_name = !long_name.empty() ? long_name : FieldText(header.substr(0, 100));
    if (long_name.empty() && !prefix.empty()) member_name = prefix + "/" + member_name;
    if (type == '0' || type == '\0') members.push_back(SliceMember(member_name, shared, data, size));
    long_name.clear();
    long_size = 0;
  }
  return members;
}

Result<std::vector<ArchiveMember>> ListZipMembers(std::string bytes, const std::string& name) {
  constexpr size_t kEndSize = 22;
  const Bytes shared = std::make_shared<const std::string>(std::move(bytes));
  const size_t end = shared->rfind("PK\x05\x06");
  if (end == std::string::npos || end + kEndSize > shared->size()) return Damaged(name);
  const uint32_t count = Little(*shared, end + 10, 2);
  size_t at = Little(*shared, end + 16, 4);
  std::vector<ArchiveMember> members;
  for (uint32_t i = 0; i < count; ++i) {
    auto member = ReadZipEntry(shared, name, &at);
    if (!member.ok()) return member.status();
    if (member->has_value()) members.push_back(std::move(**member));
  }
  return members;
}

}  // namespace kingpost
