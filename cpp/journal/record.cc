// SPDX-License-Identifier: Apache-2.0
// Framing and checksums. What a crash may leave is a prefix of the synced records and any part of the rest.
#include "journal/record.h"

#include <array>
#include <cstring>

namespace kingpost {
namespace {

constexpr char kMagic[8] = {'K', 'P', 'J', 'R', 'N', 'L', 0, 1};

// Tables for eight bytes at a time: table[k][b] is the effect of byte b followed by k zero bytes.
using CrcTables = std::array<std::array<uint32_t, 256>, 8>;
constexpr CrcTables MakeCrcTables() {
  CrcTables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0u);
    tables[0][byte] = crc;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 255];
    }
  }
  return tables;
}
constexpr CrcTables kCrc = MakeCrcTables();

template <class T>
void Put(T number, std::string* out) {
  for (size_t i = 0; i < sizeof(T); ++i) out->push_back(static_cast<char>(number >> (8 * i)));
}

template <class T>
T Get(std::string_view bytes, size_t offset) {
  T number = 0;
  for (size_t i = 0; i < sizeof(T); ++i) number |= static_cast<T>(static_cast<uint8_t>(bytes[offset + i])) << (8 * i);
  return number;
}

uint32_t RecordCrc(uint32_t salt, std::string_view record) {
  return Crc32c(Crc32c(salt, record.substr(0, 4)), record.substr(8));
}

struct Record {
  uint64_t sequence = 0, synced = 0;
  std::string_view payload;
  size_t size() const { return kRecordHeaderSize + payload.size(); }
};

// False if there is no whole and valid record at the offset, or its sequence is less than sequence_min.
bool ReadRecord(uint32_t salt, std::string_view bytes, size_t offset, uint64_t sequence_min, Record* record) {
  if (bytes.size() - offset < kRecordHeaderSize) return false;
  const uint64_t length = Get<uint32_t>(bytes, offset);
  record->sequence = Get<uint64_t>(bytes, offset + 8);
  record->synced = Get<uint64_t>(bytes, offset + 16);
  if (record->sequence < sequence_min || record->synced > record->sequence) return false;
  if (length > kPayloadSizeMax || length > bytes.size() - offset - kRecordHeaderSize) return false;
  const std::string_view whole = bytes.substr(offset, kRecordHeaderSize + length);
  record->payload = whole.substr(kRecordHeaderSize);
  return RecordCrc(salt, whole) == Get<uint32_t>(bytes, offset + 4);
}

// A crash may lose or tear what was not synced, in any order. So a gap is harmless unless something after it was
// written in the knowledge that the missing record was safe.
Status CheckTail(uint32_t salt, std::string_view bytes, size_t offset, uint64_t missing) {
  Record later;
  for (size_t at = offset; at < bytes.size(); ++at) {
    if (!ReadRecord(salt, bytes, at, missing, &later) || later.synced <= missing) continue;
    return Status(Code::kDataLoss, "record " + std::to_string(missing) + " at byte " + std::to_string(offset) +
                                       " is damaged, but record " + std::to_string(later.sequence) +
                                       " after it is whole: the disk has lost data that was safely written");
  }
  return Status::Ok();
}

size_t WithoutZeros(std::string_view bytes) { return bytes.find_last_not_of('\0') + 1; }  // npos + 1 is 0

Result<RecordScan> ScanFrom(std::string_view bytes, size_t offset, uint32_t salt, uint64_t first) {
  RecordScan scan;
  scan.salt = salt;
  uint64_t next = first;
  for (Record record; ReadRecord(salt, bytes, offset, next, &record) && record.sequence == next; ++next) {
    scan.payloads.push_back(record.payload);
    offset += record.size();
  }
  if (Status status = CheckTail(salt, bytes, offset, next); !status.ok()) return status;
  const size_t used = WithoutZeros(bytes);
  scan.valid_bytes = scan.payloads.empty() ? 0 : offset;
  scan.torn_tail_bytes = used > scan.valid_bytes ? used - scan.valid_bytes : 0;
  return scan;
}

}  // namespace

uint32_t Crc32c(uint32_t crc, std::string_view bytes) {
  auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t left = bytes.size();
  crc = ~crc;
  for (; left >= 8; data += 8, left -= 8) {
    const uint32_t low = crc ^ (data[0] | data[1] << 8 | data[2] << 16 | static_cast<uint32_t>(data[3]) << 24);
    crc = kCrc[7][low & 255] ^ kCrc[6][low >> 8 & 255] ^ kCrc[5][low >> 16 & 255] ^ kCrc[4][low >> 24] ^
          kCrc[3][data[4]] ^ kCrc[2][data[5]] ^ kCrc[1][data[6]] ^ kCrc[0][data[7]];
  }
  for (; left > 0; ++data, --left) crc = crc >> 8 ^ kCrc[0][(crc ^ *data) & 255];
  return ~crc;
}

std::string EncodePreamble(uint32_t salt) {
  std::string bytes(kMagic, sizeof(kMagic));
  Put(salt, &bytes);
  Put(Crc32c(0, bytes), &bytes);
  return bytes;
}

void AppendRecord(uint32_t salt, uint64_t sequence, uint64_t synced, std::string_view payload, std::string* out) {
  KP_ASSERT(payload.size() <= kPayloadSizeMax, "the caller checks the size of a record");
  std::string header;
  Put(static_cast<uint32_t>(payload.size()), &header);
  Put(uint32_t{0}, &header);
  Put(sequence, &header);
  Put(synced, &header);
  const uint32_t crc = Crc32c(RecordCrc(salt, header), payload);
  for (int i = 0; i < 4; ++i) header[4 + i] = static_cast<char>(crc >> (8 * i));
  out->append(header).append(payload);
}

Result<RecordScan> ScanRecords(std::string_view bytes) {
  RecordScan scan;
  const size_t used = WithoutZeros(bytes);
  if (used == 0 || bytes.size() < kPreambleSize) {  // made, and never written
    scan.torn_tail_bytes = used;
    return scan;
  }
  const auto salt = Get<uint32_t>(bytes, 8);
  if (bytes.substr(0, kPreambleSize) != EncodePreamble(salt)) {
    return Status(Code::kDataLoss, "the first 16 bytes are not those of a journal of this version");
  }
  return ScanFrom(bytes, kPreambleSize, salt, 0);
}

Result<RecordScan> ScanMoreRecords(uint32_t salt, uint64_t first, std::string_view bytes) {
  return ScanFrom(bytes, 0, salt, first);
}

}  // namespace kingpost
