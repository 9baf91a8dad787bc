// SPDX-License-Identifier: Apache-2.0
// Autonaming: names that the engine proposes to providers (row 3.40). Pure: randomness comes from the seed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "kingpost/provider_values.h"

namespace kingpost::decisions {

class Autonamer {
 public:
  Autonamer();
  ~Autonamer();
  Autonamer(Autonamer&&) noexcept;
  Autonamer& operator=(Autonamer&&) noexcept;
  // From the JSON text of config key "pulumi:autonaming". `config`, `organization`, `project`, `stack` feed
  // the expressions of patterns. Errors name the key.
  static Result<Autonamer> Parse(const std::string& json, const std::map<std::string, std::string>& config,
                                 const std::string& organization, const std::string& project, const std::string& stack);

  struct Proposal {
    std::optional<Autonaming> options;
    bool delete_before_replace = false;  // the name is always the same, so old and new cannot exist together
    bool warn_if_unsupported = false;    // the user means this resource: say so if its provider cannot do it
  };
  // seed: 32 bytes.
  Proposal ForResource(const Urn& urn, const std::string& seed) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kingpost::decisions
