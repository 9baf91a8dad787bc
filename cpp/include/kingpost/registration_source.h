// SPDX-License-Identifier: Apache-2.0
// RegistrationSource: what registers resources beside the program, in the same run. The snippets of a state are such
// sources (languages/snippets/); the engine knows no more of them than this. Engine thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kingpost/monitor.h"

namespace kingpost {

struct PublishedResource {
  Urn urn;         // as registered; the one waited for may be an alias
  std::string id;  // "" of components
  PropertyMap outputs;
};

class RegistrationSource {
 public:
  virtual ~RegistrationSource() = default;

  // Resumes when the program or another source has registered the resource. It fails with "no source registered this
  // URN" once nobody can any more, and with Unavailable if the run was stopped.
  using WaitFor = std::function<Task<Result<PublishedResource>>(Urn urn)>;

  // Registers all that the source has. Unavailable: the run was stopped meanwhile, and nothing is to be said of it.
  virtual Task<Status> Run(Monitor& monitor, WaitFor wait_for) = 0;
};
using RegistrationSources = std::vector<std::unique_ptr<RegistrationSource>>;

}  // namespace kingpost
