// SPDX-License-Identifier: Apache-2.0
// The options of a snippet: options { protect = true  parent = name ... }. Pure. Any thread.
#pragma once

#include "kingpost/monitor.h"
#include "languages/pcl/evaluator.h"

namespace kingpost::pcl {

// Whether all of them are known. Errors begin with "line,column: ".
Status CheckOptions(const Block& options);

// True of options whose values are spelled paths of properties: ignoreChanges and the like.
bool TakesPaths(const std::string& option);

// Sets the fields of `request` that the options name; `range` is not looked at.
Status EvaluateOptions(const Block& options, const schema::Resource& resource, Evaluator* evaluator, const Scope& scope,
                       RegisterResourceRequest* request);

}  // namespace kingpost::pcl
