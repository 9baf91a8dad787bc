// SPDX-License-Identifier: Apache-2.0
// Regular expressions with Go's semantics: their time is linear in the text, for texts of any length and expressions of
// any origin. What std::regex does with a text of 100,000 characters is to overflow the stack. Immutable; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace re2 {
class RE2;
}

namespace kingpost {

class Pattern {
 public:
  static Result<Pattern> Compile(const std::string& expression);
  // Takes an expression of our own, which is known to be valid.
  explicit Pattern(const char* expression);

  bool MatchesWhole(std::string_view text) const;
  // The place and its groups: "" for what took no part.
  std::optional<std::vector<std::string>> Find(std::string_view text) const;
  std::optional<std::vector<std::string>> FindWhole(std::string_view text) const;

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}
  std::optional<std::vector<std::string>> Groups(std::string_view text, bool whole) const;

  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace kingpost
