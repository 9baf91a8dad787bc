// SPDX-License-Identifier: Apache-2.0
// The import operation: resources that exist become the stack's, without a program (row 6.10). Engine thread.
#pragma once

#include <map>
#include <vector>

#include "decisions/import_rules.h"
#include "engine/default_providers.h"
#include "engine/executor.h"
#include "engine/resource_requests.h"

namespace kingpost::engine {

class ImportPhase {
 public:
  ImportPhase(const RunParts& parts, ResourceRequests& requests, DefaultProviders& defaults, Executor& executor)
      : parts_(parts),
        requests_(requests),
        defaults_(defaults),
        executor_(executor),
        imports_(parts.operation.options.imports) {}

  Task<Status> Run();

 private:
  Status StepFailed() const;
  Status ProviderFailed(const Status& status, const std::string& what) const;
  Task<Status> KeepRecorded();
  Task<Result<Urn>> EnsureStack();
  Task<Status> ChooseProviders();
  Task<Result<std::string>> ExplicitProvider(const ImportResource& import, Urn urn);
  Task<Result<std::string>> DefaultProvider(const ImportResource& import);
  Task<Status> ExtendProviders();
  std::vector<decisions::NamedImport> Named() const;
  Task<Status> ImportBatch(const std::vector<decisions::NamedImport>& batch);
  decisions::StepPtr MakeStep(const decisions::NamedImport& named);
  Urn UrnOf(const ImportResource& import) const;

  const RunParts parts_;
  ResourceRequests& requests_;
  DefaultProviders& defaults_;
  Executor& executor_;
  std::vector<ImportResource> imports_;  // with their parents
  std::map<const ImportResource*, std::string> provider_of_;
};

}  // namespace kingpost::engine
