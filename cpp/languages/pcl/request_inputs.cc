// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/request_inputs.h"

namespace kingpost::pcl {

void SetInputs(PropertyMap inputs, RegisterResourceRequest* request) {
  for (const auto& [name, value] : inputs) {
    std::vector<Urn> urns;
    CollectOutputDependencies(value, &urns);
    if (urns.empty()) continue;
    request->dependencies.insert(request->dependencies.end(), urns.begin(), urns.end());
    request->property_dependencies[name] = std::move(urns);
  }
  request->inputs = request->remote ? std::move(inputs) : FlattenOutputs(inputs);
}

}  // namespace kingpost::pcl
