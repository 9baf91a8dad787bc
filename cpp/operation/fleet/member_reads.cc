// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/member_reads.h"

namespace kingpost::fleet {

Task<OtherStacks::Loaded> MemberReads::Load(std::string typed, StackPart part) {
  const Result<StackName> name = StackName::Parse(typed, project_);
  if (!name.ok()) co_return name.status();
  const std::optional<size_t> target = board_.Find(member_, *name);
  // A stack that reads its own outputs gets those of the last run.
  if (target && *target != member_) {
    Completion<ReadAnswer> answered(loop_);
    board_.Read(member_, *target, [answered](ReadAnswer answer) { answered.Set(std::move(answer)); });
    const ReadAnswer answer = co_await answered;
    if (!answer.status.ok()) co_return answer.status;
    if (answer.planned) co_return answer.planned;
  }
  auto loading = others_.Load(std::move(typed), part);
  co_return co_await std::move(loading);
}

}  // namespace kingpost::fleet
