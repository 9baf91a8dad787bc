// SPDX-License-Identifier: Apache-2.0
#include "console/display/explanation.h"

#include "console/display/labels.h"
#include "console/display/terminal.h"
#include "decisions/step_reason.h"

namespace kingpost {

namespace {

using decisions::Reason;
using decisions::Rule;

constexpr size_t kNamedOnTheWay = 2;

std::string Quoted(const Urn& urn) { return "`" + std::string(urn.name()) + "`"; }

// A resource that is deleted before the replacement of another, and made again after it.
bool IsDeletedFirst(Rule rule) {
  return rule == Rule::kInputReplaced || rule == Rule::kProviderCondemned || rule == Rule::kLinkedToReplaced;
}

std::string GoesFirstText(const Reason& reason) {
  return "goes first with " + Quoted(reason.by) + ": " +
         ReasonText(reason, reason.rule == Rule::kInputReplaced ? "there" : "");
}

// A finding of a refresh, which differs from what the program asked for.
std::string RefreshText(StepOp op, const Reason& reason) {
  if (op == StepOp::kSame) return "same: a refresh found it as it is recorded";
  if (op == StepOp::kDelete) return "deleted: a refresh found that it is gone";
  if (op != StepOp::kUpdate || reason.properties.empty()) return "refreshed: " + ReasonText(reason);
  const decisions::ReasonPtr changed = decisions::Because(Rule::kInputsChanged, reason.properties);
  return "updated: a refresh found that " + ReasonText(*changed);
}

// The outcome for the resource whose reason this is.
const char* BecomesText(Rule rule) {
  switch (rule) {
    case Rule::kNew:
    case Rule::kBecomesManaged:
      return "is created";
    case Rule::kInputsChanged:
    case Rule::kProviderSeesChange:
    case Rule::kRemediated:
    case Rule::kInitErrors:
      return "is updated";
    case Rule::kNotInPlace:
    case Rule::kReplaceOnChanges:
    case Rule::kTrigger:
    case Rule::kForced:
    case Rule::kTainted:
    case Rule::kReplaceWith:
    case Rule::kDeletedWith:
    case Rule::kProviderReplaced:
    case Rule::kResumed:
    case Rule::kInputReplaced:
    case Rule::kProviderCondemned:
    case Rule::kLinkedToReplaced:
      return "is replaced";
    case Rule::kNotRegistered:
    case Rule::kSupersededState:
    case Rule::kDestroyed:
      return "is deleted";
    case Rule::kReadByProgram:
      return "is read";
    case Rule::kImported:
      return "is imported";
    case Rule::kRefreshed:
      return "is refreshed";
    case Rule::kInputsEqual:
    case Rule::kProviderSeesNoChange:
    case Rule::kNotTargeted:
    case Rule::kExcluded:
    case Rule::kKeptForDependent:
    case Rule::kModeAnswers:
    case Rule::kDependencyFailed:
    case Rule::kViewOfOwner:
      return "stays as it is";
  }
  return "";
}

std::string CauseText(const Urn& urn, const Reason& reason) {
  const std::string text = IsDeletedFirst(reason.rule) ? " " + GoesFirstText(reason)
                                                       : " " + (BecomesText(reason.rule) + (": " + ReasonText(reason)));
  return Printable("because " + Quoted(urn) + text);
}

std::string WayText(const std::vector<std::string>& way) {
  if (way.empty()) return "";
  std::string text;
  for (size_t i = 0; i < way.size() && i < kNamedOnTheWay; ++i) text += (i > 0 ? ", " : "") + way[i];
  if (way.size() > kNamedOnTheWay) text += " and " + std::to_string(way.size() - kNamedOnTheWay) + " more";
  return Printable(" (by way of " + text + ")");
}

std::string OpText(StepOp op, bool failed) {
  if (op == StepOp::kSame) return "same";
  const StepLabel& label = LabelOf(op);
  const char* word = failed ? label.planned : label.done;
  return *word ? word : StepOpName(op);
}

}  // namespace

std::string DecisionText(StepOp op, const Reason& reason, bool failed) {
  if (reason.rule == Rule::kRefreshed) return Printable(RefreshText(op, reason));
  if (IsDeletedFirst(reason.rule) && op != StepOp::kSame) return Printable(GoesFirstText(reason));
  return Printable(OpText(op, failed) + ": " + ReasonText(reason));
}

std::vector<std::string> Explanation(const StepMetadata& step, bool failed) {
  const decisions::ReasonPtr reason = decisions::ReasonOf(step);
  if (!reason) return {};
  std::vector<std::string> lines = {DecisionText(step.op, *reason, failed)};
  std::vector<std::string> way;
  Urn of = reason->by;
  const Reason* first = reason->cause.get();
  if (of.empty() || !first) return lines;
  while (!first->by.empty() && first->cause) {
    way.push_back(Quoted(of));
    of = first->by;
    first = first->cause.get();
  }
  lines.push_back(CauseText(of, *first) + WayText(way));
  return lines;
}

std::vector<std::string> CauseTexts(const Reason& reason) {
  std::vector<std::string> texts;
  for (const Reason* at = &reason; at->cause && !at->by.empty(); at = at->cause.get()) {
    texts.push_back(CauseText(at->by, *at->cause));
  }
  return texts;
}

}  // namespace kingpost
