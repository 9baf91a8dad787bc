// SPDX-License-Identifier: Apache-2.0
// Default providers: one a package, version and source, made when first needed (rows 2.9 to 2.13). Engine thread.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "decisions/required_packages.h"
#include "engine/resource_requests.h"
#include "model/provider_inputs.h"

namespace kingpost::engine {

class DefaultProviders {
 public:
  DefaultProviders(Loop& loop, const Operation& operation, ResourceRequests& requests)
      : loop_(loop), operation_(operation), requests_(requests) {}

  // The program's own dependencies on packages. Of a program that says nothing, the record does: its resources go on
  // with the plugins they have.
  Status SetRequired(const std::vector<RequiredPackage>& packages);
  const ProviderRequest* Required(const std::string& package) const { return required_.Find(package); }
  // The request with what the program's dependencies say where it says nothing.
  ProviderRequest Complete(ProviderRequest request) const { return required_.Complete(std::move(request)); }
  // The reference of the default provider that serves the request, or of the denial (row 2.13).
  Task<Result<std::string>> Get(ProviderRequest request);
  // The stack's configuration of the package.
  PropertyMap PackageConfig(const std::string& package) const;

 private:
  struct Pending {
    explicit Pending(Loop& loop) : done(loop) {}
    Event done;
    Result<std::string> reference{Code::kUnknown, "not registered yet"};
  };

  Loop& loop_;
  const Operation& operation_;
  ResourceRequests& requests_;
  decisions::RequiredPackages required_;
  std::unordered_map<std::string, std::shared_ptr<Pending>> providers_;
};

}  // namespace kingpost::engine
