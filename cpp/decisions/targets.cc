// SPDX-License-Identifier: Apache-2.0
#include "decisions/targets.h"

namespace kingpost::decisions {

namespace {

// True if the whole text matches the pattern.
bool Matches(std::string_view pattern, std::string_view text) {
  while (!pattern.empty() && pattern[0] != '*') {
    if (text.empty() || text[0] != pattern[0]) return false;
    pattern.remove_prefix(1);
    text.remove_prefix(1);
  }
  if (pattern.empty()) return text.empty();
  const bool any = pattern.size() > 1 && pattern[1] == '*';
  const std::string_view rest = pattern.substr(any ? 2 : 1);
  for (size_t n = 0;; ++n) {
    if (Matches(rest, text.substr(n))) return true;
    if (n == text.size() || (!any && text[n] == ':')) return false;
  }
}

}  // namespace

UrnPatterns::UrnPatterns(const std::vector<std::string>& texts) : constrained_(!texts.empty()) {
  for (const std::string& text : texts) {
    if (text.find('*') != std::string::npos) {
      patterns_.push_back(text);
      continue;
    }
    literals_.emplace_back(text);
    set_.insert(Urn(text));
  }
}

bool UrnPatterns::Contains(const Urn& urn) const {
  if (!constrained_ || set_.count(urn) > 0) return true;
  for (const std::string& pattern : patterns_) {
    if (Matches(pattern, urn.str())) return true;
  }
  return false;
}

std::vector<DependencyRef> AllDependencies(const State& state) {
  using Kind = DependencyRef::Kind;
  std::vector<DependencyRef> refs;
  if (!state.parent.empty()) refs.push_back({Kind::kParent, state.parent, ""});
  for (const Urn& urn : state.dependencies) {
    if (!urn.empty()) refs.push_back({Kind::kDependency, urn, ""});
  }
  for (const auto& [key, urns] : state.property_dependencies) {
    for (const Urn& urn : urns) {
      if (!urn.empty()) refs.push_back({Kind::kProperty, urn, key});
    }
  }
  if (!state.deleted_with.empty()) refs.push_back({Kind::kDeletedWith, state.deleted_with, ""});
  for (const Urn& urn : state.replace_with) {
    if (!urn.empty()) refs.push_back({Kind::kReplaceWith, urn, ""});
  }
  return refs;
}

Urn ProviderUrn(const State& state) {
  if (state.provider.empty()) return {};
  auto ref = ProviderReference::Parse(state.provider);
  return ref.ok() ? ref->urn : Urn();
}

}  // namespace kingpost::decisions
