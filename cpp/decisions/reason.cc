// SPDX-License-Identifier: Apache-2.0
#include "decisions/reason.h"

#include <array>

namespace kingpost::decisions {

namespace {

struct RuleFacts {
  Rule rule;
  std::string_view name;
  Source source;
  // %p: the properties; %r: the resource that caused it; {one|many}: of the properties.
  std::string_view text;
};

constexpr std::array<RuleFacts, 32> kRules = {{
    {Rule::kInputsEqual, "inputs-equal", Source::kProgram, "its inputs are unchanged"},
    {Rule::kProviderSeesNoChange, "provider-sees-no-change", Source::kProvider,
     "%p changed, and the provider says that there is nothing to do"},
    {Rule::kNew, "new", Source::kProgram, "it is new in the program"},
    {Rule::kBecomesManaged, "becomes-ours", Source::kProgram, "it was external, and the program manages it now"},
    {Rule::kInputsChanged, "inputs-changed", Source::kProgram, "%p changed"},
    {Rule::kProviderSeesChange, "provider-sees-change", Source::kProvider,
     "its inputs are unchanged, and the provider asks for an update"},
    {Rule::kRemediated, "remediated", Source::kPolicy, "a policy changed %p"},
    {Rule::kInitErrors, "init-errors", Source::kRecord, "its last operation was left unfinished"},
    {Rule::kNotInPlace, "not-in-place", Source::kProvider,
     "%p changed and the provider cannot change {it|them} in place"},
    {Rule::kReplaceOnChanges, "replace-on-changes", Source::kOption,
     "%p changed, and replaceOnChanges names {it|them}"},
    {Rule::kTrigger, "trigger", Source::kOption, "its replacementTrigger changed"},
    {Rule::kForced, "forced", Source::kFlag, "--replace names it"},
    {Rule::kTainted, "tainted", Source::kRecord, "it is tainted in the state"},
    {Rule::kReplaceWith, "replace-with", Source::kOption, "%r is replaced, and replaceWith names that"},
    {Rule::kDeletedWith, "deleted-with", Source::kOption, "%r is replaced, and deletedWith names that"},
    {Rule::kProviderReplaced, "provider-replaced", Source::kProgram, "another provider manages it now"},
    {Rule::kResumed, "resumed", Source::kRecord, "an earlier run deleted it and did not create it again"},
    {Rule::kInputReplaced, "input-replaced", Source::kProvider,
     "its {input|inputs} %p {comes|come} from %r, and a change of %p forces a replacement"},
    {Rule::kProviderCondemned, "provider-goes", Source::kRecord, "its provider %r is replaced"},
    {Rule::kLinkedToReplaced, "goes-with", Source::kRecord,
     "%r is replaced, and the state records that this one is deleted first"},
    {Rule::kNotRegistered, "not-registered", Source::kProgram, "the program no longer registers it"},
    {Rule::kSupersededState, "old-side", Source::kRecord, "another resource has replaced it"},
    {Rule::kDestroyed, "destroyed", Source::kFlag, "this is a destroy"},
    {Rule::kNotTargeted, "not-targeted", Source::kFlag, "--target leaves it out"},
    {Rule::kExcluded, "excluded", Source::kFlag, "--exclude leaves it out"},
    {Rule::kKeptForDependent, "kept-for-dependent", Source::kFlag, "%r depends on it, and is left out"},
    {Rule::kReadByProgram, "read", Source::kProgram, "the program reads it"},
    {Rule::kImported, "imported", Source::kProgram, "an import names its ID"},
    {Rule::kRefreshed, "refreshed", Source::kFlag, "a refresh looks at what exists"},
    {Rule::kModeAnswers, "mode-answers", Source::kFlag, "this operation changes nothing that the program registers"},
    {Rule::kDependencyFailed, "dependency-failed", Source::kProvider,
     "the step of %r, on which it depends, was not done"},
    {Rule::kViewOfOwner, "belongs-to-owner", Source::kProvider, "the provider of %r shows it"},
}};

const RuleFacts& FactsOf(Rule rule) { return kRules[static_cast<size_t>(rule)]; }

std::string Listed(const std::vector<std::string>& properties) {
  if (properties.empty()) return "something";
  constexpr size_t kShown = 4;
  std::string text;
  for (size_t i = 0; i < properties.size() && i < kShown; ++i) text += (i > 0 ? ", `" : "`") + properties[i] + "`";
  if (properties.size() > kShown) text += " and " + std::to_string(properties.size() - kShown) + " more";
  return text;
}

std::string Caused(const Reason& reason, std::string_view other) {
  return other.empty() ? "`" + std::string(reason.by.name()) + "`" : std::string(other);
}

}  // namespace

std::string_view RuleName(Rule rule) { return FactsOf(rule).name; }

std::optional<Rule> ParseRule(std::string_view name) {
  for (const RuleFacts& facts : kRules) {
    if (facts.name == name) return facts.rule;
  }
  return std::nullopt;
}

std::string_view SourceName(Source source) {
  static constexpr std::array<std::string_view, 6> kNames = {"program", "provider", "option",
                                                             "policy",  "flag",     "record"};
  return kNames[static_cast<size_t>(source)];
}

// Most resources of a large stack stay as they are, for the same reason.
ReasonPtr Because(Rule rule) {
  static const auto kPlain = [] {
    std::array<ReasonPtr, kRules.size()> plain;
    for (size_t i = 0; i < kRules.size(); ++i) plain[i] = Because(kRules[i].rule, {}, Urn());
    return plain;
  }();
  return kPlain[static_cast<size_t>(rule)];
}

ReasonPtr Because(Rule rule, std::vector<std::string> properties, Urn by, ReasonPtr cause) {
  auto reason = std::make_shared<Reason>();
  reason->rule = rule;
  reason->source = FactsOf(rule).source;
  reason->properties = std::move(properties);
  reason->by = std::move(by);
  reason->cause = std::move(cause);
  return reason;
}

std::string ReasonText(const Reason& reason, std::string_view other) {
  std::string text;
  const std::string_view pattern = FactsOf(reason.rule).text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '{') {
      const size_t bar = pattern.find('|', i), end = pattern.find('}', i);
      const bool many = reason.properties.size() > 1;
      text += many ? pattern.substr(bar + 1, end - bar - 1) : pattern.substr(i + 1, bar - i - 1);
      i = end;
    } else if (pattern[i] == '%') {
      text += pattern[++i] == 'p' ? Listed(reason.properties) : Caused(reason, other);
    } else {
      text += pattern[i];
    }
  }
  return text;
}

}  // namespace kingpost::decisions
