// SPDX-License-Identifier: Apache-2.0
// The CI system that runs this process, as its environment variables tell.
#pragma once

#include <string>

namespace kingpost {

struct CiSystem {
  std::string name;  // "GitHub Actions"; "" if there is none
  std::string build_id, build_number, build_type, build_url;
  std::string sha, branch, commit_message, pull_request;
};

// PULUMI_CI_SYSTEM and its companions come first; PULUMI_DISABLE_CI_DETECTION turns it off.
CiSystem DetectCiSystem();

}  // namespace kingpost
