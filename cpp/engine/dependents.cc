// SPDX-License-Identifier: Apache-2.0
#include "engine/dependents.h"

#include "decisions/requests.h"
#include "engine/providers/provider_diff.h"

namespace kingpost::engine {

namespace {

Task<Status> Configure(StatePtr dependent, providers::ProviderRegistry& providers) {
  if (!dependent->is_provider()) co_return co_await providers.EnsureFor(dependent);
  co_return co_await providers.Same(dependent->urn, dependent->id, dependent->inputs, /*from_check=*/false);
}

Task<Result<DiffResponse>> Diff(StatePtr dependent, PropertyMap new_inputs, providers::ProviderRegistry& providers,
                                Reporter& report) {
  DiffRequest request = decisions::RequestAbout<DiffRequest>(*dependent);
  request.old_inputs = dependent->inputs;
  request.old_outputs = dependent->outputs;
  request.new_inputs = std::move(new_inputs);
  request.ignore_changes = dependent->ignore_changes;
  if (dependent->is_provider()) co_return co_await providers.Diff(std::move(request));
  ProviderPtr provider = providers.Get(dependent->provider);
  co_return co_await providers::DiffWithProvider(*provider, std::move(request), report);
}

}  // namespace

Task<Status> AskProviders(decisions::Condemning* condemning, providers::ProviderRegistry& providers, Reporter& report) {
  while (auto question = condemning->Next()) {
    const StatePtr dependent = question->dependent;
    Status configured = co_await Configure(dependent, providers);
    if (!configured.ok()) {
      co_return configured.Wrap("could not load provider for resource " + dependent->urn.str());
    }
    if (!question->new_inputs) continue;
    Result<DiffResponse> diff = co_await Diff(dependent, *question->new_inputs, providers, report);
    if (!diff.ok()) co_return diff.status();
    KP_CO_TRY(condemning->Answer(std::move(*diff)));
  }
  co_return Status();
}

}  // namespace kingpost::engine
