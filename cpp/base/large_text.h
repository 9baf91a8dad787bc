// SPDX-License-Identifier: Apache-2.0
// Room for texts of many megabytes: states are read and written as one text.
#pragma once

#include <cstddef>
#include <string>

namespace kingpost {

// As text->reserve(size). Where the kernel has huge pages to give, a large text gets them: touching 4 KiB at a time, it
// costs more to be given the pages than to fill them.
void ReserveText(size_t size, std::string* text);

}  // namespace kingpost
