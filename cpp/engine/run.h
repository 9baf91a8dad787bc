// SPDX-License-Identifier: Apache-2.0
// What all parts of one operation share: what is known of each resource, what the user restricted the run to, and how
// names are made. Owned by the deployment; engine thread only.
#pragma once

#include <string>

#include "kingpost/engine.h"
#include "plan/rows.h"
#include "plan/selection.h"

namespace kingpost::engine {

class Run {
 public:
  explicit Run(const Operation& operation);

  plan::Rows& rows() { return rows_; }
  const plan::Rows& rows() const { return rows_; }
  plan::Selection& selection() { return selection_; }
  const plan::Selection& selection() const { return selection_; }

  Urn MakeUrn(const Urn& parent, const std::string& type, const std::string& name) const;
  Urn root_urn() const;

 private:
  const Operation& operation_;
  plan::Rows rows_;
  plan::Selection selection_;
};

}  // namespace kingpost::engine
