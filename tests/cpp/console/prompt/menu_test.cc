// SPDX-License-Identifier: Apache-2.0
// Keys, menus and pages, without a terminal.
#include "console/prompt/menu.h"

#include <catch2/catch.hpp>

#include "console/prompt/pager.h"

namespace kingpost::menu_test {

using Kind = Key::Kind;

std::vector<Key> KeysOf(std::string bytes) {
  std::vector<Key> keys;
  Key key;
  while (TakeKey(&bytes, true, &key)) keys.push_back(key);
  return keys;
}

Menu::State Type(Menu* menu, const std::string& bytes) {
  Menu::State state = Menu::State::kOpen;
  for (const Key& key : KeysOf(bytes)) {
    if (state == Menu::State::kOpen) state = menu->Press(key);
  }
  return state;
}

TEST_CASE("bytes of terminals become keys", "[cli][prompt]") {
  const std::pair<const char*, Kind> cases[] = {
      {"\x1b[A", Kind::kUp},       {"\x1bOB", Kind::kDown},    {"\x1b[5~", Kind::kPageUp}, {"\r", Kind::kEnter},
      {"\x7f", Kind::kBackspace},  {"\x03", Kind::kInterrupt}, {"\x1b", Kind::kEscape},    {"\x1b[1;5C", Kind::kOther},
      {"\x1b[200~", Kind::kOther}, {"a", Kind::kText},         {"é", Kind::kText},         {"\x15", Kind::kClearLine}};
  for (const auto& [bytes, kind] : cases) {
    const std::vector<Key> keys = KeysOf(bytes);
    REQUIRE(keys.size() == 1);
    CHECK(keys[0].kind == kind);
  }
  std::string half = "\x1b[";
  Key key;
  CHECK_FALSE(TakeKey(&half, false, &key));
  std::string letter = "\xc3";
  CHECK_FALSE(TakeKey(&letter, false, &key));
}

TEST_CASE("arrows move and wrap, Enter chooses", "[cli][prompt]") {
  Menu menu("Go?", {{"yes", ""}, {"no", ""}, {"details", ""}}, 1);
  CHECK(menu.current() == size_t{1});
  CHECK(Type(&menu, "\x1b[B\x1b[B") == Menu::State::kOpen);
  CHECK(menu.current() == size_t{0});
  CHECK(Type(&menu, "\x1b[A\r") == Menu::State::kChosen);
  CHECK(menu.current() == size_t{2});
  CHECK(menu.LastLine(Menu::State::kChosen, Painter(false)) == "Go? details\n");
}

TEST_CASE("letters filter the choices, and those that begin with them come first", "[cli][prompt]") {
  Menu menu("Which?", {{"my-dev", ""}, {"dev", ""}, {"prod", ""}});
  Type(&menu, "DE");
  CHECK(menu.current() == size_t{1});
  Type(&menu, "\x1b[B");
  CHECK(menu.current() == size_t{0});
  Type(&menu, "x");
  CHECK_FALSE(menu.current());
  CHECK(Type(&menu, "\r") == Menu::State::kOpen);
  Type(&menu, "\x7f\x7f\x7fpr");
  CHECK(menu.current() == size_t{2});
}

TEST_CASE("q, Escape, Ctrl-C and the end of input leave; q in a name does not", "[cli][prompt]") {
  for (const char* bytes : {"q", "\x1b", "\x03", "\x04"}) {
    Menu menu("Which?", {{"aq", ""}});
    CHECK(Type(&menu, bytes) == Menu::State::kLeft);
  }
  Menu menu("Which?", {{"aq", ""}});
  CHECK(Type(&menu, "aq") == Menu::State::kOpen);
}

TEST_CASE("notes stand below each other", "[cli][prompt]") {
  const Menu menu("Which?", {{"日本", "one"}, {"prod-eu", "two"}, {"<something much longer>", ""}});
  const std::vector<std::string> lines = menu.Lines({80, 24}, Painter(false));
  CHECK(lines[1] == "> 日本     one");
  CHECK(lines[2] == "  prod-eu  two");
}

TEST_CASE("a menu fits its terminal", "[cli][prompt]") {
  std::vector<MenuItem> items;
  for (int i = 0; i < 100; ++i) items.push_back({"日本-" + std::to_string(i), "updated long ago, by someone"});
  Menu menu("Which of the stacks of this project is meant by that?", items);
  for (int columns : {20, 60, 160}) {
    for (int i = 0; i < 120; ++i) {
      const std::vector<std::string> lines = menu.Lines({columns, 10}, Painter(true));
      REQUIRE(lines.size() <= 10);
      for (const std::string& line : lines) REQUIRE(DisplayWidth(line) < columns);
      bool sees_cursor = false;
      for (const std::string& line : lines) sees_cursor = sees_cursor || line.find("> 日本") != std::string::npos;
      REQUIRE(sees_cursor);
      menu.Press({Kind::kDown, ""});
    }
  }
}

TEST_CASE("a page scrolls between its ends", "[cli][prompt]") {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "line " + std::to_string(i) + "\n";
  Pager pager(text);
  const TerminalSize size{40, 11};
  CHECK(pager.Screen(size, Painter(false)).rfind("line 0\n", 0) == 0);
  CHECK(pager.Press({Kind::kEnd, ""}, size));
  CHECK(pager.Screen(size, Painter(false)).rfind("line 40\n", 0) == 0);
  CHECK(pager.Press({Kind::kPageDown, ""}, size));
  CHECK(pager.Screen(size, Painter(false)).find("41 to 50 of 50 lines") != std::string::npos);
  CHECK(pager.Press({Kind::kUp, ""}, size));
  CHECK(pager.Screen(size, Painter(false)).rfind("line 39\n", 0) == 0);
  CHECK_FALSE(pager.Press({Kind::kText, "q"}, size));
}

}  // namespace kingpost::menu_test
