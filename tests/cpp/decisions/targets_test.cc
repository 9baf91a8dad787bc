// SPDX-License-Identifier: Apache-2.0
// Patterns of URNs, against every short text and pattern; and what a resource depends on.
#include "decisions/targets.h"

#include <catch2/catch.hpp>
#include <regex>

#include "decisions/make_state.h"

namespace kingpost::targets_test {

using namespace plan_test;

using decisions::UrnPatterns;

// Every word of up to `length` letters.
std::vector<std::string> Words(const std::string& letters, int length) {
  std::vector<std::string> words = {""};
  for (size_t from = 0; length > 0; --length) {
    const size_t to = words.size();
    for (; from < to; ++from) {
      for (char c : letters) words.push_back(words[from] + c);
    }
  }
  return words;
}

std::regex RegexOf(const std::string& pattern) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const bool star = pattern[i] == '*';
    const bool two = star && i + 1 < pattern.size() && pattern[i + 1] == '*';
    text += two ? ".*" : star ? "[^:]*" : std::string(1, pattern[i]);
    i += two;
  }
  return std::regex(text);
}

TEST_CASE("patterns match whole texts: * within a segment, ** across") {
  const std::vector<std::string> texts = Words("a:", 4);
  for (const std::string& pattern : Words("a:*", 4)) {
    if (pattern.find('*') == std::string::npos) continue;
    const UrnPatterns patterns({pattern});
    const std::regex regex = RegexOf(pattern);
    for (const std::string& text : texts) {
      if (patterns.Contains(Urn(text)) == std::regex_match(text, regex)) continue;
      FAIL("pattern " << pattern << " on " << text);
    }
  }
}

TEST_CASE("targets are literal URNs, patterns and what the run adds") {
  UrnPatterns targets({UrnOf("b").str(), "**::a*", UrnOf("c").str()});
  CHECK(targets.constrained());
  CHECK(targets.literals() == std::vector<Urn>{UrnOf("b"), UrnOf("c")});
  CHECK(targets.Contains(UrnOf("b")));
  CHECK(targets.Contains(UrnOf("ab")));
  CHECK_FALSE(targets.Contains(UrnOf("bb")));
  targets.Add(UrnOf("bb"));
  CHECK(targets.Contains(UrnOf("bb")));
  CHECK(targets.literals().size() == 2);
}

TEST_CASE("without targets everything is one") {
  UrnPatterns none;
  CHECK_FALSE(none.constrained());
  CHECK(none.Contains(UrnOf("a")));
  none.Add(UrnOf("b"));
  CHECK_FALSE(none.constrained());
  CHECK(none.Contains(UrnOf("a")));
  CHECK_FALSE(UrnPatterns(std::vector<std::string>()).constrained());
}

TEST_CASE("a resource depends on all that it names") {
  const Urn provider = UrnOf("p", "pulumi:providers:pkg");
  State state = StateOf("a");
  state.provider = provider.str() + "::id";
  state.parent = UrnOf("parent");
  state.dependencies = {UrnOf("d1"), UrnOf("d2")};
  state.property_dependencies = {{"k", {UrnOf("k1")}}, {"l", {UrnOf("l1"), UrnOf("l2")}}};
  state.deleted_with = UrnOf("dw");
  state.replace_with = {UrnOf("rw")};
  std::string names, properties;
  for (const decisions::DependencyRef& ref : decisions::AllDependencies(state)) {
    names += std::string(ref.urn.name()) + " ";
    properties += ref.property;
  }
  CHECK(names == "parent d1 d2 k1 l1 l2 dw rw ");
  CHECK(properties == "kll");
  CHECK(decisions::ProviderUrn(state) == provider);
  for (const char* name : {"parent", "d1", "d2", "k1", "l1", "l2", "dw", "rw"}) {
    const Urn urn = UrnOf(name);
    CHECK(decisions::DependsOnAny(state, [&urn](const Urn& other) { return other == urn; }));
  }
  CHECK(decisions::DependsOnAny(state, [&provider](const Urn& other) { return other == provider; }));
  CHECK_FALSE(decisions::DependsOnAny(state, [&state](const Urn& other) { return other == state.urn; }));
  CHECK(decisions::AllDependencies(StateOf("b")).empty());
  CHECK(decisions::ProviderUrn(StateOf("b")).empty());
  CHECK_FALSE(decisions::DependsOnAny(StateOf("b"), [](const Urn&) { return true; }));
}

}  // namespace kingpost::targets_test
