// SPDX-License-Identifier: Apache-2.0
// One snippet, from its text to its registered resources. Owns what it knows on the way. Engine thread.
//
//   parse -> schemas -> check -> references -> package -> range -> for each: evaluate -> register
//
// Evaluation is pure (languages/pcl/); what it asks for from outside is fetched between two attempts.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kingpost/registration_source.h"
#include "languages/pcl/snippet_program.h"
#include "languages/snippets/package_schemas.h"

namespace kingpost::snippets {

struct SnippetRunParts {
  Monitor& monitor;
  RegistrationSource::WaitFor wait_for;
  PackageSchemas& schemas;
  std::string folder;  // of the project
};

class SnippetRun {
 public:
  SnippetRun(SnippetRunParts parts, pcl::Snippet snippet) : parts_(std::move(parts)), snippet_(std::move(snippet)) {}

  // Unavailable if the run was stopped meanwhile.
  Task<Status> Run();

 private:
  Task<Status> Bind();
  Task<Status> AwaitReferences();
  Task<Status> RegisterPackage();
  Task<Status> RegisterInstance(pcl::Instance instance);
  // Computes, and again after each effect it asks for.
  Task<Status> Settle(std::function<Status(pcl::Evaluator*)> compute);
  Task<Result<pcl::EffectAnswer>> Perform(pcl::Effect effect);
  std::string PackageRefOf(const std::string& token) const;

  SnippetRunParts parts_;
  pcl::Snippet snippet_;
  std::shared_ptr<const pcl::SnippetProgram> program_;
  pcl::EvaluationContext around_;
  pcl::Scope scope_;
  std::string package_ref_;  // of a parameterized package
};

}  // namespace kingpost::snippets
