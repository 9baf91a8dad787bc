// SPDX-License-Identifier: Apache-2.0
#include "operation/dynamic_guess.h"

#include <filesystem>
#include <set>
#include <string_view>

#include "base/os.h"
#include "model/dynamic_provider.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr int kFilesMax = 100;
constexpr uintmax_t kFileBytesMax = 256 << 10;

bool NamesDynamicClass(const fs::directory_entry& file) {
  std::error_code unknown;
  if (!file.is_regular_file(unknown) || file.file_size(unknown) > kFileBytesMax) return false;
  const Result<std::string> text = ReadWholeFile(file.path().string());
  if (!text.ok()) return false;
  return text->find("pulumi.dynamic") != std::string::npos || text->find("dynamic.Resource") != std::string::npos;
}

}  // namespace

std::optional<std::string> GuessDynamicProvider(const Project& project) {
  const bool python = project.runtime == "python";
  if (!python && project.runtime != "nodejs") return std::nullopt;
  const std::set<std::string> endings = python ? std::set<std::string>{".py"} : std::set<std::string>{".ts", ".js"};
  std::error_code error;
  int files = 0;
  for (fs::directory_iterator at(project.ProgramFolder(), error), end; !error && at != end; at.increment(error)) {
    if (endings.count(at->path().extension().string()) == 0) continue;
    if (++files > kFilesMax) break;
    if (NamesDynamicClass(*at)) return std::string(python ? kPythonDynamicProvider : kNodeDynamicProvider);
  }
  return std::nullopt;
}

}  // namespace kingpost
