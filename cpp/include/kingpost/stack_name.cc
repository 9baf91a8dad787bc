// SPDX-License-Identifier: Apache-2.0
// Names of stacks and projects: what may become a file name, and how references are written.
#include <algorithm>

#include "kingpost/state_store.h"

namespace kingpost {
namespace {

constexpr size_t kNameSizeMax = 100;

bool IsNameCharacter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

std::string Quoted(char c) {
  if (c >= 0x20 && c < 0x7f) return std::string("'") + c + "'";
  constexpr char kHex[] = "0123456789abcdef";
  return std::string("'\\x") + kHex[(c >> 4) & 15] + kHex[c & 15] + "'";
}

}  // namespace

Status ValidateStackName(const std::string& name) {
  if (name.empty()) return {Code::kInvalidArgument, "a stack name may not be empty"};
  if (name.size() > kNameSizeMax) return {Code::kInvalidArgument, "a stack name cannot exceed 100 characters"};
  const auto bad = std::find_if_not(name.begin(), name.end(), IsNameCharacter);
  if (bad != name.end()) {
    return {Code::kInvalidArgument,
            "a stack name may only contain alphanumeric, hyphens, underscores, or periods: "
            "invalid character " +
                Quoted(*bad) + " at position " + std::to_string(bad - name.begin())};
  }
  if (name == "." || name == "..") {
    return {Code::kInvalidArgument,
            "a stack cannot be called '" + name + "', which names a folder; choose another name"};
  }
  return Status::Ok();
}

Status ValidateProjectName(const std::string& name) {
  if (name.empty()) return {Code::kInvalidArgument, "project names may not be empty"};
  if (name.size() > kNameSizeMax) return {Code::kInvalidArgument, "project names are limited to 100 characters"};
  if (!std::all_of(name.begin(), name.end(), IsNameCharacter)) {
    return {Code::kInvalidArgument, "project names may only contain alphanumerics, hyphens, underscores, and periods"};
  }
  if (name == "." || name == "..") {
    return {Code::kInvalidArgument, "a project cannot be called '" + name + "', which names a folder"};
  }
  return Status::Ok();
}

Result<StackName> StackName::Parse(const std::string& text, const std::string& current_project) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t slash = text.find('/', begin);
    parts.push_back(text.substr(begin, slash - begin));
    if (slash == std::string::npos) break;
    begin = slash + 1;
  }
  if (parts.size() > 3) {
    return Status(Code::kInvalidArgument,
                  "the stack name '" + text + "' has too many parts; write NAME or organization/PROJECT/NAME");
  }

  StackName stack;
  stack.project = current_project;
  stack.name = parts.back();
  if (parts.size() >= 2) stack.organization = parts[0];
  if (parts.size() == 3) stack.project = parts[1];
  if (stack.organization != kDiyOrganization) {
    return Status(Code::kInvalidArgument, "organization name must be 'organization', not '" + stack.organization + "'");
  }
  if (stack.project.empty() && parts.size() < 3) {
    return Status(Code::kInvalidArgument,
                  "no Pulumi.yaml project file found; either run this command from a directory containing a Pulumi "
                  "project, or pass the fully qualified stack name (organization/project/stack)");
  }
  Status valid = ValidateProjectName(stack.project);
  if (valid.ok()) valid = ValidateStackName(stack.name);
  if (!valid.ok()) return valid;
  return stack;
}

}  // namespace kingpost
