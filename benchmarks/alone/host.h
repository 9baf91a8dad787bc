// SPDX-License-Identifier: Apache-2.0
// The world of kp_alone: a program that registers resources one after the other, up to a thousand at a time, and a
// provider that answers at once.
#pragma once

#include <map>
#include <string>

#include "support/in_process.h"

namespace kingpost::bench {

class Host : public testing::InProcessHost {
 public:
  // Another value of one input in the first `changed` resources.
  Host(Loop& loop, int count, int changed) : InProcessHost(loop), count_(count), changed_(changed) {}

  // Whether the provider was asked for what the phase takes, and for no more.
  bool AskedAsExpected(const std::string& phase) const;

  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec) override;
  Task<Result<RunResponse>> Run(RunRequest) override;

 private:
  Task<void> RegisterNext();
  Task<void> RegisterStack();

  const int count_, changed_;
  Urn stack_urn_;
  int next_ = 0, answered_ = 0;
  bool failed_ = false;
  std::map<std::string, int> asked_;
};

}  // namespace kingpost::bench
