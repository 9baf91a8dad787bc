// SPDX-License-Identifier: Apache-2.0
// Programs built from source, kept by what they were made of:
//
//   built/CONTENT/program   CONTENT is the hash of all that went into it
//   built/FOLDER.inputs     FOLDER is the hash of a source folder's path; what to hash in order to know whether the
//                           program that was last built from it is still the right one
//
// So no compiler runs to find out that nothing changed, and what changes back is not built again. Reads and writes
// files; for worker threads.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct BuildInputs {
  std::vector<std::string> files;    // those that are missing count as well: once there, they would be used
  std::vector<std::string> folders;  // with the files right in them
  std::vector<std::string> trees;    // with all files below them
};

// The hash of what the inputs hold now, and of how it is built.
std::string ContentOf(const BuildInputs& inputs, const std::string& settings);

class BuildCache {
 public:
  // Fails where no folder can be made that is this user's alone.
  static Result<BuildCache> Open(const std::string& folder);

  // The program that was built from `source` in its present form; "" if there is none.
  std::string Find(const std::string& source, const std::string& settings) const;
  // The program with this content, whatever it was built from, which becomes that of `source`; "" if there is none.
  std::string Adopt(const std::string& source, const BuildInputs& inputs, const std::string& content) const;
  // A file to build into, in a folder of its own that is to be kept or dropped.
  Result<std::string> NewBuildTarget() const;
  // The program's place from now on. What nobody used for a month goes.
  Result<std::string> Keep(const std::string& program, const std::string& source, const BuildInputs& inputs,
                           const std::string& content) const;
  void Drop(const std::string& program) const;

 private:
  explicit BuildCache(std::string folder) : folder_(std::move(folder)) {}
  std::string ProgramOf(const std::string& content) const;
  std::string ListOf(const std::string& source) const;
  void RemoveUnused() const;

  std::string folder_;
};

}  // namespace kingpost
