// SPDX-License-Identifier: Apache-2.0
// The stack references of one member's run: what is no other member is read as ever, the others when they are done.
// Loop thread of that member.
#pragma once

#include <string>

#include "operation/fleet/board.h"
#include "operation/other_stacks.h"

namespace kingpost::fleet {

class MemberReads {
 public:
  // All outlive it. Names without a project are of `project`.
  MemberReads(Loop& loop, OtherStacks& others, Board& board, size_t member, std::string project)
      : loop_(loop), others_(others), board_(board), member_(member), project_(std::move(project)) {}

  // As OtherStacks::Load.
  Task<OtherStacks::Loaded> Load(std::string typed, StackPart part);

 private:
  Loop& loop_;
  OtherStacks& others_;
  Board& board_;
  const size_t member_;
  const std::string project_;
};

}  // namespace kingpost::fleet
