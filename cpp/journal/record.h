// SPDX-License-Identifier: Apache-2.0
// How records lie in a journal's bytes (docs/journal.md), and how damage is told from an interrupted write.
//
//     preamble  magic "KPJRNL" 0 1 | salt u32 | crc u32                                   16 bytes
//     record    length u32 | crc u32 | sequence u64 | synced u64 | payload                24 bytes and the payload
//
// Little-endian. Both checksums are CRC-32C; a record's starts from the salt and covers all of it but itself. `synced`
// is how many records were on the disk when this one was written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace kingpost {

inline constexpr size_t kPreambleSize = 16;
inline constexpr size_t kRecordHeaderSize = 24;
inline constexpr uint64_t kPayloadSizeMax = uint64_t{1} << 31;

uint32_t Crc32c(uint32_t crc, std::string_view bytes);

std::string EncodePreamble(uint32_t salt);
void AppendRecord(uint32_t salt, uint64_t sequence, uint64_t synced, std::string_view payload, std::string* out);

struct RecordScan {
  uint32_t salt = 0;
  std::vector<std::string_view> payloads;  // of the records, from the first that was asked for
  uint64_t valid_bytes = 0;
  uint64_t torn_tail_bytes = 0;
};

// The valid records. Fails if the preamble is damaged, or a record that a later one knows to have been synced.
Result<RecordScan> ScanRecords(std::string_view bytes);
// The same of bytes that follow the records before `first` of the journal with this salt.
Result<RecordScan> ScanMoreRecords(uint32_t salt, uint64_t first, std::string_view bytes);

}  // namespace kingpost
