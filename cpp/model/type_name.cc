// SPDX-License-Identifier: Apache-2.0
#include "model/type_name.h"

#include <string>

namespace kingpost {

namespace {

bool IsUsable(std::string_view text) { return !text.empty() && text.find('$') == text.npos; }

}  // namespace

Status CheckTypeName(std::string_view type) {
  if (IsUsable(type)) return Status::Ok();
  return Status(Code::kInvalidArgument,
                "Type '" + std::string(type) + "' is not a valid type: " +
                    (type.empty() ? "it is empty" : "it must not contain `$`, which separates types in URNs"));
}

Status CheckPackageName(std::string_view package) {
  if (IsUsable(package) && package.find(':') == package.npos) return Status::Ok();
  if (package.empty()) {
    return Status(Code::kInvalidArgument, "no package is named: types and functions have the format '*:*:*'");
  }
  return Status(Code::kInvalidArgument, "'" + std::string(package) +
                                            "' is not a valid package: it must contain neither `$` nor `:`, which "
                                            "separate parts of URNs");
}

}  // namespace kingpost
