// SPDX-License-Identifier: Apache-2.0
#include "runtimes/language_host.h"

#include <atomic>
#include <filesystem>

namespace kingpost {

std::function<void(OutputStream, std::string)> LineLogger(const std::function<void(Severity, std::string, int)>& log) {
  // Beside the numbers that programs choose for themselves, which begin at zero.
  // Atomic, because a process may run several operations, each on a thread of its own.
  static std::atomic<int> next_stream{1000000};
  const int out = next_stream++, err = next_stream++;
  return [log, out, err](OutputStream stream, std::string line) {
    if (!log) return;
    const bool is_out = stream == OutputStream::kStdout;
    log(is_out ? Severity::kInfo : Severity::kInfoErr, std::move(line) + "\n", is_out ? out : err);
  };
}

std::string EntryPoint(const Project& project) {
  if (project.main.empty()) return ".";
  const auto path = std::filesystem::path(project.folder()) / project.main;
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) ? path.filename().string() : ".";
}

}  // namespace kingpost
