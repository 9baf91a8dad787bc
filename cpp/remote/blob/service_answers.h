// SPDX-License-Identifier: Apache-2.0
// The common reading of answers, for buckets of all services.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "remote/blob/blob_bucket.h"

namespace kingpost {

// Adds what a page of a listing has, and gives the token of the next one; "" after the last.
using ListPage = std::function<Result<std::string>(const std::string& token, std::vector<BlobInfo>* found)>;

// So many pages in a row may bring no key that is new. Services send empty pages while they pass over what was deleted,
// and pages of folders alone, a thousand to a page, where one level is listed.
inline constexpr int kIdlePagesMax = 1000;

// All pages, in the order of keys, each key once. What does not begin with the prefix was not asked for, whatever the
// service says: who lists may go on to delete what it was given. An error where the service leads in a circle, or on
// and on without bringing anything. `url` is for the message.
Result<std::vector<BlobInfo>> ListAllPages(const std::string& url, const std::string& prefix, const ListPage& page);

// The condition of a Put was not met. An earlier request may have been stored, sent by us or by a proxy that repeats
// requests without an answer. The stored object tells, and our own bytes are success. `url` is for the message.
Result<std::string> ResolveFailedPut(BlobBucket& bucket, const std::string& key, const std::string& url,
                                     std::string_view bytes);

}  // namespace kingpost
