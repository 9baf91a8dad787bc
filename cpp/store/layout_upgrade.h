// SPDX-License-Identifier: Apache-2.0
// The two layouts of one store, side by side: stacks without projects, and the place where they are to have them
// (`state upgrade`). Folders, buckets and databases alike.
//
// Whatever the store says it has: after an upgrade, an old tool may have put a stack into the former layout. Blocking;
// any thread, one call per stack at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kingpost/state_store.h"

namespace kingpost {

class LayoutUpgrade {
 public:
  // Null if the store has only one layout.
  static Result<std::unique_ptr<LayoutUpgrade>> Open(StateStore& store);
  virtual ~LayoutUpgrade() = default;

  // The stacks that have no project yet, to be listed, read and locked.
  virtual StateStore& legacy() = 0;
  // The stacks that have projects already.
  virtual StateStore& projects() = 0;

  // First of all: who cannot write this could not read the stacks any more after the upgrade.
  virtual Status DeclareProjects() = 0;
  // The document, which says the stack's new name, with history and tags. The former document stays as a backup. May be
  // broken off anywhere and begun again with the same bytes. AlreadyExists if another stack has the name.
  virtual Status Move(const StackName& from, const StackName& to, std::string_view bytes) = 0;
};

}  // namespace kingpost
