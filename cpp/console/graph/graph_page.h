// SPDX-License-Identifier: Apache-2.0
// The page of `graph --format html`: its style and script are inside, it asks nothing of a network. {{title}} and
// {{graph}} stand for what is filled in.
#pragma once

namespace kingpost {

extern const char kGraphPage[];

}  // namespace kingpost
