// SPDX-License-Identifier: Apache-2.0
#include "model/version_range.h"

#include <algorithm>
#include <vector>

#include "base/encoding.h"
#include "model/semver.h"

namespace kingpost {

namespace {

enum class Comparison { kLess, kAtMost, kGreater, kAtLeast, kEqual, kNotEqual };

struct Bound {
  Comparison comparison;
  std::string version;
};

std::optional<Comparison> ParseComparison(std::string_view text) {
  if (text == "<") return Comparison::kLess;
  if (text == "<=") return Comparison::kAtMost;
  if (text == ">") return Comparison::kGreater;
  if (text == ">=") return Comparison::kAtLeast;
  if (text.empty() || text == "=" || text == "==") return Comparison::kEqual;
  if (text == "!" || text == "!=") return Comparison::kNotEqual;
  return std::nullopt;
}

bool Holds(const Bound& bound, std::string_view version) {
  const int order = CompareSemver(version, bound.version);
  switch (bound.comparison) {
    case Comparison::kLess:
      return order < 0;
    case Comparison::kAtMost:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    case Comparison::kAtLeast:
      return order >= 0;
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kNotEqual:
      return order != 0;
  }
  return false;
}

std::string Triple(int major, int minor) { return std::to_string(major) + "." + std::to_string(minor) + ".0"; }

// 3.x is 3.0.0 up to 4.0.0, 3.2.x is 3.2.0 up to 3.3.0. Nullopt if the text is no such pattern.
struct Wildcard {
  std::string first, beyond;
};
std::optional<Wildcard> ParseWildcard(std::string_view text) {
  std::vector<int> numbers;
  while (!text.empty() && text != "x") {
    const size_t dot = text.find('.');
    if (dot == 0 || dot == std::string_view::npos || dot > 6) return std::nullopt;
    const std::string number(text.substr(0, dot));
    if (!std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
    numbers.push_back(std::stoi(number));
    text.remove_prefix(dot + 1);
    if (text == "x.x") text = "x";
  }
  if (text != "x" || numbers.empty() || numbers.size() > 2) return std::nullopt;
  if (numbers.size() == 1) return Wildcard{Triple(numbers[0], 0), Triple(numbers[0] + 1, 0)};
  return Wildcard{Triple(numbers[0], numbers[1]), Triple(numbers[0], numbers[1] + 1)};
}

// The alternatives (a list of lists, because "not 3.x" and the like are two bounds either of which will do).
using AnyOf = std::vector<Bound>;

std::vector<AnyOf> ExpandWildcard(Comparison comparison, const Wildcard& wildcard) {
  switch (comparison) {
    case Comparison::kLess:
      return {{{Comparison::kLess, wildcard.first}}};
    case Comparison::kAtMost:
      return {{{Comparison::kLess, wildcard.beyond}}};
    case Comparison::kGreater:
      return {{{Comparison::kAtLeast, wildcard.beyond}}};
    case Comparison::kAtLeast:
      return {{{Comparison::kAtLeast, wildcard.first}}};
    case Comparison::kEqual:
      return {{{Comparison::kAtLeast, wildcard.first}}, {{Comparison::kLess, wildcard.beyond}}};
    case Comparison::kNotEqual:
      return {{{Comparison::kLess, wildcard.first}, {Comparison::kAtLeast, wildcard.beyond}}};
  }
  return {};
}

Result<std::vector<AnyOf>> ParseTerm(std::string_view term) {
  const size_t digits = std::min(term.find_first_of("0123456789x"), term.size());
  const std::string_view version = term.substr(digits);
  const auto comparison = ParseComparison(term.substr(0, digits));
  if (!comparison || version.empty()) {
    return Status(Code::kInvalidArgument, "could not parse " + Quote(term) + ": expected a comparison and a version");
  }
  if (auto wildcard = ParseWildcard(version)) return ExpandWildcard(*comparison, *wildcard);
  if (!IsSemver(version)) {
    return Status(Code::kInvalidArgument, "could not parse " + Quote(version) + ": a version has three numbers");
  }
  return std::vector<AnyOf>{{{*comparison, std::string(version)}}};
}

// Terms of one alternative. An operator may stand apart from its version: ">= 3.0.0".
std::vector<std::string> SplitTerms(std::string_view text) {
  std::vector<std::string> terms;
  bool joins = false;
  size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string_view::npos) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word(text.substr(at, end - at));
    if (joins) {
      terms.back() += word;
    } else {
      terms.push_back(word);
    }
    joins = word.find_first_not_of("<>=!") == std::string::npos;
    at = end;
  }
  return terms;
}

Result<bool> MatchesAll(std::string_view version, std::string_view alternative) {
  const auto terms = SplitTerms(alternative);
  if (terms.empty()) return Status(Code::kInvalidArgument, "empty range");
  bool matches = true;
  for (const std::string& term : terms) {
    auto bounds = ParseTerm(term);
    if (!bounds.ok()) return bounds.status();
    for (const AnyOf& any : *bounds) {
      matches &= std::any_of(any.begin(), any.end(), [&](const Bound& bound) { return Holds(bound, version); });
    }
  }
  return matches;
}

}  // namespace

Result<bool> IsInVersionRange(std::string_view version, std::string_view range) {
  bool found = false;
  while (true) {
    const size_t bar = range.find("||");
    auto matches = MatchesAll(version, range.substr(0, bar));
    if (!matches.ok()) return matches;
    found |= *matches;
    if (bar == std::string_view::npos) return found;
    range.remove_prefix(bar + 2);
  }
}

Status RequirePulumiVersion(const std::string& range) {
  if (range.empty()) return Status::Ok();
  auto matches = IsInVersionRange(kPulumiVersion, range);
  if (!matches.ok()) return matches.status().Wrap("parsing CLI version range " + Quote(range));
  if (*matches) return Status::Ok();
  return Status(Code::kUnknown, std::string("Pulumi CLI version ") + kPulumiVersion +
                                    " does not satisfy the version range " + Quote(range));
}

}  // namespace kingpost
