#include "plan/targets.h"

namespace kingpost::plan {

namespace {

std::regex CompilePattern(const std::string& text) {
  std::string expression;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '*') {
      const bool any = i + 1 < text.size() && text[i + 1] == '*';
      expression += any ? "[\\s\\S]*" : "[^:]*";
      if (any) ++i;
      continue;
    }
    static const std::string kSpecial = "\\^$.|?+()[]{}";
    if (kSpecial.find(text[i]) != std::string::npos) expression += '\\';
    expression += text[i];
  }
  return std::regex(expression);
}

}  // namespace

UrnPatterns::UrnPatterns(const std::vector<std::string>& texts) : constrained_(!texts.empty()) {
  for (const std::string& text : texts) {
    if (text.find('*') != std::string::npos) {
      patterns_.push_back(CompilePattern(text));
      continue;
    }
    literals_.emplace_back(text);
    set_.insert(Urn(text));
  }
}

bool UrnPatterns::Contains(const Urn& urn) const {
  if (!constrained_ || set_.count(urn) > 0) return true;
  for (const std::regex& pattern : patterns_) {
    if (std::regex_match(urn.str(), pattern)) return true;
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

}  // namespace kingpost::plan
