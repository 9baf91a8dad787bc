// SPDX-License-Identifier: Apache-2.0
// The decision about one resource, and its reason. A Decision is a value: ChainFor in chain.h turns it into steps.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "decisions/reason.h"
#include "decisions/step.h"
#include "kingpost/provider_values.h"

namespace kingpost::decisions {

namespace way {

struct Same {};
struct Create {};
struct Update {
  DiffResponse diff;
};
struct Replace {
  DiffResponse diff;
  bool delete_first = false;
  bool checks_again = false;  // without the old inputs
};
struct Recreate {};         // its old self went for the sake of another, in this run
struct TakeOver {};         // what was only read becomes the program's own
struct Read {};             // and what was read before gives way
struct ReadReplacement {};  // what was the program's own is replaced by what it reads now
struct Import {};
struct ImportReplacement {};  // what was recorded is replaced by what is imported
struct Keep {};               // as recorded, with all that it stands on
struct SkipCreate {};         // it is left out, and nothing is known of it
struct AnswerRecorded {};     // nothing to do, not even a step
struct Refuse {
  std::string text;
  bool is_told_as_error = false;  // of the resource, beside the failure of the registration
};

}  // namespace way

using Way = std::variant<way::Same, way::Create, way::Update, way::Replace, way::Recreate, way::TakeOver, way::Read,
                         way::ReadReplacement, way::Import, way::ImportReplacement, way::Keep, way::SkipCreate,
                         way::AnswerRecorded, way::Refuse>;

struct Decision {
  Way way;
  ReasonPtr because;

  template <class W>
  const W* is() const {
    return std::get_if<W>(&way);
  }
};

}  // namespace kingpost::decisions
