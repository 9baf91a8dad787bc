// SPDX-License-Identifier: Apache-2.0
#include "engine/source_positions.h"

#include <catch2/catch.hpp>

namespace kingpost::engine {

TEST_CASE("a position in a file is relative to the project, as Go writes URLs") {
  const auto [project, position, told] = GENERATE(table<std::string, std::string, std::string>({
      {"/projects/site", "file:///projects/site/__main__.py#9", "project:///__main__.py#9"},
      {"/projects/site", "file:///projects/site/lib/a.py#9,3", "project:///lib/a.py#9,3"},
      {"/projects/site/", "file:///projects/site/lib/../a.py#1", "project:///a.py#1"},
      {"/projects/site", "file:///usr/lib/sdk.py#1", "project:///../../usr/lib/sdk.py#1"},
      {"/projects/my site", "file:///projects/my%20site/a%20(b)%23.py#1", "project:///a%20%28b%29%23.py#1"},
      {"/projects/site", "file:///projects/site/a b.py#1", "project:///a%20b.py#1"},
      {"/projects/site", "file:///projects/site/a+b,c;d=e@f:g$h&i.py#1", "project:///a+b,c;d=e@f:g$h&i.py#1"},
      {"/projects/site", "file:///projects/site/a.py", "project:///a.py"},
      {"/projects/site", "http://host/projects/site/a.py#1", ""},
      {"/projects/site", "file://a.py#1", ""},
      {"/projects/site", "", ""},
  }));
  SourcePositions positions(project);
  CHECK(positions.Relative(position) == told);
  CHECK(positions.Relative(position) == told);  // the second time from what is known
}

TEST_CASE("the stack trace of a request comes before those of its plugin's registrations") {
  SourcePositions positions("/projects/site");
  const std::string handle = positions.Record(positions.Trace({"file:///projects/site/a.py#1"}, ""), "one");
  const std::vector<std::string> both = {"project:///a.py#1", "project:///b.py#2"};
  CHECK(positions.Trace({"file:///projects/site/b.py#2"}, handle) == both);
  CHECK(positions.Record({}, "two").empty());
  positions.Release(handle);
  CHECK(positions.Trace({"file:///projects/site/b.py#2"}, handle) == std::vector<std::string>{"project:///b.py#2"});
}

}  // namespace kingpost::engine
