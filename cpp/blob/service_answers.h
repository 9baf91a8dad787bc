// SPDX-License-Identifier: Apache-2.0
// What buckets of all services make of their answers in the same way.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "blob/blob_bucket.h"

namespace kingpost {

// Adds what a page of a listing has, and gives the token of the next one; "" after the last.
using ListPage = std::function<Result<std::string>(const std::string& token, std::vector<BlobInfo>* found)>;

// All pages, in the order of keys. What does not begin with the prefix was not asked for, whatever the service says:
// who lists may go on to delete what it was given.
Result<std::vector<BlobInfo>> ListAllPages(const std::string& prefix, const ListPage& page);

// The condition of a Put was not met. An earlier sending of it may have been stored, by us or by a proxy on the way
// that sends again what it has no answer to: what is there tells, and our own bytes are success. `url` is for the
// message.
Result<std::string> LostOrOurs(BlobBucket& bucket, const std::string& key, const std::string& url,
                               std::string_view bytes);

}  // namespace kingpost
