// SPDX-License-Identifier: Apache-2.0
// See compression.h.
#include "store/compression.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace kingpost {
namespace {

constexpr int kGzipWindow = 15 + 16;
constexpr size_t kChunk = 256 * 1024;

Status TooLarge(const std::string& name, size_t size_max) {
  return Status(Code::kResourceExhausted,
                name + ": the compressed file unfolds to more than " + std::to_string(size_max) + " bytes");
}

Status Damaged(const std::string& name, const std::string& format) {
  return Status(Code::kDataLoss,
                name + ": the " + format + " data is damaged or cut short; restore the file from a backup");
}

Result<std::string> Gunzip(std::string bytes, const std::string& name, size_t size_max) {
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
      return TooLarge(name, size_max);
    }
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END) return Damaged(name, "gzip");
  return plain;
}

Result<std::string> Gzip(std::string_view bytes) {
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

struct ZstdStreamDeleter {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

Result<std::string> Unzstd(const std::string& bytes, const std::string& name, size_t size_max) {
  const std::unique_ptr<ZSTD_DStream, ZstdStreamDeleter> stream(ZSTD_createDStream());
  if (!stream) return Status(Code::kInternal, name + ": zstd cannot start");
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::string plain;
  size_t missing = 1;  // of the frame; 0 at its end, after which another may follow
  bool full = false;   // the last round filled all its room, so there may be more to come out
  while (in.pos < in.size || (missing != 0 && full)) {
    const size_t before = plain.size();
    plain.resize(before + kChunk);
    ZSTD_outBuffer out{plain.data() + before, kChunk, 0};
    missing = ZSTD_decompressStream(stream.get(), &out, &in);
    plain.resize(before + out.pos);
    if (ZSTD_isError(missing)) return Damaged(name, "zstd");
    if (plain.size() > size_max) return TooLarge(name, size_max);
    full = out.pos == kChunk;
  }
  if (missing != 0) return Damaged(name, "zstd");
  return plain;
}

Result<std::string> Zstd(std::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size)) return Status(Code::kInternal, "zstd could not compress a document");
  packed.resize(size);
  return packed;
}

}  // namespace

std::string_view ExtensionOf(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return "";
    case Compression::kGzip:
      return ".gz";
    case Compression::kZstd:
      return ".zst";
  }
  return "";
}

Compression CompressionOfKey(std::string_view name) {
  for (const Compression form : {Compression::kGzip, Compression::kZstd}) {
    if (name.ends_with(ExtensionOf(form))) return form;
  }
  return Compression::kNone;
}

std::string_view ContentTypeOf(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) return "application/x-gzip";
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return "application/octet-stream";
  return "text/plain; charset=utf-8";
}

Result<std::string> Decompress(std::string bytes, const std::string& name, size_t size_max) {
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return Unzstd(bytes, name, size_max);
  if (bytes.starts_with("\x1f\x8b")) return Gunzip(std::move(bytes), name, size_max);
  return bytes;
}

Result<std::string> Compress(Compression compression, std::string_view bytes) {
  switch (compression) {
    case Compression::kNone:
      return std::string(bytes);
    case Compression::kGzip:
      return Gzip(bytes);
    case Compression::kZstd:
      return Zstd(bytes);
  }
  return std::string(bytes);
}

}  // namespace kingpost
