// SPDX-License-Identifier: Apache-2.0
// The names of steps, as events, plans and programs spell them.
#include <array>
#include <utility>

#include "kingpost/event.h"

namespace kingpost {

namespace {

constexpr std::array<std::pair<StepOp, const char*>, 17> kOpNames = {{
    {StepOp::kSame, "same"},
    {StepOp::kCreate, "create"},
    {StepOp::kUpdate, "update"},
    {StepOp::kDelete, "delete"},
    {StepOp::kReplace, "replace"},
    {StepOp::kCreateReplacement, "create-replacement"},
    {StepOp::kDeleteReplaced, "delete-replaced"},
    {StepOp::kRead, "read"},
    {StepOp::kReadReplacement, "read-replacement"},
    {StepOp::kRefresh, "refresh"},
    {StepOp::kDiscard, "discard"},
    {StepOp::kDiscardReplaced, "discard-replaced"},
    {StepOp::kRemovePendingReplace, "remove-pending-replace"},
    {StepOp::kImport, "import"},
    {StepOp::kImportReplacement, "import-replacement"},
    {StepOp::kDiff, "diff"},
    {StepOp::kExtendParameterize, "extend-parameterize"},
}};

}  // namespace

const char* StepOpName(StepOp op) {
  for (const auto& [known, name] : kOpNames) {
    if (known == op) return name;
  }
  return "unknown";
}

std::optional<StepOp> ParseStepOp(std::string_view text) {
  for (const auto& [op, name] : kOpNames) {
    if (text == name) return op;
  }
  return std::nullopt;
}

}  // namespace kingpost
