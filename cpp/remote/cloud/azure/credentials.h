// SPDX-License-Identifier: Apache-2.0
// Tokens of Microsoft Entra for Azure: a client of the environment, a workload's or a machine's identity, or the login
// of az or azd; in this order.
#pragma once

#include <string>

#include "remote/cloud/bearer.h"

namespace kingpost {

// `resource`: "https://storage.azure.com". What is tried in vain is named in the error.
Result<AccessToken> FindAzureToken(const std::shared_ptr<const CloudIo>& io, const std::string& resource);

// A statement of who the client is, signed with the key in a PEM file that also holds its certificate.
Result<std::string> CertificateAssertion(const std::string& pem, const std::string& client, const std::string& audience,
                                         int64_t now_ms);

}  // namespace kingpost
