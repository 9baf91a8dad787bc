// SPDX-License-Identifier: Apache-2.0
// Checks the lines and bars that displays show for downloads.
#include "console/display/downloads.h"

#include <catch2/catch.hpp>

namespace kingpost::downloads_test {

ProgressEvent At(int64_t received, int64_t total, bool done = false) {
  return {"plugin-download", "plugin-download:aws-1.0.0", "Downloading plugin aws-1.0.0", received, total, done};
}

std::string Line(int64_t received, int64_t total, int columns) {
  Downloads downloads;
  downloads.Apply(At(received, total));
  return downloads.Lines(columns).front();
}

TEST_CASE("a display that only adds lines says when a download begins and when it ends") {
  Downloads downloads;
  CHECK(downloads.Apply(At(1, 4)) == "Downloading plugin aws-1.0.0: starting");
  CHECK(downloads.Apply(At(2, 4)) == "");
  CHECK(downloads.size() == 1);
  CHECK(downloads.Apply(At(4, 4, true)) == "Downloading plugin aws-1.0.0: done");
  CHECK(downloads.empty());
}

TEST_CASE("a bar shows as much as there is room for") {
  CHECK(Line(0, 2048, 60) == "Downloading plugin aws-1.0.0 [___________]      0 B/2.00 KiB");
  CHECK(Line(1024, 2048, 60) == "Downloading plugin aws-1.0.0 [----->_____] 1.00 KiB/2.00 KiB");
  CHECK(Line(2048, 2048, 60) == "Downloading plugin aws-1.0.0 [-----------] 2.00 KiB/2.00 KiB");
  CHECK(Line(1024, 2048, 45) == "Downloading plugin aws-1.0.0 [------->______]");
  CHECK(Line(1024, 2048, 30) == "Downloading plugin aws-1.0.0");
  CHECK(Line(1024, 2048, 12) == "Downloading…");
  CHECK(Line(1024, 0, 60) == "Downloading plugin aws-1.0.0");
}

TEST_CASE("bytes are shown in the largest unit that fits") {
  CHECK(BytesText(0) == "0 B");
  CHECK(BytesText(1023) == "1023 B");
  CHECK(BytesText(1536) == "1.50 KiB");
  CHECK(BytesText(int64_t{3} << 30) == "3.00 GiB");
}

}  // namespace kingpost::downloads_test
