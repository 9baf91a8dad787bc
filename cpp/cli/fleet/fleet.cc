// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/fleet.h"

#include <algorithm>
#include <filesystem>

#include "base/command_name.h"
#include "base/os.h"
#include "cli/fleet/changed_projects.h"
#include "cli/session/exit_code.h"
#include "cli/session/stack_lifecycle.h"
#include "operation/fleet/listed_members.h"
#include "operation/fleet/recorded_references.h"
#include "workspace/selection.h"
#include "workspace/stack_config.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// Makes a mistake in kingpost.yaml a usage error.
Status AsUsage(const Status& status) {
  return status.code() == Code::kInvalidArgument ? UsageError(status.message()) : status;
}

std::vector<fleet::MemberNames> NamesOf(const Fleet& fleet) {
  std::vector<fleet::MemberNames> names;
  for (const FleetMember& member : fleet.members) {
    names.push_back({member.name, member.project.name, member.label, member.groups});
  }
  return names;
}

class FleetOpener {
 public:
  FleetOpener(Session& session, const FleetFlags& flags, std::string stack)
      : session_(session), flags_(flags), stack_(std::move(stack)) {}

  Result<Fleet> Open() {
    if (const Status found = FindFolder(); !found.ok()) return found;
    Result<fleet::FleetFile> file = fleet::LoadFleetFile(fleet_.folder);
    if (!file.ok()) return AsUsage(file.status());
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
    const Result<std::vector<fleet::ListedProject>> listed = fleet::ListProjects(fleet_.folder, fleet_.file);
    if (!listed.ok()) return AsUsage(listed.status());
    for (const fleet::ListedProject& project : *listed) {
      if (const Status added = Add(project); !added.ok()) return added;
    }
    if (!fleet_.members.empty()) return Status::Ok();
    if (!fleet_.left_out.empty()) {
      return Fail(ExitCode::kNoStack, "no project below " + fleet_.folder + " has a stack '" + stack_ +
                                          "'; make them with --create, or choose another with --stack");
    }
    return Fail(ExitCode::kNoStack,
                "there is no project with a Pulumi.yaml below " + fleet_.folder + "; name another folder with --all");
  }

  Status Add(const fleet::ListedProject& listed) {
    FleetMember member;
    member.folder = listed.folder;
    member.label = listed.label;
    Result<Project> project = Project::FindAndLoad(listed.folder);
    if (!project.ok()) return project.status();
    member.project = std::move(*project);
    member.groups = listed.wanted.groups;
    member.after_names = listed.wanted.after;
    if (const Status opened = OpenStore(&member); !opened.ok()) return opened.Wrap(member.label);
    const Result<std::string> typed = TypedName(listed.wanted, member);
    if (!typed.ok()) return typed.status();
    if (typed->empty()) {
      session_.Note(member.label + " is left out: no stack is selected there; name one with --stack");
      return Status::Ok();
    }
    SessionContext surroundings;
    surroundings.folder = listed.folder;
    surroundings.store = member.store;
    Session inside(session_.globals(), std::move(surroundings));
    const Result<StackName> stack = inside.QualifyStackName(*typed);
    if (!stack.ok()) return stack.status();
    member.stack = *stack;
    member.name = (stack->project.empty() ? member.project.name : stack->project) + "/" + stack->name;
    const Result<bool> exists = member.store->Exists(*stack);
    if (!exists.ok()) return exists.status();
    if (!*exists && !flags_.create) {
      if (listed.by_name) {
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

  Result<std::string> TypedName(const fleet::FleetFile::Member& wanted, const FleetMember& member) const {
    if (!wanted.stack.empty()) return wanted.stack;
    if (!stack_.empty()) return stack_;
    return SelectedStack(member.project, member.store->url());
  }

  Status OpenStore(FleetMember* member) {
    const Result<std::string> chosen = AbsoluteChosenBackend(member->project);
    if (!chosen.ok()) return Fail(ExitCode::kUsage, chosen.status().message(), chosen.status().code());
    member->store_url = *chosen;
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
                        member.name + "; give one of the projects another name, or list the members in " +
                        fleet::kFleetFile);
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
    const std::vector<fleet::MemberNames> names = NamesOf(fleet_);
    std::vector<std::vector<StackName>> reads;
    for (size_t i = 0; i < fleet_.members.size(); ++i) {
      FleetMember& member = fleet_.members[i];
      Result<std::vector<StackName>> recorded = fleet::RecordedReferences(member.document, member.stack.project);
      if (!recorded.ok()) return recorded.status().Wrap("the stack " + member.name);
      reads.push_back(std::move(*recorded));
      for (const std::string& name : member.after_names) {
        const Result<std::vector<size_t>> called = fleet::FindMembersByName(name, i, names, fleet_.file);
        if (!called.ok()) return AsUsage(called.status());
        member.after.insert(member.after.end(), called->begin(), called->end());
      }
      member.document.clear();
    }
    std::vector<fleet::BoardMember> on_board = fleet_.BoardMembers();
    fleet::SetReferences(reads, &on_board);
    for (size_t i = 0; i < on_board.size(); ++i) {
      fleet_.members[i].references = std::move(on_board[i].scheduled.references);
    }
    return Status::Ok();
  }

  Session& session_;
  const FleetFlags& flags_;
  std::string stack_;
  Fleet fleet_;
  std::map<std::string, std::shared_ptr<StateStore>> stores_;
};

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
  const std::vector<fleet::MemberNames> names = NamesOf(*fleet);
  for (const std::string& pattern : flags.only) {
    const std::vector<size_t> fitting = fleet::FindMatchingMembers(pattern, names, fleet->file);
    if (fitting.empty()) return UsageError("--only " + pattern + ": no stack, project, folder or group has this name");
    for (const size_t member : fitting) chosen[member] = true;
  }
  if (!flags.changed_since.empty()) {
    const Result<std::vector<std::string>> files = FilesChangedSince(fleet->folder, flags.changed_since);
    if (!files.ok()) return files.status();
    std::set<std::string> folders;
    for (const FleetMember& member : fleet->members) folders.insert(member.folder);
    for (size_t i = 0; i < count; ++i) {
      chosen[i] = chosen[i] && HasChangedFiles(fleet->members[i].project, folders, *files);
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

// The steps of a circle that only kingpost.yaml asks for.
std::string AfterInCircle(const std::vector<fleet::Schedule::Member>& members, const std::vector<size_t>& circle) {
  std::string told;
  for (size_t i = 0; i + 1 < circle.size(); ++i) {
    const fleet::Schedule::Member& member = members[circle[i]];
    const auto& reads = member.references;
    if (std::find(reads.begin(), reads.end(), circle[i + 1]) != reads.end()) continue;
    told += (told.empty() ? "" : ", or ") + members[circle[i + 1]].name + " from `after` of " + member.name;
  }
  return told;
}

Status CheckOrder(const Fleet& fleet) {
  std::vector<fleet::Schedule::Member> members;
  for (const fleet::BoardMember& member : fleet.BoardMembers()) members.push_back(member.scheduled);
  const fleet::Schedule schedule(members, 1);
  const std::vector<size_t> circle = schedule.FindCycle();
  if (circle.empty()) return Status::Ok();
  if (const std::string after = AfterInCircle(members, circle); !after.empty()) {
    return Fail(ExitCode::kFailed, "these stacks wait for each other in a cycle: " + schedule.NamesOf(circle) +
                                       "; nothing was changed. Remove " + after + " in kingpost.yaml");
  }
  return Fail(ExitCode::kFailed,
              "these stacks read each other in a cycle, as their last runs have recorded: " + schedule.NamesOf(circle) +
                  "; nothing was changed. Change one program so that it does not read the other stack, and run " +
                  QuotedCommand("up") + " once in its folder");
}

}  // namespace kingpost
