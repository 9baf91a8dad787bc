// SPDX-License-Identifier: Apache-2.0
// The steps that protection forbids, and the text of the error (rows 3.30, 4.3, 4.10). `ignored` stands for
// --ignore-protect everywhere. Texts are word for word what programs and the reference's own tests look for, whatever
// this command is called. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decisions/condemning.h"
#include "decisions/rows.h"

namespace kingpost::decisions {

// Detail of the failure of a delete that protection forbids.
struct ProtectedResource {};

// A replacement: of what is protected in the record and is to be so.
std::optional<std::string> ProtectedFromReplacement(const State& recorded, const State& draft, bool ignored);

// A replacement of `root`, because one of those that would have to go first is protected: the first of `condemned`,
// from the last one on, that is still there.
std::optional<std::string> ProtectedDependent(const Urn& root, const std::vector<Condemned>& condemned,
                                              const Rows& rows, bool ignored);

// A delete. An old side that is deleted for its replacement is not protected any more.
std::optional<std::string> ProtectedFromDelete(const Step& step, bool ignored);

}  // namespace kingpost::decisions
