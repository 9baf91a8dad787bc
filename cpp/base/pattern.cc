// SPDX-License-Identifier: Apache-2.0
#include "base/pattern.h"

#include <re2/re2.h>

namespace kingpost {

namespace {

std::shared_ptr<const RE2> CompiledPattern(const std::string& expression) {
  return std::make_shared<const RE2>(expression, RE2::Quiet);
}

}  // namespace

Result<Pattern> Pattern::Compile(const std::string& expression) {
  auto compiled = CompiledPattern(expression);
  if (!compiled->ok()) return Status(Code::kInvalidArgument, "error parsing regexp: " + compiled->error());
  return Pattern(std::move(compiled));
}

Pattern::Pattern(const char* expression) : compiled_(CompiledPattern(expression)) {
  KP_ASSERT(compiled_->ok(), expression);
}

bool Pattern::MatchesWhole(std::string_view text) const {
  return compiled_->Match({text.data(), text.size()}, 0, text.size(), RE2::ANCHOR_BOTH, nullptr, 0);
}

std::optional<std::vector<std::string>> Pattern::Find(std::string_view text) const { return Groups(text, false); }

std::optional<std::vector<std::string>> Pattern::FindWhole(std::string_view text) const { return Groups(text, true); }

std::optional<std::vector<std::string>> Pattern::Groups(std::string_view text, bool whole) const {
  std::vector<re2::StringPiece> found(compiled_->NumberOfCapturingGroups() + 1);
  const auto anchor = whole ? RE2::ANCHOR_BOTH : RE2::UNANCHORED;
  const int size = static_cast<int>(found.size());
  if (!compiled_->Match({text.data(), text.size()}, 0, text.size(), anchor, found.data(), size)) return std::nullopt;
  std::vector<std::string> groups;
  for (const re2::StringPiece& group : found) groups.emplace_back(group.data() ? group.data() : "", group.size());
  return groups;
}

}  // namespace kingpost
