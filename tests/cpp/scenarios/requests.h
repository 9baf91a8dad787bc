// SPDX-License-Identifier: Apache-2.0
// Turns the statements of a scenario's program into requests to the monitor. A statement that makes no sense gives a
// failed Result that says why. The functions are pure, except that they read the names.
#pragma once

#include "kingpost/monitor.h"
#include "scenarios/values.h"

namespace kingpost::scenarios {

// `parent`: of a resource that names none.
Result<RegisterResourceRequest> ToRegistration(const Names& names, const Json& statement, const std::string& parent);
Result<ReadResourceRequest> ToRead(const Names& names, const Json& statement, const std::string& parent);
Result<ExistsResourceRequest> ToExists(const Names& names, const Json& statement);
Result<ResourceInvokeRequest> ToInvoke(const Names& names, const Json& statement);
Result<ResourceCallRequest> ToCall(const Names& names, const Json& statement);
Result<RegisterPackageRequest> ToPackage(const Json& statement);

// The label under which the rest of the file names the statement's resource.
std::string LabelOf(const Json& statement);

}  // namespace kingpost::scenarios
