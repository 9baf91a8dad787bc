// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of tar, gzipped tar and zip files.
#include <sys/mman.h>
#include <unistd.h>

#include "assets/archive_reader.h"
#include "fuzz/fuzz.h"

using namespace kingpost;

void Try(std::string_view input) {
  const int fd = memfd_create("archive", 0);
  if (fd < 0 || write(fd, input.data(), input.size()) != static_cast<ssize_t>(input.size())) std::abort();
  for (const ArchiveFormat format : {ArchiveFormat::kTar, ArchiveFormat::kGzippedTar, ArchiveFormat::kZip}) {
    const auto reader = ArchiveReader::Open(fd, "fuzz", format);
    if (!reader.ok()) continue;
    ArchiveEntry entry;
    size_t total = 0;
    for (int count = 0; count < 1000 && total < (1u << 20); ++count) {
      const auto more = (*reader)->Next(&entry);
      if (!more.ok() || !*more) break;
      const Status read = (*reader)->Read([&total](std::string_view bytes) {
        total += bytes.size();
        return total < (1u << 20) ? Status::Ok() : Status(Code::kResourceExhausted, "enough");
      });
      if (!read.ok()) break;
    }
  }
  close(fd);
}
