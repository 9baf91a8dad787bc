// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <strings.h>

#include <cstdlib>
#include <filesystem>

namespace kingpost {

std::string GetEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string TemporaryFiles() {
  const std::string folder = GetEnvironment("TMPDIR");
  return folder.empty() ? "/tmp" : folder;
}

std::string CurrentFolder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::current_path(error);
  return error ? "." : folder.string();
}

bool IsTruthy(const std::string& text) { return text == "1" || strcasecmp(text.c_str(), "true") == 0; }

bool IsTrueVariable(const char* name, const char* former) {
  const char* value = std::getenv(name);
  if (!value && former) value = std::getenv(former);
  return value && IsTruthy(value);
}

}  // namespace kingpost
