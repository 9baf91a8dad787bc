// SPDX-License-Identifier: Apache-2.0
// Widths of texts on a terminal, and texts cut and broken to fit.
#include "console/display/text_width.h"

#include <catch2/catch.hpp>

namespace kingpost::text_width_test {

TEST_CASE("a text is as wide as a terminal draws it", "[cli][terminal]") {
  const std::pair<const char*, int> cases[] = {
      {"", 0},         {"abc", 3},
      {"äöü", 3},      {"a\xcc\x88", 1},           // a and a combining diaeresis
      {"日本", 4},     {"ﾊﾝ", 2},                  // half-width
      {"🚀", 2},        {"👨‍👩‍👧", 2},  // joined into one
      {"🇩🇪", 2},                                   // two halves of a flag
      {"é日", 3},      {"\x1b[31mäb\x1b[0m", 2},
      {"\xff", 1},      // no UTF-8
      {"\xe6\x97", 2},  // cut in the middle: two bytes
      {"a\u200bb", 2},  // no width
  };
  for (const auto& [text, width] : cases) {
    INFO(text);
    CHECK(DisplayWidth(text) == width);
  }
}

TEST_CASE("a text is never cut inside of a character", "[cli][terminal]") {
  CHECK(Truncate("abcdef", 4) == "abc…");
  CHECK(Truncate("äöü", 3) == "äöü");
  CHECK(Truncate("日本語", 5) == "日本…");
  CHECK(Truncate("日本語", 4) == "日…");
  CHECK(Truncate("👨‍👩‍👧👨‍👩‍👧", 3) == "👨‍👩‍👧…");
  CHECK(Truncate("\x1b[31mabcdef\x1b[0m", 3) == "\x1b[31mab…\x1b[0m");
  for (int columns = 1; columns < 12; ++columns) {
    CHECK(DisplayWidth(Truncate("a日b本c語d🚀e", columns)) <= columns);
  }
}

TEST_CASE("lines are broken between words and never inside", "[cli][terminal]") {
  using Lines = std::vector<std::string>;
  CHECK(WrapWords("one two three", 20, 2) == Lines{"one two three"});
  CHECK(WrapWords("one two three", 8, 2) == Lines{"one two", "  three"});
  CHECK(WrapWords("    one two", 8, 2) == Lines{"    one", "      two"});
  CHECK(WrapWords("see https://example.com/a/long/path now", 12, 0) ==
        Lines{"see", "https://example.com/a/long/path", "now"});
  CHECK(WrapWords("日本 語語", 5, 0) == Lines{"日本", "語語"});
  CHECK(WrapLines("a b\nc d\n", 2, 1) == "a\n b\nc\n d\n");
  CHECK(WrapLines("", 2, 1).empty());
}

TEST_CASE("a line that begins with a colour is broken behind its first word", "[cli][terminal]") {
  CHECK(WrapWords("  \x1b[2m     abcdefghij", 8, 0) == std::vector<std::string>{"  \x1b[2m     abcdefghij"});
}

TEST_CASE("a broken line of help continues in the column of its description", "[cli][terminal]") {
  const std::string text =
      "Flags:\n"
      "  -s,--stack TEXT         The stack; the selected one by default\n"
      "  --disable-integrity-checking\n"
      "                          Do not check the state's integrity\n";
  CHECK(WrapHelp(text, 0) == text);
  CHECK(WrapHelp(text, 66) == text);
  CHECK(WrapHelp(text, 50) ==
        "Flags:\n"
        "  -s,--stack TEXT         The stack; the selected\n"
        "                          one by default\n"
        "  --disable-integrity-checking\n"
        "                          Do not check the state's\n"
        "                          integrity\n");
  CHECK(WrapHelp("  -s,--stack TEXT         The stack to work with\n", 40) ==
        "  -s,--stack TEXT\n      The stack to work with\n");
  CHECK(WrapHelp("Use 'kingpost COMMAND --help'\n", 20) == "Use 'kingpost\n  COMMAND --help'\n");
}

}  // namespace kingpost::text_width_test
