// SPDX-License-Identifier: Apache-2.0
#include "engine/preflight.h"

#include "decisions/hook_rules.h"
#include "decisions/pending_operations.h"
#include "decisions/required_packages.h"

namespace kingpost::engine {

Status Preflight::CheckTargetsRecorded() const {
  if (options_.kind == OperationKind::kUpdate || options_.kind == OperationKind::kImport) return Status();
  const Urn missing = run_.selection().FirstNotRecorded(run_.rows());
  if (missing.empty()) return Status();
  return Status(Code::kNotFound, "no resource named '" + missing.str() + "' found");
}

Status Preflight::CheckLiterals(decisions::Selection::Given given, bool registered_too) const {
  const auto unknown = run_.selection().UnknownLiterals(given, run_.rows(), registered_too);
  for (const std::string& text : unknown) report_.Error(Urn(), text);
  return unknown.empty() ? Status() : Status::Bail("one or more targets could not be found in the stack");
}

Status Preflight::CheckNoDeleteHooks() const {
  if (options_.kind != OperationKind::kDestroy || options_.run_program) return Status();
  const auto found = decisions::DeleteHooksOf(run_.rows().base());
  for (const decisions::ResourceDeleteHooks& one : found) {
    report_.Error(one.urn, "Resource has delete hooks registered, but the program is not running. Hooks: " + one.names);
  }
  if (found.empty()) return Status();
  return Status(Code::kFailedPrecondition,
                "You must run with the `--run-program` flag to use delete hooks during destroy.");
}

void Preflight::WarnOfPendingOperations() const {
  const std::string text = decisions::InterruptedText(operation_.base->pending_operations);
  if (!text.empty() && !options_.preview) report_.Warning(Urn(), text);
}

void Preflight::WarnOfOlderPackages(const std::vector<RequiredPackage>& required) const {
  const std::string operation = options_.kind == OperationKind::kDestroy ? "destroy" : "refresh";
  for (const decisions::OlderPackage& older : decisions::OlderPackages(required, run_.rows().base())) {
    report_.Warning(Urn(), operation + " operation is using an older version of package '" + older.name +
                               "' than the specified program version: " + older.recorded + " < " + older.wanted);
  }
}

}  // namespace kingpost::engine
