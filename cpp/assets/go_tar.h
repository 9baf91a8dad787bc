// SPDX-License-Identifier: Apache-2.0
// A tar stream of plain files of mode 0600, byte for byte as Go's archive/tar writes it. The hash of a directory
// archive is the SHA-256 of such a stream (row 7.7). Any thread.
//
// A name that fits stands in the USTAR header, possibly split at a slash; other names get a PAX record in front.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace kingpost {

class GoTarWriter {
 public:
  using Sink = std::function<void(std::string_view bytes)>;
  explicit GoTarWriter(Sink sink) : sink_(std::move(sink)) {}

  void BeginFile(const std::string& name, uint64_t size);
  void Write(std::string_view bytes);  // of the file begun last; `size` bytes in all
  void EndFile();
  void Close();

 private:
  void WritePax(const std::string& name, uint64_t size);
  void Pad(uint64_t size);

  Sink sink_;
  uint64_t written_ = 0;  // of the current file
};

}  // namespace kingpost
