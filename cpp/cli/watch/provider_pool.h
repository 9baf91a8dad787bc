// SPDX-License-Identifier: Apache-2.0
// Providers that stay from one preview to the next, up and configured. A run reuses a provider for the same
// plugin, version and environment, if its program is the same file on the disk. Another configuration takes a new
// process, because a provider may keep parts of its first configuration. An SDK's dynamic providers run the
// program's own code, which changes with every save. So these are not kept, nor are plugins in source form with a
// changed file.
//
// Owns nothing of the processes: the host does. Loop thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/provider.h"
#include "wire/package_host.h"

namespace kingpost {

class ProviderPool {
 public:
  // The host outlives it.
  explicit ProviderPool(PackageHost& host) : host_(host) {}

  // One that is kept, or a new one, which will be kept. `fingerprint` is that of its program on the disk: one that was
  // started from other files is not used again.
  Task<Result<ProviderPtr>> Load(ProviderSpec spec, std::string fingerprint);
  // Between runs: all are free again, and those that cannot be used any more are ended.
  Task<void> EndRun();
  // None is to be used again: the run was cancelled, which they have been told.
  void InvalidateAll();
  size_t size() const { return kept_.size(); }

 private:
  friend class PooledProvider;
  struct Kept {
    ProviderSpec spec;
    std::string fingerprint;
    ProviderPtr provider;
    std::optional<ConfigureRequest> configured;  // what it was asked
    std::optional<Parameterization> parameter;
    std::pair<std::string, std::string> parameter_answer;
    bool used = false;      // in this run: it has been configured
    bool outdated = false;  // not to be used again
  };

  std::shared_ptr<Kept> Find(const ProviderSpec& spec, const std::string& fingerprint) const;
  // A free one that has been told the same.
  std::shared_ptr<Kept> FindConfigured(const Kept& like, const ConfigureRequest& request) const;
  bool Fits(const Kept& kept, const ProviderSpec& spec, const std::string& fingerprint) const;
  Task<Result<std::shared_ptr<Kept>>> Begin(ProviderSpec spec, std::string fingerprint);

  PackageHost& host_;
  std::vector<std::shared_ptr<Kept>> kept_;
};

}  // namespace kingpost
