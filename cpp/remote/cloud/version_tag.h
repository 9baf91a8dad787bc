// SPDX-License-Identifier: Apache-2.0
// The version of an object, as a service names it in a header of its answer. A condition with an empty version would be
// none, and the write would replace that of another process.
#pragma once

#include <string>

#include "remote/http/http_client.h"

namespace kingpost {

// `what` begins the error: "cannot read s3://team/a".
inline Result<std::string> VersionTag(const HttpResponse& response, const std::string& header,
                                      const std::string& what) {
  std::string tag = response.header(header);
  if (!tag.empty()) return tag;
  return Status(Code::kUnknown, what + ": the answer has no header " + header +
                                    ", so the object's versions cannot be told apart; a proxy on the way may take it "
                                    "away, or answer in the service's place");
}

}  // namespace kingpost
