// SPDX-License-Identifier: Apache-2.0
// A fault of a program, and its place. Any thread; values.
#pragma once

#include <string>
#include <vector>

#include "languages/yaml/node.h"

namespace kingpost::yaml {

struct Diagnostic {
  enum class Severity { kWarning, kError } severity = Severity::kError;
  std::string summary;
  std::string detail;      // what more there is to say, or ""
  pcl::Position at{0, 0};  // line 0: nowhere in particular
};

class Diagnostics {
 public:
  void Error(pcl::Position at, std::string summary, std::string detail = "") {
    list_.push_back({Diagnostic::Severity::kError, std::move(summary), std::move(detail), at});
  }
  void Warning(pcl::Position at, std::string summary, std::string detail = "") {
    list_.push_back({Diagnostic::Severity::kWarning, std::move(summary), std::move(detail), at});
  }
  // At the place that the status carries, if any.
  void Add(const Status& status);

  bool has_errors() const;
  const std::vector<Diagnostic>& list() const { return list_; }

 private:
  std::vector<Diagnostic> list_;
};

// The message, and below it the line:
//
//     resource or variable named "x" could not be found
//
//       on Pulumi.yaml line 7, column 12:
//        7:     name: ${x}
//
//     detail
std::string Render(const Diagnostic& diagnostic, const Source& source);
// All errors as one failure, for those who have nobody to tell them to one by one.
Status AsStatus(const Diagnostics& diagnostics, const Source& source);

// "'functoin' looks like ...": the names closest to `wrong` first, at most `max` of them, and how many more there are.
std::string ListClosest(const std::string& wrong, std::vector<std::string> names, size_t max);

}  // namespace kingpost::yaml
