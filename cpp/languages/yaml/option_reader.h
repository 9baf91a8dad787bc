// SPDX-License-Identifier: Apache-2.0
// The options of a resource, evaluated into its request. Any thread.
#pragma once

#include "languages/yaml/resource_request.h"

namespace kingpost::yaml {

Status ReadOptions(const Declaration& declaration, pcl::Evaluator* evaluator, const pcl::Scope& scope,
                   RegisterResourceRequest* request);

// For resources that are read, only the options that affect them.
struct ReadResourceOptions {
  std::string parent, provider;
  std::vector<std::string> dependencies;
};
Result<ReadResourceOptions> EvaluateReadOptions(const Declaration& declaration, pcl::Evaluator* evaluator,
                                                const pcl::Scope& scope);

}  // namespace kingpost::yaml
