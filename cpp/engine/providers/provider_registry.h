// SPDX-License-Identifier: Apache-2.0
// The provider registry: which configured provider answers to which reference, and the life of providers as
// resources (rows 2.14 to 2.17). Owns the instances. Engine thread.
//
//   Check   loads the plugin and keeps it, unconfigured, under the resource's URN
//   Diff    asks that instance
//   Create, Update, Same   configure it and put it under the reference  urn::id
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "decisions/rows.h"
#include "engine/providers/configured_provider.h"
#include "engine/providers/notices.h"
#include "model/provider_inputs.h"

namespace kingpost::providers {

class ProviderRegistry {
 public:
  ProviderRegistry(Loop& loop, const Operation& operation, const decisions::Rows& rows, Notices& notices,
                   ProviderPtr builtins, ProviderMode mode);

  // The configured provider, or null.
  ProviderPtr Get(const std::string& reference) const;
  // Configures it from the recorded state if this run has not yet done so.
  Task<Status> Ensure(std::string reference);
  // The provider that a recorded resource needs, with its extension; none for one that has been deleted already.
  Task<Status> EnsureFor(StatePtr recorded);
  // A provider that this run leaves out. Functions and remote components beside it may still ask for it: then it is
  // configured as in a preview, by EnsureLeftOut, which does nothing for any other.
  void LeaveOut(const Urn& urn, PropertyMap inputs);
  Task<Status> EnsureLeftOut(std::string reference);
  // A provider's old URN answers, too.
  void RegisterAlias(const Urn& urn, const Urn& old_urn);

  Task<Result<CheckResponse>> Check(CheckRequest request);
  Task<Result<DiffResponse>> Diff(DiffRequest request);
  Task<Result<CreateResponse>> Create(CreateRequest request);
  Task<Result<UpdateResponse>> Update(UpdateRequest request);
  Task<Status> Delete(const DeleteRequest& request);
  // `inputs` are the recorded ones: an unchanged provider is configured as it was.
  Task<Status> Same(Urn urn, std::string id, PropertyMap inputs, bool from_check);

  // Parameterizes a provider with an extension, once: later callers wait for the first (row 2.20).
  Task<Status> Extend(std::string reference, std::string extension_ref, Parameterization extension);

  // For schemas: a plugin that is not configured.
  Task<Result<ProviderPtr>> Load(Urn needed_by, std::string package, PropertyMap inputs);

 private:
  Task<Status> ConfigureLeftOut(Urn urn, PropertyMap inputs);
  Task<Status> Configure(ProviderPtr provider, Urn urn, std::string id, PropertyMap inputs);
  Task<Status> ParameterizeExtension(std::string reference, Parameterization extension);
  void Put(const Urn& urn, const std::string& id, ProviderPtr provider);
  ProviderPtr TakeUnconfigured(const Urn& urn);

  Loop& loop_;
  const Operation& operation_;
  const decisions::Rows& rows_;
  Notices& notices_;
  ProviderPtr builtins_;
  ProviderMode mode_;
  const std::shared_ptr<Semaphore> planning_;
  std::unordered_map<std::string, ProviderPtr> providers_;
  std::unordered_map<Urn, ProviderPtr> unconfigured_;
  std::unordered_map<Urn, Urn> aliases_;
  std::unordered_map<Urn, PropertyMap> left_out_;
  struct Pending {
    explicit Pending(Loop& loop) : done(loop) {}
    Event done;
    Status status;
  };
  std::unordered_map<std::string, std::shared_ptr<Pending>> ensuring_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<Pending>> extensions_;
};

}  // namespace kingpost::providers
