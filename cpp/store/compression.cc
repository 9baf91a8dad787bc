// See compression.h.
#include "store/compression.h"

#include <zlib.h>

#include <algorithm>

namespace kingpost {
namespace {

constexpr int kGzipWindow = 15 + 16;
constexpr size_t kChunk = 256 * 1024;

bool StartsWith(const std::string& bytes, std::string_view magic) { return bytes.compare(0, magic.size(), magic) == 0; }

}  // namespace

Result<std::string> Decompress(std::string bytes, const std::string& name, size_t size_max) {
  if (StartsWith(bytes, "\x28\xb5\x2f\xfd")) {
    return Status(Code::kUnimplemented, name +
                                            ": the file is compressed with zstd, which this version cannot read; "
                                            "decompress it with 'zstd -d' first");
  }
  if (!StartsWith(bytes, "\x1f\x8b")) return bytes;

  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return Status(Code::kInternal, name + ": zlib cannot start");
  std::string plain;
  size_t consumed = 0;
  int result = Z_OK;
  while (result == Z_OK) {
    if (stream.avail_in == 0) {
      const size_t chunk = std::min(kChunk, bytes.size() - consumed);
      stream.next_in = reinterpret_cast<Bytef*>(bytes.data() + consumed);
      stream.avail_in = static_cast<uInt>(chunk);
      consumed += chunk;
      if (chunk == 0) break;
    }
    const size_t before = plain.size();
    plain.resize(before + kChunk);
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + before);
    stream.avail_out = kChunk;
    result = inflate(&stream, Z_NO_FLUSH);
    plain.resize(before + kChunk - stream.avail_out);
    if (plain.size() > size_max) {
      inflateEnd(&stream);
      return Status(Code::kResourceExhausted,
                    name + ": the compressed file unfolds to more than " + std::to_string(size_max) + " bytes");
    }
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END) {
    return Status(Code::kDataLoss, name + ": the gzip data is damaged or cut short; restore the file from a backup");
  }
  return plain;
}

Result<std::string> CompressGzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return Status(Code::kInternal, "zlib cannot start");
  }
  std::string packed;
  int result = Z_OK;
  while (result == Z_OK) {
    const size_t chunk = std::min(kChunk, bytes.size());
    if (stream.avail_in == 0 && chunk > 0) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(chunk);
      bytes.remove_prefix(chunk);
    }
    const size_t before = packed.size();
    packed.resize(before + kChunk);
    stream.next_out = reinterpret_cast<Bytef*>(packed.data() + before);
    stream.avail_out = kChunk;
    result = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    packed.resize(before + kChunk - stream.avail_out);
  }
  deflateEnd(&stream);
  if (result != Z_STREAM_END) return Status(Code::kInternal, "zlib could not compress a document");
  return packed;
}

}  // namespace kingpost
