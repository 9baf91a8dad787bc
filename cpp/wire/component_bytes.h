// SPDX-License-Identifier: Apache-2.0
// The messages of Construct and Call as bytes, for hosts that construct components with an SDK in this process, which
// reads messages, and who see no protobuf themselves. Any thread.
#pragma once

#include <string>

#include "kingpost/provider_values.h"

namespace kingpost {

Result<std::string> ConstructBytes(const ConstructRequest& request, const std::string& monitor);
Result<ConstructResponse> ConstructedFromBytes(const std::string& bytes, const ConstructRequest& request);

Result<std::string> CallBytes(const CallRequest& request, const std::string& monitor);
Result<CallResponse> CalledFromBytes(const std::string& bytes, const CallRequest& request);

}  // namespace kingpost
