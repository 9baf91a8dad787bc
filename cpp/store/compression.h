// Compressed documents: recognised by their first bytes when read, gzip when written.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost {

// Plain bytes pass through. `size_max` bounds what a small file may unfold to. `name` is for errors.
Result<std::string> Decompress(std::string bytes, const std::string& name, size_t size_max = size_t{4} << 30);
Result<std::string> CompressGzip(std::string_view bytes);

}  // namespace kingpost
