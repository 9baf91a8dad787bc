// SPDX-License-Identifier: Apache-2.0
// The credentials of a profile, through as many profiles as name each other as their source.
#pragma once

#include "remote/cloud/aws/sources.h"

namespace kingpost {

Result<AwsCredentials> ProfileCredentials(const AwsSettings& settings, SourcesTried* tried);

}  // namespace kingpost
