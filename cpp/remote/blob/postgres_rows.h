// SPDX-License-Identifier: Apache-2.0
// How objects stand in the rows of the table, and keys in patterns and arrays. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "remote/blob/blob_bucket.h"
#include "remote/blob/postgres_connection.h"

namespace kingpost {

std::string DataOf(std::string_view bytes);  // {"data":BASE64}
// LIKE's pattern of what begins with the text. `_` is a letter to us, and any letter to LIKE.
std::string PatternOf(const std::string& prefix);
std::string ArrayOf(const std::vector<std::string>& texts);  // of text[]

// The columns of a Blob; a row of them.
inline constexpr char kBlobColumns[] =
    "data->>'data', xmin::text, (extract(epoch FROM updated_at) * 1000)::bigint, "
    "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
Result<Blob> BlobOf(const std::string& where, const std::vector<std::string>& row, size_t first = 0);

}  // namespace kingpost
