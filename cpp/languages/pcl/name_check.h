// SPDX-License-Identifier: Apache-2.0
// Names in an expression that stand for nothing, found before it is computed: also in branches that are never taken.
// Any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "languages/pcl/ast.h"

namespace kingpost::pcl {

// Appends a mistake for each variable that is not among `names`, and for each function that is not offered.
void CheckNames(const Expression& expression, const std::set<std::string>& names, std::vector<Status>* mistakes);

Status UndefinedVariable(Position at, const std::string& name);

}  // namespace kingpost::pcl
