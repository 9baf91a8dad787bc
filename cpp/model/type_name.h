// SPDX-License-Identifier: Apache-2.0
// The characters that a type or a package may have in a URN. Names from the wire or from a file are checked before a
// URN is made of them: a URN that cannot be taken apart again would make the state unreadable. Pure.
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
