// SPDX-License-Identifier: Apache-2.0
// The state that all parts of one operation share: the known resources, the user's restrictions of the run, and the
// making of names. Owned by the deployment; engine thread only.
#pragma once

#include <string>

#include "decisions/rows.h"
#include "decisions/selection.h"
#include "kingpost/engine.h"

namespace kingpost::engine {

class Run {
 public:
  explicit Run(const Operation& operation);

  decisions::Rows& rows() { return rows_; }
  const decisions::Rows& rows() const { return rows_; }
  decisions::Selection& selection() { return selection_; }
  const decisions::Selection& selection() const { return selection_; }

  Urn MakeUrn(const Urn& parent, const std::string& type, const std::string& name) const;
  Urn root_urn() const;

 private:
  const Operation& operation_;
  decisions::Rows rows_;
  decisions::Selection selection_;
};

}  // namespace kingpost::engine
