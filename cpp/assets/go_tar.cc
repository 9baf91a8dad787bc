// SPDX-License-Identifier: Apache-2.0
#include "assets/go_tar.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace kingpost {

namespace {

constexpr size_t kBlockSize = 512;
constexpr size_t kNameSize = 100;
constexpr size_t kPrefixSize = 155;
constexpr uint64_t kOctalSizeMax = (uint64_t{1} << 33) - 1;  // 11 octal digits

// Where the fields of a header block stand.
constexpr size_t kMode = 100, kUid = 108, kGid = 116, kSize = 124, kTime = 136, kChecksum = 148, kType = 156;
constexpr size_t kMagic = 257, kDevMajor = 329, kDevMinor = 337, kPrefix = 345;

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80 && c != 0; });
}

std::string ToAscii(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](unsigned char c) { return c < 0x80 && c != 0; });
  return out;
}

class Block {
 public:
  void SetText(size_t at, size_t size, std::string_view text) {
    std::copy_n(text.begin(), std::min(size, text.size()), bytes_ + at);
    // A cut name must not end in a slash, or readers take it for a directory.
    if (text.size() > size && bytes_[at + size - 1] == '/') {
      size_t end = size;
      while (end > 0 && bytes_[at + end - 1] == '/') --end;
      bytes_[at + end] = 0;
    }
  }
  // Zeros in front, a NUL behind.
  void SetOctal(size_t at, size_t size, uint64_t number) {
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llo", static_cast<unsigned long long>(number));
    std::string text(size - 1 > static_cast<size_t>(length) ? size - 1 - length : 0, '0');
    SetText(at, size, text + digits);
  }
  void SetByte(size_t at, char byte) { bytes_[at] = byte; }

  std::string_view Finish() {
    std::memcpy(bytes_ + kMagic,
                "ustar\0"
                "00",
                8);
    std::memset(bytes_ + kChecksum, ' ', 8);
    uint64_t sum = 0;
    for (unsigned char byte : bytes_) sum += byte;
    SetOctal(kChecksum, 7, sum);
    bytes_[kChecksum + 6] = 0;
    bytes_[kChecksum + 7] = ' ';
    return {bytes_, kBlockSize};
  }

 private:
  char bytes_[kBlockSize] = {};
};

// The header of a plain file, but for its name.
Block FileHeader(uint64_t size) {
  Block block;
  block.SetOctal(kMode, 8, 0600);
  block.SetOctal(kUid, 8, 0);
  block.SetOctal(kGid, 8, 0);
  block.SetOctal(kSize, 12, size);
  block.SetOctal(kTime, 12, 0);
  block.SetByte(kType, '0');
  block.SetOctal(kDevMajor, 8, 0);
  block.SetOctal(kDevMinor, 8, 0);
  return block;
}

// Cuts a long name at its last slash that leaves both parts short enough. False if there is none.
bool SplitName(std::string_view name, std::string_view* prefix, std::string_view* rest) {
  if (name.size() <= kNameSize || !IsAscii(name)) return false;
  size_t length = name.size();
  if (length > kPrefixSize + 1) {
    length = kPrefixSize + 1;
  } else if (name[length - 1] == '/') {
    --length;
  }
  const size_t slash = name.substr(0, length).rfind('/');
  if (slash == std::string_view::npos || slash == 0) return false;
  const size_t rest_size = name.size() - slash - 1;
  if (rest_size > kNameSize || rest_size == 0 || slash > kPrefixSize) return false;
  *prefix = name.substr(0, slash);
  *rest = name.substr(slash + 1);
  return true;
}

// "<length of the record> <key>=<value>\n"
std::string PaxRecord(std::string_view key, std::string_view value) {
  const size_t fixed = key.size() + value.size() + 3;
  size_t size = fixed + std::to_string(fixed).size();
  std::string record;
  do {
    if (!record.empty()) size = record.size();
    record = std::to_string(size);
    record.append(" ").append(key).append("=").append(value).append("\n");
  } while (record.size() != size);
  return record;
}

// "dir/name" -> "dir/PaxHeaders.0/name"
std::string PaxHeaderName(const std::string& name) {
  const size_t slash = name.rfind('/');
  std::string header = slash == std::string::npos ? "PaxHeaders.0/" + name
                                                  : name.substr(0, slash) + "/PaxHeaders.0/" + name.substr(slash + 1);
  header = ToAscii(header).substr(0, kNameSize);
  while (!header.empty() && header.back() == '/') header.pop_back();
  return header;
}

}  // namespace

void GoTarWriter::BeginFile(const std::string& name, uint64_t size) {
  written_ = 0;
  std::string_view prefix, rest = name;
  const bool name_fits = SplitName(name, &prefix, &rest) || (name.size() <= kNameSize && IsAscii(name));
  if (!name_fits || size > kOctalSizeMax) {
    WritePax(name, size);
    return;
  }
  Block block = FileHeader(size);
  block.SetText(0, kNameSize, rest);
  block.SetText(kPrefix, kPrefixSize, prefix);
  sink_(block.Finish());
}

void GoTarWriter::WritePax(const std::string& name, uint64_t size) {
  std::string records;
  if (name.size() > kNameSize || !IsAscii(name)) records += PaxRecord("path", name);
  if (size > kOctalSizeMax) records += PaxRecord("size", std::to_string(size));

  Block extended;
  extended.SetText(0, kNameSize, PaxHeaderName(name));
  for (size_t field : {kMode, kUid, kGid}) extended.SetOctal(field, 8, 0);
  extended.SetOctal(kSize, 12, records.size());
  extended.SetOctal(kTime, 12, 0);
  extended.SetByte(kType, 'x');
  sink_(extended.Finish());
  sink_(records);
  Pad(records.size());

  // A value that does not fit stands in the record; Go writes a zero here.
  Block block = FileHeader(size > kOctalSizeMax ? 0 : size);
  block.SetText(0, kNameSize, ToAscii(name));
  sink_(block.Finish());
}

void GoTarWriter::Write(std::string_view bytes) {
  written_ += bytes.size();
  sink_(bytes);
}

void GoTarWriter::EndFile() { Pad(written_); }

void GoTarWriter::Pad(uint64_t size) {
  static const char kZeros[kBlockSize] = {};
  const size_t over = size % kBlockSize;
  if (over != 0) sink_({kZeros, kBlockSize - over});
}

void GoTarWriter::Close() {
  const std::string end(2 * kBlockSize, '\0');
  sink_(end);
}

}  // namespace kingpost
