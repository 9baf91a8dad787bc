// SPDX-License-Identifier: Apache-2.0
#include "engine/preflight.h"

#include <map>
#include <set>

#include "base/command_name.h"
#include "model/provider_inputs.h"
#include "model/semver.h"

namespace kingpost::engine {

Status Preflight::TargetsAreRecorded() const {
  if (options_.kind == OperationKind::kUpdate || options_.kind == OperationKind::kImport) return Status();
  for (const decisions::UrnPatterns* patterns : {&run_.selection().targets(), &run_.selection().excludes()}) {
    for (const Urn& urn : patterns->literals()) {
      if (!run_.rows().AllOld(urn).empty()) continue;
      return Status(Code::kNotFound, "no resource named '" + urn.str() + "' found");
    }
  }
  return Status();
}

Status Preflight::TargetsAreKnown(const decisions::UrnPatterns& targets, bool only_recorded) const {
  bool unknown = false;
  for (const Urn& urn : targets.literals()) {
    if (!run_.rows().AllOld(urn).empty() || (!only_recorded && run_.rows().IsKnown(urn))) continue;
    unknown = true;
    std::string text = "Target '" + urn.str() + "' could not be found in the stack.";
    // Shells take "$type" for a variable of theirs.
    if (urn.str().find('$') == std::string::npos) text += " Did you forget to escape $ in your shell?";
    report_.Error(Urn(), text);
  }
  return unknown ? Status::Bail("one or more targets could not be found in the stack") : Status();
}

Status Preflight::NoDeleteHooks() const {
  if (options_.kind != OperationKind::kDestroy || options_.run_program) return Status();
  bool any = false;
  for (const StatePtr& recorded : run_.rows().base()) {
    std::string names;
    for (HookKind kind : {HookKind::kBeforeDelete, HookKind::kAfterDelete}) {
      for (const std::string& name : recorded->hooks.of(kind)) names += (names.empty() ? "" : ", ") + name;
    }
    if (names.empty()) continue;
    any = true;
    report_.Error(recorded->urn,
                  "Resource has delete hooks registered, but the program is not running. Hooks: " + names);
  }
  if (!any) return Status();
  return Status(Code::kFailedPrecondition,
                "You must run with the `--run-program` flag to use delete hooks during destroy.");
}

void Preflight::WarnOfPendingOperations() const {
  const auto& pending = operation_.base->pending_operations;
  if (pending.empty() || options_.preview) return;
  std::string text = "Attempting to deploy or update resources with " + std::to_string(pending.size()) +
                     " pending operations from previous deployment.\n";
  for (const PendingOperation& operation : pending) {
    text += "  * " + operation.resource->urn.str() + ", interrupted while " + OperationTypeName(operation.type) + "\n";
  }
  text +=
      "It is not known whether these operations took place: the run was interrupted while it waited for them. Look up "
      "in each provider whether the resource is there.\n\nThen run " +
      QuotedCommand("refresh") +
      ": it reads what exists and clears "
      "the pending operations. Creates that did take place can be adopted with --import-pending-creates, and those "
      "that did not are cleared with --clear-pending-creates.";
  report_.Warning(Urn(), text);
}

std::vector<RequiredPackage> Preflight::RecordedPackages() const {
  std::vector<RequiredPackage> packages;
  for (const StatePtr& state : run_.rows().base()) {
    if (!state->is_provider()) continue;
    auto request = naming::RecordedRequest(std::string(ProviderPackage(state->type)), state->inputs);
    if (!request) continue;
    packages.push_back({request->plugin, "resource", request->version, request->download_url, request->checksums,
                        request->parameterization});
  }
  return packages;
}

void Preflight::WarnOfOlderPackages(const std::vector<RequiredPackage>& required) const {
  std::map<std::string, std::set<std::string>> recorded;  // package -> versions
  for (const StatePtr& state : run_.rows().base()) {
    if (!state->is_provider()) continue;
    const auto parsed = naming::ParseProviderInputs(std::string(ProviderPackage(state->type)), state->inputs);
    const auto* plugin = std::get_if<naming::ProviderPlugin>(&parsed);
    if (!plugin) continue;
    const auto& parameterization = plugin->parameterization;
    const std::string& version = parameterization ? parameterization->version : plugin->spec.version;
    if (!version.empty()) recorded[parameterization ? parameterization->name : plugin->spec.name].insert(version);
  }
  const std::string operation = options_.kind == OperationKind::kDestroy ? "destroy" : "refresh";
  for (const RequiredPackage& package : required) {
    if (package.kind != "resource") continue;
    const auto& parameterization = package.parameterization;
    const std::string& name = parameterization ? parameterization->name : package.name;
    const std::string& version = parameterization ? parameterization->version : package.version;
    if (version.empty()) continue;
    for (const std::string& older : recorded[name]) {
      if (naming::CompareSemver(older, version) >= 0) continue;
      report_.Warning(Urn(), operation + " operation is using an older version of package '" + name +
                                 "' than the specified program version: " + older + " < " + version);
    }
  }
}

}  // namespace kingpost::engine
