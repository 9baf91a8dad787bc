// SPDX-License-Identifier: Apache-2.0
// What all parts of one operation share: what is known of each resource, what the user restricted the run to, and how
// names are made. Owned by the deployment; engine thread only.
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
