// SPDX-License-Identifier: Apache-2.0
// Credentials for Google Cloud: GOOGLE_CREDENTIALS (the JSON itself), GOOGLE_OAUTH_ACCESS_TOKEN, the file that
// GOOGLE_APPLICATION_CREDENTIALS names, the one that gcloud leaves, the metadata service of the machine.
#pragma once

#include <string>

#include "remote/cloud/bearer.h"
#include "remote/cloud/flat_json.h"

namespace kingpost {

inline constexpr char kGcpStorageScope[] = "https://www.googleapis.com/auth/devstorage.read_write";
inline constexpr char kGcpKmsScope[] = "https://www.googleapis.com/auth/cloudkms";
inline constexpr char kGcpCloudScope[] = "https://www.googleapis.com/auth/cloud-platform";

// Looks once; what is tried in vain is named in the error.
Result<AccessToken> FindGcpToken(const std::shared_ptr<const CloudIo>& io, const std::string& scope);

// The content of a file of credentials. `prefix` is the way to them in the document: "", or "source_credentials.".
Result<AccessToken> TokenOfGcpFile(const std::shared_ptr<const CloudIo>& io, const FlatJson& file,
                                   const std::string& prefix, const std::string& scope);

// The token of another identity provider, as the file says where it is.
struct SubjectToken {
  std::string text, type;
};
Result<SubjectToken> FindSubjectToken(const std::shared_ptr<const CloudIo>& io, const FlatJson& file,
                                      const std::string& prefix);

}  // namespace kingpost
