// SPDX-License-Identifier: Apache-2.0
// Hashes of assets and archives: by them the engine sees that a file changed (rows 1.4, 7.7).
//
// Reading files is work for a worker thread: on the loop, ask NeedsHashes first and then
//   auto hashed = co_await pool.Run([=] { return WithHashes(inputs, working_directory); });
#pragma once

#include <string>

#include "base/status.h"
#include "model/value.h"

namespace kingpost {

bool NeedsHashes(const PropertyMap& map);
bool NeedsHashes(const Value& value);

// Every asset and archive without a hash gets one. Errors name the top-level property.
Result<PropertyMap> WithHashes(const PropertyMap& map, const std::string& working_directory);

Result<std::string> HashAsset(const AssetData& asset, const std::string& working_directory);
Result<std::string> HashArchive(const ArchiveData& archive, const std::string& working_directory);

}  // namespace kingpost
