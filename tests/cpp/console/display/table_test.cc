// SPDX-License-Identifier: Apache-2.0
// Tables, and how they fit a terminal.
#include "console/display/table.h"

#include <catch2/catch.hpp>

namespace kingpost::table_test {

const std::vector<TableRow> kPlugins = {{"random", "resource", "4.16.0", "3 days ago"},
                                        {"aws", "resource", "7.1.0", "now"}};
const TableRow kHeaders = {"NAME", "KIND", "VERSION", "LAST USED"};

TEST_CASE("columns are aligned where there is room", "[cli][terminal]") {
  const std::string text =
      "NAME    KIND      VERSION  LAST USED\n"
      "random  resource  4.16.0   3 days ago\n"
      "aws     resource  7.1.0    now\n";
  CHECK(Table(kHeaders, kPlugins, 0) == text);
  CHECK(Table(kHeaders, kPlugins, 37) == text);
  CHECK(Table({"資料", "B"}, {{"a", "b"}}, 0, 1) == " 資料  B\n a     b\n");
}

TEST_CASE("columns without room go on below, in every row alike", "[cli][terminal]") {
  CHECK(Table(kHeaders, kPlugins, 36) ==
        "NAME    KIND      VERSION\n    LAST USED\n"
        "random  resource  4.16.0\n    3 days ago\n"
        "aws     resource  7.1.0\n    now\n");
  CHECK(Table(kHeaders, {{"a", "b", "c", ""}, {"random", "resource", "4.16.0", "3 days ago"}}, 36) ==
        "NAME    KIND      VERSION\n    LAST USED\na       b         c\nrandom  resource  4.16.0\n    3 days ago\n");
}

TEST_CASE("sentences in the last column are broken between words", "[cli][terminal]") {
  CHECK(Table({"KEY", "VALUE"}, {{"greeting", "good morning to everybody here"}, {"short", "x"}}, 36) ==
        "KEY       VALUE\n"
        "greeting  good morning to everybody\n"
        "          here\n"
        "short     x\n");
}

TEST_CASE("a path that has no room beside its name has a line of its own", "[cli][terminal]") {
  CHECK(Table({"Backend", ""}, {{"Name", "here"}, {"URL", "file:///a/folder/that/is/deep"}}, 36) ==
        "Backend\nName     here\nURL\n    file:///a/folder/that/is/deep\n");
}

}  // namespace kingpost::table_test
