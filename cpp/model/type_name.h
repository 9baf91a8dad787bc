// SPDX-License-Identifier: Apache-2.0
// What may stand for a type or a package in a URN. Whatever comes over the wire or out of a file is checked before a
// URN is made of it: one that cannot be taken apart again would make the state unreadable. Pure.
#pragma once

#include <string_view>

#include "base/status.h"

namespace kingpost {

// Any text but "" and those with `$`, which separates the types of parents. (`prog::Type` is in use, and Pulumi takes
// it: such a URN reads as one of the type `prog`.)
Status CheckTypeName(std::string_view type);
// The same of a package: the part of a type, function or method before the first `:`.
Status CheckPackageName(std::string_view package);

}  // namespace kingpost
