// SPDX-License-Identifier: Apache-2.0
// Evaluated properties on their way into a request. Any thread.
#pragma once

#include "kingpost/monitor.h"

namespace kingpost::pcl {

// Sets the inputs and what they depend on, property by property. Providers of components get them with the outputs that
// they came from; of others these are taken off.
void SetInputs(PropertyMap inputs, RegisterResourceRequest* request);

}  // namespace kingpost::pcl
