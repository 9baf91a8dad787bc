// SPDX-License-Identifier: Apache-2.0
// Brings the stacks of a file store from the layout without projects to the one with them (`state upgrade`).
//
// Works on both layouts of one folder at a time, whatever the folder says it has: after an upgrade, an old tool may
// have put a stack into the former one. Blocking; one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kingpost/state_store.h"
#include "store/file_store.h"

namespace kingpost {

class LayoutUpgrade {
 public:
  // Null if the store of this URL has only one layout.
  static Result<std::unique_ptr<LayoutUpgrade>> Open(const std::string& url);

  // The stacks that have no project yet, to be listed, read and locked.
  StateStore& legacy() { return *legacy_; }
  // What is with projects already.
  StateStore& projects() { return *projects_; }

  // First of all: who cannot write this could not read the stacks any more after the upgrade.
  Status DeclareProjects() { return projects_->WriteMeta(); }
  // The document, which says the stack's new name, with history and tags. The former document stays as a backup.
  Status Move(const std::string& name, const std::string& project, std::string_view bytes);

 private:
  LayoutUpgrade(const std::string& root, const std::string& url, const FileStoreOptions& options);

  const std::unique_ptr<FileStore> legacy_, projects_;
};

}  // namespace kingpost
