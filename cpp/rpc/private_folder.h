// A temporary folder that only this user can enter, for sockets and built programs; removed with everything in it at
// the end.
#pragma once

#include <string>

#include "base/status.h"

namespace kingpost {

class PrivateFolder {
 public:
  static Result<PrivateFolder> Create();
  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  ~PrivateFolder();

  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace kingpost
