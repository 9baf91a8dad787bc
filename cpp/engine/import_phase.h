// The import operation: resources that exist become the stack's, without a program (row 6.10). Engine thread.
#pragma once

#include <map>
#include <vector>

#include "engine/default_providers.h"
#include "engine/executor.h"
#include "engine/registrar.h"

namespace kingpost::engine {

class ImportPhase {
 public:
  ImportPhase(Loop& loop, const Operation& operation, RunState& state, Reporter& report, ProviderRegistry& providers,
              Recording& recording, Registrar& registrar, DefaultProviders& defaults, Executor& executor)
      : loop_(loop),
        operation_(operation),
        state_(state),
        report_(report),
        providers_(providers),
        recording_(recording),
        registrar_(registrar),
        defaults_(defaults),
        executor_(executor) {}

  Task<Status> Run();

 private:
  Task<Status> KeepRecorded();
  Task<Result<Urn>> EnsureStack();
  Task<Status> ChooseProviders();
  Task<Status> ImportBatch(const std::vector<const ImportResource*>& batch);
  plan::StepPtr MakeStep(const ImportResource& import);
  Urn UrnOf(const ImportResource& import) const;

  Loop& loop_;
  const Operation& operation_;
  RunState& state_;
  Reporter& report_;
  ProviderRegistry& providers_;
  Recording& recording_;
  Registrar& registrar_;
  DefaultProviders& defaults_;
  Executor& executor_;
  std::map<const ImportResource*, std::string> provider_of_;
};

}  // namespace kingpost::engine
