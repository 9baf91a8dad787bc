// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/listed_members.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

#include "operation/fleet/project_search.h"

namespace kingpost::fleet {

namespace {

namespace fs = std::filesystem;

bool FitsGlob(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::string LabelOf(const std::string& folder, const std::string& root) {
  const std::string label = fs::path(folder).lexically_relative(root).string();
  return label.empty() ? "." : label;
}

Status WrongMember(const FleetFile& file, const FleetFile::Member& member, const std::string& what) {
  return {Code::kInvalidArgument, file.path + ": the member " + member.folder + " " + what};
}

// Writes a path as labels are written: "stores/data" for "./stores/data/".
std::string AsLabel(const std::string& typed) {
  std::string label = fs::path(typed).lexically_normal().string();
  while (label.size() > 1 && label.back() == '/') label.pop_back();
  return label;
}

bool Fits(const std::string& pattern, const MemberNames& member) {
  return FitsGlob(pattern, member.label) || FitsGlob(pattern, member.project) || FitsGlob(pattern, member.name);
}

bool IsInGroup(const std::string& group, const MemberNames& member, const FleetFile& file) {
  if (std::find(member.groups.begin(), member.groups.end(), group) != member.groups.end()) return true;
  const auto found = file.groups.find(group);
  return found != file.groups.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&member](const std::string& pattern) { return Fits(pattern, member); });
}

}  // namespace

Result<std::vector<ListedProject>> ListProjects(const std::string& root, const FleetFile& file) {
  const std::vector<std::string> folders = FindProjectFolders(root);
  std::vector<ListedProject> listed;
  if (file.members.empty()) {
    for (const std::string& folder : folders) listed.push_back({folder, LabelOf(folder, root), {}, false});
  }
  for (const FleetFile::Member& member : file.members) {
    if (!member.is_pattern()) {
      std::error_code error;
      const std::string folder = fs::canonical(fs::path(root) / member.folder, error).string();
      if (error || !HasProjectFile(folder)) return WrongMember(file, member, "has no Pulumi.yaml");
      listed.push_back({folder, LabelOf(folder, root), member, true});
      continue;
    }
    bool fits = false;
    for (const std::string& folder : folders) {
      if (!FitsGlob(member.folder, LabelOf(folder, root))) continue;
      fits = true;
      listed.push_back({folder, LabelOf(folder, root), member, false});
    }
    if (!fits) return WrongMember(file, member, "matches no folder with a project");
  }
  return listed;
}

Result<std::vector<size_t>> FindMembersByName(const std::string& name, size_t of,
                                              const std::vector<MemberNames>& members, const FleetFile& file) {
  const std::string label = AsLabel(name);
  std::vector<size_t> called;
  bool found = false;
  for (size_t i = 0; i < members.size(); ++i) {
    const MemberNames& other = members[i];
    if (other.label != label && other.project != name && other.name != name) continue;
    found = true;
    if (i != of) called.push_back(i);
  }
  if (found) return called;
  return Status(Code::kInvalidArgument, file.path + ": " + members[of].label + " comes after " + name +
                                            ", which is no folder, project or stack of the members");
}

std::vector<size_t> FindMatchingMembers(const std::string& pattern, const std::vector<MemberNames>& members,
                                        const FleetFile& file) {
  std::vector<size_t> fitting;
  for (size_t i = 0; i < members.size(); ++i) {
    if (Fits(pattern, members[i]) || IsInGroup(pattern, members[i], file)) fitting.push_back(i);
  }
  return fitting;
}

}  // namespace kingpost::fleet
