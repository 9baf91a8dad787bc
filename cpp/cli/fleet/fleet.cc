// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/fleet.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

#include "base/command_name.h"
#include "base/os.h"
#include "cli/fleet/find_projects.h"
#include "cli/session/exit_code.h"
#include "cli/session/stack_lifecycle.h"
#include "operation/fleet/recorded_references.h"
#include "workspace/selection.h"
#include "workspace/stack_config.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

bool FitsGlob(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::string FolderLabel(const std::string& folder, const std::string& root) {
  const std::string label = fs::path(folder).lexically_relative(root).string();
  return label.empty() ? "." : label;
}

// A project's own backend is relative to the project, wherever the command runs.
std::string UrlFor(const Project& project, const std::string& url) {
  constexpr std::string_view kFile = "file://";
  if (project.backend_url != url || !url.starts_with(kFile)) return url;
  const std::string path = url.substr(kFile.size());
  if (path.starts_with('/') || path.starts_with('~')) return url;
  return std::string(kFile) + (fs::path(project.folder()) / path).lexically_normal().string();
}

class FleetOpener {
 public:
  FleetOpener(Session& session, const FleetFlags& flags, std::string stack)
      : session_(session), flags_(flags), stack_(std::move(stack)) {}

  Result<Fleet> Open() {
    if (const Status found = FindFolder(); !found.ok()) return found;
    Result<FleetFile> file = LoadFleetFile(fleet_.folder);
    if (!file.ok()) return file.status();
    fleet_.file = std::move(*file);
    if (stack_.empty()) stack_ = fleet_.file.stack;
    if (const Status members = AddMembers(); !members.ok()) return members;
    if (const Status named = CheckNames(); !named.ok()) return named;
    if (const Status loaded = LoadDocuments(); !loaded.ok()) return loaded;
    if (const Status ordered = FindOrder(); !ordered.ok()) return ordered;
    return std::move(fleet_);
  }

 private:
  Status FindFolder() {
    std::error_code error;
    const fs::path folder = fs::canonical(flags_.folder.empty() ? "." : flags_.folder, error);
    if (error || !fs::is_directory(folder, error)) {
      return UsageError("--all: there is no folder " + (flags_.folder.empty() ? "." : flags_.folder));
    }
    fleet_.folder = folder.string();
    return Status::Ok();
  }

  Status AddMembers() {
    const bool listed = !fleet_.file.members.empty();
    const std::vector<std::string> folders = FindProjectFolders(fleet_.folder);
    if (!listed) {
      for (const std::string& folder : folders) {
        if (const Status added = Add(folder, {}, false); !added.ok()) return added;
      }
    }
    for (const FleetFile::Member& member : fleet_.file.members) {
      const bool is_pattern = member.folder.find_first_of("*?[") != std::string::npos;
      bool fits = false;
      for (const std::string& folder : folders) {
        if (!is_pattern || !FitsGlob(member.folder, FolderLabel(folder, fleet_.folder))) continue;
        fits = true;
        if (const Status added = Add(folder, member, false); !added.ok()) return added;
      }
      if (is_pattern && !fits) return WrongMember(member, "fits no folder with a project");
      if (is_pattern) continue;
      std::error_code error;
      const fs::path folder = fs::canonical(fs::path(fleet_.folder) / member.folder, error);
      if (error || !HasProjectFile(folder)) return WrongMember(member, "has no Pulumi.yaml");
      if (const Status added = Add(folder.string(), member, true); !added.ok()) return added;
    }
    if (!fleet_.members.empty()) return Status::Ok();
    if (!fleet_.left_out.empty()) {
      return Fail(ExitCode::kNoStack, "no project below " + fleet_.folder + " has a stack '" + stack_ +
                                          "'; make them with --create, or choose another with --stack");
    }
    return Fail(ExitCode::kNoStack,
                "there is no project with a Pulumi.yaml below " + fleet_.folder + "; name another folder with --all");
  }

  static bool HasProjectFile(const fs::path& folder) {
    const Result<std::string> file = Project::Find(folder.string());
    return file.ok() && fs::path(*file).parent_path() == folder;
  }

  Status WrongMember(const FleetFile::Member& member, const std::string& what) const {
    return UsageError(fleet_.file.path + ": the member " + member.folder + " " + what);
  }

  Status Add(const std::string& folder, const FleetFile::Member& wanted, bool must_exist) {
    FleetMember member;
    member.folder = folder;
    member.label = FolderLabel(folder, fleet_.folder);
    Result<Project> project = Project::FindAndLoad(folder);
    if (!project.ok()) return project.status();
    member.project = std::move(*project);
    member.groups = wanted.groups;
    member.after_names = wanted.after;
    if (const Status opened = OpenStore(&member); !opened.ok()) return opened.Wrap(member.label);
    const Result<std::string> typed = TypedName(wanted, member);
    if (!typed.ok()) return typed.status();
    if (typed->empty()) {
      session_.Note(member.label + " is left out: no stack is selected there; name one with --stack");
      return Status::Ok();
    }
    SessionSurroundings surroundings;
    surroundings.folder = folder;
    surroundings.store = member.store;
    Session inside(session_.globals(), std::move(surroundings));
    const Result<StackName> stack = inside.NameStack(*typed);
    if (!stack.ok()) return stack.status();
    member.stack = *stack;
    member.name = (stack->project.empty() ? member.project.name : stack->project) + "/" + stack->name;
    const Result<bool> exists = member.store->Exists(*stack);
    if (!exists.ok()) return exists.status();
    if (!*exists && !flags_.create) {
      if (must_exist) {
        return Fail(ExitCode::kNoStack, "the member " + member.label + " has no stack '" + stack->name +
                                            "'; make it with --create, or take it out of " + fleet_.file.path);
      }
      fleet_.left_out.push_back(member.label);
      return Status::Ok();
    }
    if (!*exists) {
      if (const Status created = CreateStack(inside, *stack, false); !created.ok()) return created.Wrap(member.name);
    }
    fleet_.members.push_back(std::move(member));
    return Status::Ok();
  }

  Result<std::string> TypedName(const FleetFile::Member& wanted, const FleetMember& member) const {
    if (!wanted.stack.empty()) return wanted.stack;
    if (!stack_.empty()) return stack_;
    return SelectedStack(member.project, member.store->url());
  }

  Status OpenStore(FleetMember* member) {
    const Result<std::string> chosen = ChosenBackend(&member->project);
    if (!chosen.ok()) return Fail(ExitCode::kUsage, chosen.status().message(), chosen.status().code());
    member->store_url = UrlFor(member->project, *chosen);
    std::shared_ptr<StateStore>& store = stores_[member->store_url];
    if (!store) {
      Result<std::unique_ptr<StateStore>> opened = OpenBackend(member->store_url);
      if (!opened.ok()) return opened.status();
      store = std::move(*opened);
    }
    member->store = store;
    return Status::Ok();
  }

  // Two folders that are one stack would overwrite each other.
  Status CheckNames() const {
    std::map<std::pair<std::string, std::string>, const FleetMember*> seen;
    for (const FleetMember& member : fleet_.members) {
      const auto [found, is_new] = seen.emplace(std::make_pair(member.store_url, member.stack.str()), &member);
      if (is_new) continue;
      return UsageError("the folders " + found->second->label + " and " + member.label + " are both the stack " +
                        member.name + "; give one of the projects another name, or list the members in " + kFleetFile);
    }
    return Status::Ok();
  }

  // All documents in as few requests as each store needs.
  Status LoadDocuments() {
    for (const auto& [url, store] : stores_) {
      std::vector<StackName> names;
      std::vector<FleetMember*> members;
      for (FleetMember& member : fleet_.members) {
        if (member.store != store) continue;
        names.push_back(member.stack);
        members.push_back(&member);
      }
      Result<std::vector<StackDocument>> documents = store->LoadMany(names);
      if (!documents.ok()) return documents.status();
      for (size_t i = 0; i < members.size(); ++i) members[i]->document = std::move((*documents)[i].bytes);
    }
    return Status::Ok();
  }

  Status FindOrder() {
    std::map<std::pair<std::string, std::string>, size_t> by_stack;
    for (size_t i = 0; i < fleet_.members.size(); ++i) {
      by_stack[{fleet_.members[i].store_url, fleet_.members[i].stack.str()}] = i;
    }
    for (size_t i = 0; i < fleet_.members.size(); ++i) {
      FleetMember& member = fleet_.members[i];
      const Result<std::vector<StackName>> reads = fleet::RecordedReferences(member.document, member.stack.project);
      if (!reads.ok()) return reads.status().Wrap("the stack " + member.name);
      for (const StackName& read : *reads) {
        const auto found = by_stack.find({member.store_url, read.str()});
        if (found != by_stack.end() && found->second != i) member.references.push_back(found->second);
      }
      for (const std::string& name : member.after_names) {
        if (const Status found = AddAfter(name, i); !found.ok()) return found;
      }
      member.document.clear();
    }
    return Status::Ok();
  }

  Status AddAfter(const std::string& name, size_t of) {
    bool found = false;
    for (size_t i = 0; i < fleet_.members.size(); ++i) {
      const FleetMember& other = fleet_.members[i];
      const std::string folder = fs::path(name).lexically_normal().string();
      if (other.label != folder && other.project.name != name && other.name != name) continue;
      found = true;
      if (i != of) fleet_.members[of].after.push_back(i);
    }
    if (found) return Status::Ok();
    return UsageError(fleet_.file.path + ": " + fleet_.members[of].label + " comes after " + name +
                      ", which is no folder, project or stack of the members");
  }

  Session& session_;
  const FleetFlags& flags_;
  std::string stack_;
  Fleet fleet_;
  std::map<std::string, std::shared_ptr<StateStore>> stores_;
};

bool IsInGroup(const Fleet& fleet, const FleetMember& member, const std::string& group) {
  if (std::find(member.groups.begin(), member.groups.end(), group) != member.groups.end()) return true;
  const auto found = fleet.file.groups.find(group);
  if (found == fleet.file.groups.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const std::string& pattern) {
    return FitsGlob(pattern, member.label) || FitsGlob(pattern, member.project.name) || FitsGlob(pattern, member.name);
  });
}

// With all that they lead to along `edges`.
void AddReachable(std::vector<bool>* chosen, const std::vector<std::vector<size_t>>& edges) {
  std::vector<size_t> open;
  for (size_t i = 0; i < chosen->size(); ++i) {
    if ((*chosen)[i]) open.push_back(i);
  }
  while (!open.empty()) {
    const size_t at = open.back();
    open.pop_back();
    for (const size_t next : edges[at]) {
      if ((*chosen)[next]) continue;
      (*chosen)[next] = true;
      open.push_back(next);
    }
  }
}

void KeepMembers(const std::vector<bool>& chosen, Fleet* fleet) {
  std::vector<std::optional<size_t>> place(chosen.size());
  std::vector<FleetMember> kept;
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    place[i] = kept.size();
    kept.push_back(std::move(fleet->members[i]));
  }
  for (FleetMember& member : kept) {
    for (auto* list : {&member.references, &member.after}) {
      std::vector<size_t> left;
      for (const size_t other : *list) {
        if (place[other]) left.push_back(*place[other]);
      }
      *list = std::move(left);
    }
  }
  fleet->members = std::move(kept);
}

}  // namespace

std::vector<fleet::BoardMember> Fleet::BoardMembers() const {
  std::vector<fleet::BoardMember> on_board;
  for (const FleetMember& member : members) {
    on_board.push_back({{member.name, member.references, member.after}, member.store_url, member.stack});
  }
  return on_board;
}

Result<Fleet> OpenFleet(Session& session, const FleetFlags& flags, const std::string& stack) {
  Result<Fleet> fleet = FleetOpener(session, flags, stack).Open();
  if (!fleet.ok() || fleet->left_out.empty()) return fleet;
  std::string names;
  for (const std::string& label : fleet->left_out) names += (names.empty() ? "" : ", ") + label;
  const bool one = fleet->left_out.size() == 1;
  session.Note(names + (one ? " has" : " have") + " no such stack and " + (one ? "is" : "are") +
               " left out; --create makes " + (one ? "it" : "them"));
  return fleet;
}

std::string PlanFile(const std::string& folder, const FleetMember& member) {
  return (fs::path(folder) / (member.project.name + "." + member.stack.name + ".json")).string();
}

Status SelectMembers(const FleetFlags& flags, Fleet* fleet) {
  if (!flags.selects()) return Status::Ok();
  const size_t count = fleet->members.size();
  std::vector<bool> chosen(count, flags.only.empty());
  for (const std::string& pattern : flags.only) {
    bool fits = false;
    for (size_t i = 0; i < count; ++i) {
      const FleetMember& member = fleet->members[i];
      if (!FitsGlob(pattern, member.label) && !FitsGlob(pattern, member.project.name) &&
          !FitsGlob(pattern, member.name) && !IsInGroup(*fleet, member, pattern)) {
        continue;
      }
      fits = chosen[i] = true;
    }
    if (!fits) return UsageError("--only " + pattern + ": no stack, project, folder or group is called so");
  }
  if (!flags.changed_since.empty()) {
    const Result<std::vector<std::string>> files = FilesChangedSince(fleet->folder, flags.changed_since);
    if (!files.ok()) return files.status();
    std::set<std::string> folders;
    for (const FleetMember& member : fleet->members) folders.insert(member.folder);
    for (size_t i = 0; i < count; ++i) {
      chosen[i] = chosen[i] && IsTouched(fleet->members[i].project, folders, *files);
    }
  }
  std::vector<std::vector<size_t>> needs(count), needed_by(count);
  for (size_t i = 0; i < count; ++i) {
    for (const auto* list : {&fleet->members[i].references, &fleet->members[i].after}) {
      for (const size_t other : *list) {
        needs[i].push_back(other);
        needed_by[other].push_back(i);
      }
    }
  }
  std::vector<bool> with_dependents = chosen;
  if (flags.with_dependents) AddReachable(&with_dependents, needed_by);
  if (flags.with_dependencies) AddReachable(&chosen, needs);
  for (size_t i = 0; i < count; ++i) chosen[i] = chosen[i] || with_dependents[i];
  KeepMembers(chosen, fleet);
  return Status::Ok();
}

Status CheckOrder(const Fleet& fleet) {
  std::vector<fleet::Schedule::Member> members;
  for (const fleet::BoardMember& member : fleet.BoardMembers()) members.push_back(member.scheduled);
  const fleet::Schedule schedule(std::move(members), 1);
  const std::vector<size_t> circle = schedule.Circle();
  if (circle.empty()) return Status::Ok();
  return Fail(
      ExitCode::kFailed,
      "these stacks read each other in a circle, as their last runs have recorded: " + schedule.NamesOf(circle) +
          "; nothing was changed. Let one of them do without the outputs of the other, and run " + QuotedCommand("up") +
          " in its folder alone once");
}

}  // namespace kingpost
