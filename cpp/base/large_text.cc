// SPDX-License-Identifier: Apache-2.0
#include "base/large_text.h"

#include <sys/mman.h>

#include <cstdint>

namespace kingpost {

namespace {

constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
constexpr size_t kLarge = 8 * kHugePage;

}  // namespace

void ReserveText(size_t size, std::string* text) {
  text->reserve(size);
  if (size < kLarge) return;
  // Only whole huge pages: what lies beside the text is another's.
  const uintptr_t begin = reinterpret_cast<uintptr_t>(text->data());
  const uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t end = (begin + text->capacity()) / kHugePage * kHugePage;
  if (first >= end) return;
  (void)madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // it may refuse, and nothing is lost
}

}  // namespace kingpost
