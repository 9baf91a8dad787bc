// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/s3_checksum.h"

#include <zlib.h>

#include "base/digest.h"
#include "base/encoding.h"

namespace kingpost {

namespace {

std::string ChecksumCrc32(std::string_view bytes) {
  const uLong sum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  const char big_endian[] = {static_cast<char>(sum >> 24), static_cast<char>(sum >> 16), static_cast<char>(sum >> 8),
                             static_cast<char>(sum)};
  return Base64Encode(std::string_view(big_endian, sizeof big_endian));
}

bool IsOfParts(const HttpResponse& response, const std::string& sum) {
  return response.header("x-amz-checksum-type") == "COMPOSITE" || sum.find('-') != std::string::npos;
}

}  // namespace

std::string ChecksumSha256(std::string_view bytes) { return Base64Encode(*HexDecode(Sha256Hex(bytes))); }

bool MatchesChecksums(const HttpResponse& response) {
  const std::string sha256 = response.header("x-amz-checksum-sha256"), crc32 = response.header("x-amz-checksum-crc32");
  if (!sha256.empty() && !IsOfParts(response, sha256) && sha256 != ChecksumSha256(response.body)) return false;
  return crc32.empty() || IsOfParts(response, crc32) || crc32 == ChecksumCrc32(response.body);
}

}  // namespace kingpost
