// A folder of our own that is gone with its owner.
#pragma once

#include <string>
#include <utility>

#include "base/status.h"

namespace kingpost {

class TemporaryFolder {
 public:
  static Result<TemporaryFolder> Make();  // private to the user, in $TMPDIR or /tmp
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace kingpost
