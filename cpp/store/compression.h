// SPDX-License-Identifier: Apache-2.0
// Compressed documents: gzip and zstd, recognised by their first bytes when read.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost {

enum class Compression { kNone, kGzip, kZstd };

// The suffix of a file that is so compressed: "", ".gz", ".zst".
std::string_view ExtensionOf(Compression compression);
Compression CompressionOfKey(std::string_view name);  // of a file that is called so

// The content type of a stored document, by its first bytes: as Go's HTTP library guesses it.
std::string_view ContentTypeOf(std::string_view bytes);

// By the bytes' own mark; plain bytes pass through. `size_max` bounds what a small file may unfold to. `name` is for
// errors.
Result<std::string> Decompress(std::string bytes, const std::string& name, size_t size_max = size_t{4} << 30);
Result<std::string> Compress(Compression compression, std::string_view bytes);

}  // namespace kingpost
