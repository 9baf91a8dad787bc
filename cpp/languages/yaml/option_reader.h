// SPDX-License-Identifier: Apache-2.0
// The options of a resource, evaluated into its request. Any thread.
#pragma once

#include "languages/yaml/resource_request.h"

namespace kingpost::yaml {

// Of a resource that is read, only those that affect it.
Status ReadOptions(const Declaration& declaration, pcl::Evaluator* evaluator, const pcl::Scope& scope,
                   RegisterResourceRequest* request);

// Errors say what the value is instead.
Result<pcl::ResourceHandle> AsResource(const Value& value);

}  // namespace kingpost::yaml
