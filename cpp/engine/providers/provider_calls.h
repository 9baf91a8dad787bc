// SPDX-License-Identifier: Apache-2.0
// Invoke and Call (rows 8.15, 8.16), with the dependencies of values. A provider that does not accept output values
// gets plain ones, and its whole answer depends on all dependencies of its arguments.
#pragma once

#include "kingpost/provider.h"

namespace kingpost::providers {

Task<Result<InvokeResponse>> Invoke(ProviderPtr provider, InvokeRequest request);
Task<Result<CallResponse>> Call(ProviderPtr provider, CallRequest request);

}  // namespace kingpost::providers
