// SPDX-License-Identifier: Apache-2.0
// The options of a resource that are flags and are spelled, true or false: all of the table of options but `protect`,
// which a program may compute.
#pragma once

#include "model/resource_fields.h"

namespace kingpost::yaml {

template <class Visit>
void ForEachSpelledFlag(Visit&& visit) {
  ForEachResourceField([&](const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kIsFlag) {
      if (field.goal != &OpenOptions::protect) visit(field);
    }
  });
}

}  // namespace kingpost::yaml
