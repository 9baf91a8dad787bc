// SPDX-License-Identifier: Apache-2.0
// Which versions of packages the program requires, or the record, if the program says nothing (rows 2.11, 6.6). Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kingpost/plugin_host.h"
#include "model/provider_inputs.h"
#include "model/resource.h"

namespace kingpost::decisions {

class RequiredPackages {
 public:
  // The highest version of each package. Fails if one package would come from two plugins.
  Status Learn(const std::vector<RequiredPackage>& of_program, const std::vector<StatePtr>& recorded);

  const ProviderRequest* Find(const std::string& package) const;  // null if nothing is required
  // The request with what is required where it says nothing.
  ProviderRequest Complete(ProviderRequest request) const;

 private:
  Status Add(ProviderRequest request);

  std::map<std::string, ProviderRequest> required_;
};

// The plugins of the recorded providers.
std::vector<RequiredPackage> RecordedPackages(const std::vector<StatePtr>& recorded);

// A package of which something older is recorded than the program wants: an operation without the program uses that.
struct OlderPackage {
  std::string name, recorded, wanted;
};
std::vector<OlderPackage> OlderPackages(const std::vector<RequiredPackage>& of_program,
                                        const std::vector<StatePtr>& recorded);

}  // namespace kingpost::decisions
