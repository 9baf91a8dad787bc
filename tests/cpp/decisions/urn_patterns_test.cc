// SPDX-License-Identifier: Apache-2.0
// Patterns of URNs, against every short text and pattern.

#include <catch2/catch.hpp>
#include <regex>

#include "decisions/make_state.h"
#include "decisions/selection.h"

namespace kingpost::urn_patterns_test {

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

TEST_CASE("targets are literal URNs, patterns and the URNs that the run adds") {
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

TEST_CASE("without targets every resource is one") {
  UrnPatterns none;
  CHECK_FALSE(none.constrained());
  CHECK(none.Contains(UrnOf("a")));
  none.Add(UrnOf("b"));
  CHECK_FALSE(none.constrained());
  CHECK(none.Contains(UrnOf("a")));
  CHECK_FALSE(UrnPatterns(std::vector<std::string>()).constrained());
}

}  // namespace kingpost::urn_patterns_test
