// SPDX-License-Identifier: Apache-2.0
// Checks that quoted commands are coloured on displays with colours.
#include "console/display/command_marks.h"

#include <catch2/catch.hpp>

#include "base/command_name.h"

namespace kingpost::command_marks_test {

TEST_CASE("only quoted commands are coloured", "[cli]") {
  const std::string up = QuotedCommand("up"), down = QuotedCommand("destroy --yes");
  const Painter plain(false), colors(true);
  const auto marked = [&colors](const std::string& text) { return colors.Paint(Style::kCyan, colors.Bold(text)); };
  CHECK(MarkCommands("run " + up + " now", plain) == "run " + up + " now");
  CHECK(MarkCommands("run " + up + " or " + down, colors) == "run " + marked(up) + " or " + marked(down));
  CHECK(MarkCommands("the key `size`, " + up.substr(0, up.size() - 1), colors) ==
        "the key `size`, " + up.substr(0, up.size() - 1));
  CHECK(MarkCommands("", colors).empty());
}

}  // namespace kingpost::command_marks_test
