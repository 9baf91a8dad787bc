// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/request_inputs.h"

namespace kingpost::pcl {

void SetInputs(PropertyMap inputs, RegisterResourceRequest* request) {
  for (const auto& [name, value] : inputs) {
    std::vector<Urn> urns;
    CollectOutputDependencies(value, &urns);
    if (urns.empty()) continue;
    std::vector<std::string>& of_property = request->property_dependencies[name];
    for (const Urn& urn : urns) of_property.push_back(urn.str());
    request->dependencies.insert(request->dependencies.end(), of_property.begin(), of_property.end());
  }
  request->inputs = request->remote ? std::move(inputs) : FlattenOutputs(inputs);
}

}  // namespace kingpost::pcl
