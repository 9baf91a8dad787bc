// SPDX-License-Identifier: Apache-2.0
#include "engine/policies.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "decisions/policy_rules.h"

namespace kingpost::engine {

namespace {

// Shortens a long path to the two folders at either end.
std::string ShortPath(const std::string& path) {
  constexpr size_t kPathMax = 75;
  const std::string clean = std::filesystem::path(path).lexically_normal().string();
  std::vector<std::string> folders;
  std::stringstream parts(clean);
  for (std::string part; std::getline(parts, part, '/');) folders.push_back(part);
  if (clean.size() <= kPathMax || folders.size() <= 4) return clean;
  const size_t n = folders.size();
  return folders[0] + "/" + folders[1] + "/.../" + folders[n - 2] + "/" + folders[n - 1];
}

// Displays tell packs in folders by their path (row 10.7).
std::string NameForSummary(const std::string& name, const std::string& path) {
  return path.empty() ? name : name + "|local|" + ShortPath(path);
}

}  // namespace

Task<Status> Policies::Load() {
  for (AnalyzerSpec spec : operation_.options.policy_packs) {
    PolicyLoadEvent loading_event;
    report_.Emit(loading_event);
    spec.stack = operation_.stack;
    spec.project = operation_.project;
    spec.organization = operation_.organization;
    spec.dry_run = operation_.options.preview;
    spec.config = operation_.config;
    spec.config_secret_keys = operation_.config_secret_keys;
    const std::string path = spec.path;
    Result<AnalyzerPtr> analyzer = co_await operation_.host->LoadAnalyzer(std::move(spec));
    if (!analyzer.ok()) co_return analyzer.status();
    Result<AnalyzerInfo> info = co_await (*analyzer)->GetInfo();
    if (!info.ok()) co_return info.status().Wrap("failed to get analyzer info");
    std::sort(info->exceptions.begin(), info->exceptions.end(), decisions::ComesBefore);
    for (const std::string& warning : decisions::UnknownInExceptions(*info)) report_.Warning(Urn(), warning);
    versions_[NameForSummary(info->name, path)] = info->version;
    packs_.push_back({*analyzer, *info});
  }
  co_return Status();
}

AnalyzerResource Policies::Describe(const State& state, const PropertyMap& properties) const {
  AnalyzerResource resource;
  resource.urn = state.urn;
  resource.type = state.type;
  resource.name = state.urn.name();
  resource.properties = properties;
  resource.protect = state.protect;
  resource.ignore_changes = state.ignore_changes;
  resource.additional_secret_outputs = state.additional_secret_outputs;
  if (const decisions::Row* row = run_.rows().Find(state.urn)) {
    resource.delete_before_replace = row->delete_before_replace();
  }
  for (const Urn& urn : state.aliases) {
    Alias alias;
    alias.urn = urn;
    resource.aliases.push_back(alias);
  }
  resource.custom_timeouts = state.custom_timeouts;
  resource.parent = state.parent;
  resource.dependencies = state.dependencies;
  resource.property_dependencies = state.property_dependencies;
  auto ref = ProviderReference::Parse(state.provider);
  if (state.provider.empty() || !ref.ok()) return resource;
  const decisions::Row* row = run_.rows().Find(ref->urn);
  const bool is_registered = row && row->is_claimed() && row->now();
  const StatePtr provider = is_registered ? row->now() : run_.rows().OldProvider(*ref);
  if (!provider) return resource;
  AnalyzerProvider described;
  described.urn = provider->urn;
  described.type = provider->type;
  described.name = provider->urn.name();
  described.properties = provider->inputs;
  resource.provider = described;
  return resource;
}

void Policies::Violation(const Urn& urn, PolicyDiagnostic diagnostic, std::vector<AppliedException> exceptions) {
  PolicyEvent event;
  event.urn = urn;
  event.exceptions = std::move(exceptions);
  event.diagnostic = std::move(diagnostic);
  report_.Emit(event);
}

Task<Status> Policies::Remediate(decisions::Draft draft, bool tells) {
  for (const Pack& pack : packs_) {
    AnalyzerResource resource = Describe(*draft, draft->inputs);
    Result<std::vector<Remediation>> answer = co_await pack.analyzer->Remediate(std::move(resource));
    if (!answer.ok()) co_return answer.status().Wrap("failed to run remediation");
    for (const Remediation& remediation : *answer) {
      if (remediation.not_applicable) continue;
      if (!tells) {
        if (remediation.diagnostic.empty() && remediation.properties) draft->inputs = *remediation.properties;
        continue;
      }
      if (!remediation.diagnostic.empty()) {
        PolicyDiagnostic warning;
        warning.policy = remediation.policy;
        warning.pack = remediation.pack;
        warning.pack_version = remediation.pack_version;
        warning.description = remediation.description;
        warning.message = remediation.diagnostic;
        warning.urn = draft->urn;
        Violation(draft->urn, std::move(warning));
        continue;
      }
      PolicyRemediationEvent event;
      event.urn = draft->urn;
      event.remediation = remediation;
      event.before = draft->inputs;
      event.after = remediation.properties.value_or(draft->inputs);
      report_.Emit(event);
      if (remediation.properties) draft->inputs = *remediation.properties;
    }
    if (!tells) continue;
    PolicyRemediateSummaryEvent summary;
    summary.urn = draft->urn;
    summary.pack = pack.info.name;
    summary.version = pack.info.version;
    const decisions::PolicySummary outcome = decisions::SummaryOf(pack.info, PolicyType::kResource, *answer);
    summary.passed = outcome.passed;
    summary.failed = outcome.failed;
    report_.Emit(summary);
  }
  co_return Status();
}

Task<void> Policies::AnalyzeWith(const Pack* pack, AnalyzerResource resource, bool tells_all, Result<bool>* broken) {
  const Urn urn = resource.urn;
  Result<std::vector<PolicyDiagnostic>> answer = co_await pack->analyzer->Analyze(std::move(resource));
  if (!answer.ok()) {
    *broken = answer.status().Wrap("failed to run policy");
    co_return;
  }
  *broken = false;
  for (PolicyDiagnostic diagnostic : *answer) {
    if (diagnostic.not_applicable) continue;
    diagnostic.level = decisions::LevelOf(diagnostic);
    const Urn about = diagnostic.urn.empty() ? urn : diagnostic.urn;
    auto exceptions = decisions::ExceptionsFor(pack->info.exceptions, diagnostic.policy, about);
    if (decisions::Forbids(diagnostic, exceptions)) {
      report_.CountRefusal();
      *broken = true;
    } else if (!tells_all) {
      continue;
    }
    Violation(about, diagnostic, std::move(exceptions));
  }
  if (!tells_all) co_return;
  PolicyAnalyzeSummaryEvent summary;
  summary.urn = urn;
  summary.pack = pack->info.name;
  summary.version = pack->info.version;
  const decisions::PolicySummary outcome = decisions::SummaryOf(pack->info, PolicyType::kResource, *answer);
  summary.passed = outcome.passed;
  summary.failed = outcome.failed;
  report_.Emit(summary);
}

Task<Result<bool>> Policies::Analyze(decisions::Draft draft, bool tells_all) {
  const AnalyzerResource resource = Describe(*draft, decisions::WithoutReservedKeys(draft->inputs));
  std::vector<Result<bool>> answers(packs_.size(), Result<bool>(false));
  Group group(loop_);
  for (size_t i = 0; i < packs_.size(); ++i) group.Spawn(AnalyzeWith(&packs_[i], resource, tells_all, &answers[i]));
  co_await group.Wait();
  bool broken = false;
  for (const Result<bool>& answer : answers) {
    if (!answer.ok()) co_return answer.status();
    broken = broken || *answer;
  }
  co_return broken;
}

Task<void> Policies::AnalyzeStackWith(const Pack* pack, std::vector<AnalyzerResource> resources, Status* status) {
  Result<std::vector<PolicyDiagnostic>> answer = co_await pack->analyzer->AnalyzeStack(std::move(resources));
  if (!answer.ok()) {
    *status = answer.status();
    co_return;
  }
  for (PolicyDiagnostic diagnostic : *answer) {
    if (diagnostic.not_applicable) continue;
    diagnostic.level = decisions::LevelOf(diagnostic);
    // A violation of something that is not in the stack is one of the stack.
    const Urn urn = run_.rows().Registered(diagnostic.urn) ? diagnostic.urn : run_.root_urn();
    auto exceptions = decisions::ExceptionsFor(pack->info.exceptions, diagnostic.policy, urn);
    if (decisions::Forbids(diagnostic, exceptions)) report_.CountRefusal();
    Violation(urn, diagnostic, std::move(exceptions));
  }
  PolicyAnalyzeStackSummaryEvent summary;
  summary.pack = pack->info.name;
  summary.version = pack->info.version;
  const decisions::PolicySummary outcome = decisions::SummaryOf(pack->info, PolicyType::kStack, *answer);
  summary.passed = outcome.passed;
  summary.failed = outcome.failed;
  report_.Emit(summary);
}

Task<Status> Policies::AnalyzeStack() {
  if (packs_.empty()) co_return Status();
  std::vector<AnalyzerResource> resources;
  for (const decisions::Row* row : run_.rows().Published()) {
    if (row->was_read()) continue;
    resources.push_back(Describe(*row->now(), decisions::WithoutReservedKeys(row->now()->outputs)));
  }
  std::vector<Status> answers(packs_.size());
  Group group(loop_);
  for (size_t i = 0; i < packs_.size(); ++i) group.Spawn(AnalyzeStackWith(&packs_[i], resources, &answers[i]));
  co_await group.Wait();
  for (const Status& answer : answers) {
    if (!answer.ok()) co_return answer;
  }
  co_return Status();
}

}  // namespace kingpost::engine
