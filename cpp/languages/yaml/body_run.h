// SPDX-License-Identifier: Apache-2.0
// One run of a program's body, or of a component's. Each part is evaluated as soon as the parts it names are, so that
// independent resources are registered at the same time. Owns what is known on the way. Engine thread.
//
//   names -> packages -> types -> settings -> for each part, after those it needs: evaluate -> register -> outputs
//
// Evaluation is pure (languages/pcl/, resource_request.h); what it asks for from outside is fetched between two
// attempts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kingpost/embedded_language.h"
#include "languages/yaml/order.h"
#include "languages/yaml/package_index.h"
#include "languages/yaml/resource_request.h"

namespace kingpost::yaml {

struct BodyRunParts {
  LanguageServices services;
  const std::string& source_path;  // resources say where they are declared
  const Source& source;            // both outlive the run
  const Body& body;
  std::shared_ptr<PackageIndex> book;
  DeploymentInfo info;
  Urn parent;                  // of the resources: the stack or the component
  std::string component_name;  // "" of a program
  // The inputs of the component, instead of the stack's configuration.
  std::optional<std::map<std::string, pcl::Datum>> inputs;
};

// False if there are errors.
bool Tell(const LanguageServices& services, const Diagnostics& diagnostics, const Source& source);

class BodyRun {
 public:
  explicit BodyRun(BodyRunParts parts);

  // The checks before any registration: loads the packages, checks names and types.
  Task<bool> Check();
  // After a Check that went well. False if something failed; it has been told.
  Task<bool> Run();
  // For a successful run: outputs as values, with their dependencies.
  const PropertyMap& outputs() const { return outputs_; }
  // The error for the first resource that the engine failed to register in a run that continues on errors; "" if there
  // is none. The run goes well otherwise.
  const std::string& registration_error() const { return registration_error_; }

 private:
  struct RunningStep {
    RunningStep(Loop& loop, Step what) : step(std::move(what)), done(loop) {}
    const Step step;
    Event done;
    bool failed = false;
  };

  // False if there are errors.
  bool TellAll(const Diagnostics& diagnostics);
  bool TellError(const Status& status);
  Task<bool> ApplySettings();
  Task<void> RunStep(RunningStep* running);
  Task<Status> SetVariable(const NamedExpression* variable);
  Task<Status> RegisterResource(const ResourceDecl* resource);
  Task<Status> ReadResource(const ResourceDecl* resource, ReadResourceRequest request,
                            const schema::Properties& promised);
  Task<Status> EvaluateOutputs();
  // Computes, and again after each effect it asks for.
  Task<Status> Settle(pcl::Compute compute);
  Task<Result<pcl::Datum>> Evaluate(pcl::ExpressionPtr expression);
  Task<Result<pcl::EffectAnswer>> Perform(pcl::Effect effect);
  Task<Result<pcl::EffectAnswer>> ReadFile(std::string path);
  Task<Result<PropertyMap>> Hash(PropertyMap values);
  WorkerPool& readers();

  BodyRunParts parts_;
  Loop& loop_;
  pcl::EvaluationContext around_;
  pcl::Scope scope_;
  std::map<std::string, pcl::Datum> settings_;
  std::vector<std::unique_ptr<RunningStep>> steps_;
  std::unique_ptr<WorkerPool> readers_;  // of files; made when first needed
  PropertyMap outputs_;
  std::string registration_error_;
  bool failed_ = false;
};

}  // namespace kingpost::yaml
