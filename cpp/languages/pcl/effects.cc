// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/effects.h"

#include "languages/pcl/evaluator.h"

namespace kingpost::pcl {

Task<Status> Settle(const EvaluationContext& around, Compute compute, Perform perform) {
  EffectLog effects;
  for (;;) {
    effects.Rewind();
    Evaluator evaluator(around, &effects);
    Status computed = compute(&evaluator);
    if (!effects.wanted()) {
      *around.spent += evaluator.spent();
      co_return computed;
    }
    Result<EffectAnswer> answer = co_await perform(*effects.wanted());
    effects.Answer(std::move(answer));
  }
}

}  // namespace kingpost::pcl
