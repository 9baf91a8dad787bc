// SPDX-License-Identifier: Apache-2.0
// Checksums that S3 keeps beside objects, when a URL asks for them. Pure.
#pragma once

#include <string>
#include <string_view>

#include "remote/http/http_client.h"

namespace kingpost {

std::string ChecksumSha256(std::string_view bytes);  // as x-amz-checksum-sha256 has it
// False if the answer names a checksum of its body that we know, and the body has another one. Those of objects that
// were put in parts ("...-3") are of the parts' checksums.
bool MatchesChecksums(const HttpResponse& response);

}  // namespace kingpost
