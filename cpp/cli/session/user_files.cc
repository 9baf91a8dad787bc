// SPDX-License-Identifier: Apache-2.0
#include "cli/session/user_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "base/disk/private_output.h"
#include "base/large_text.h"
#include "console/display/output.h"

namespace kingpost {

namespace {

Status Accept(std::string_view, const std::string&) { return Status::Ok(); }

Status RefuseZeros(std::string_view part, const std::string& name) {
  if (part.find('\0') == std::string_view::npos) return Status::Ok();
  return Status(Code::kInvalidArgument, name + " is not text: it has zero bytes");
}

// `check` sees each part as it comes. `size`: about how much there will be, if that is known.
Result<std::string> ReadToEnd(std::istream& in, const std::string& name, size_t size_max, decltype(Accept)* check,
                              size_t size = 0) {
  std::string text;
  ReserveText(std::min(size, size_max) + 1, &text);
  std::vector<char> part(size_t{64} << 10);
  while (in.read(part.data(), static_cast<std::streamsize>(part.size())) || in.gcount() > 0) {
    const std::string_view read(part.data(), static_cast<size_t>(in.gcount()));
    if (Status bad = check(read, name); !bad.ok()) return bad;
    text += read;
    if (text.size() > size_max) {
      return Status(Code::kInvalidArgument, name + " is too long: more than " + std::to_string(size_max) + " bytes");
    }
  }
  if (in.bad()) return Status(Code::kUnavailable, "could not read " + name);
  return text;
}

}  // namespace

Result<std::string> ReadStandardInput() { return ReadToEnd(std::cin, "standard input", kInputBytesMax, Accept); }

Result<std::string> ReadInput(const std::string& file, size_t size_max) {
  if (file.empty() || file == "-") return ReadToEnd(std::cin, "standard input", size_max, RefuseZeros);
  std::ifstream in(file, std::ios::binary);
  if (!in) return Status(Code::kNotFound, OpenErrorText(file));
  std::error_code unknown;
  const auto size = std::filesystem::file_size(file, unknown);
  return ReadToEnd(in, "file " + file, size_max, RefuseZeros, unknown ? 0 : size);
}

Status WriteOutput(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!out) return Status(Code::kUnavailable, OpenErrorText(file));
  out << text;
  out.flush();
  if (!out) return Status(Code::kUnavailable, "could not write file " + file + ": " + std::strerror(errno));
  return Status::Ok();
}

Status WritePrivateOutput(const std::string& file, const std::string& text) {
  return WritePrivateOutput(file, [&text](const WritePart& write) { write(text); });
}

Status WritePrivateOutput(const std::string& file, const std::function<void(const WritePart&)>& fill) {
  const Result<int> fd = OpenPrivateOutput(file);
  if (!fd.ok()) return fd.status();
  Output out(*fd, true);
  fill([&out](std::string_view part) { out.Write(part); });
  if (!out.alive()) return Status(Code::kUnavailable, "could not write file " + file + ": " + std::strerror(errno));
  return Status::Ok();
}

}  // namespace kingpost
