// SPDX-License-Identifier: Apache-2.0
// Default providers: one a package, version and source, made when first needed (rows 2.9 to 2.13). Engine thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/registrar.h"
#include "model/provider_inputs.h"

namespace kingpost::engine {

class DefaultProviders {
 public:
  DefaultProviders(Loop& loop, const Operation& operation, Registrar& registrar)
      : loop_(loop), operation_(operation), registrar_(registrar) {}

  // What the program's own dependencies say about the packages it uses. Of a program that says nothing, the record
  // does: its resources go on with the plugins they have.
  Status SetRequired(const std::vector<RequiredPackage>& packages);
  const naming::ProviderRequest* Required(const std::string& package) const;

  // The request with what the program's dependencies say where it says nothing.
  naming::ProviderRequest Complete(naming::ProviderRequest request) const;
  // The reference of the default provider that serves the request, or of the denial (row 2.13).
  Task<Result<std::string>> Get(naming::ProviderRequest request);
  // What the stack's configuration says for the package.
  PropertyMap PackageConfig(const std::string& package) const;

 private:
  struct Pending {
    explicit Pending(Loop& loop) : done(loop) {}
    Event done;
    Result<std::string> reference{Code::kUnknown, "not registered yet"};
  };
  Status Require(naming::ProviderRequest request);
  Result<bool> Denied(const std::string& package) const;

  Loop& loop_;
  const Operation& operation_;
  Registrar& registrar_;
  std::map<std::string, naming::ProviderRequest> required_;
  std::unordered_map<std::string, std::shared_ptr<Pending>> providers_;
};

}  // namespace kingpost::engine
