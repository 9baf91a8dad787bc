// SPDX-License-Identifier: Apache-2.0
// Why a step is taken: the rule, the properties and who spoke of them, and the resource whose decision caused it.
// Reasons form chains that end in a first cause: something that the program, a provider, an option, a flag or the
// record said. Immutable once made. They hold no values, so no secrets.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/urn.h"

namespace kingpost::decisions {

enum class Rule {
  kInputsEqual,           // same: nothing differs
  kProviderSeesNoChange,  // same: inputs differ, and the provider says that nothing is to be done
  kNew,                   // create: not recorded
  kBecomesManaged,        // create: so far it was only read
  kInputsChanged,         // update, or a replacement of which the provider names no property
  kProviderSeesChange,    // update: inputs are equal, and the provider says that something is to be done
  kRemediated,            // update: a policy set these properties
  kInitErrors,            // update: what was left unfinished
  kNotInPlace,            // replace: the provider cannot change these properties in place
  kReplaceOnChanges,      // replace: the option names these properties
  kTrigger,               // replace: replacementTrigger
  kForced,                // replace: --replace, --target-replace
  kTainted,               // replace: marked in the state
  kReplaceWith,           // replace: goes along with what replaceWith names
  kDeletedWith,           // replace: goes along with what deletedWith names
  kProviderReplaced,      // replace: served by another provider, which cannot take it over
  kResumed,               // replace: an earlier run has deleted it, and did not make it again
  kInputReplaced,         // goes first: an input comes from what is replaced, and the provider cannot change that one
  kProviderCondemned,     // goes first: its provider is replaced
  kLinkedToReplaced,      // goes first: names what is replaced in deletedWith or replaceWith
  kNotRegistered,         // delete: the program no longer registers it
  kSupersededState,       // delete: another resource has replaced it
  kDestroyed,             // delete: everything is to go
  kNotTargeted,           // same: left out by --target
  kExcluded,              // same: left out by --exclude
  kKeptForDependent,      // same: what is left out stands on it
  kReadByProgram,         // read
  kImported,              // import: the program or the command names its ID
  kRefreshed,             // refresh
  kModeAnswers,           // same: destroy or refresh with the program
  kDependencyFailed,      // skipped: what it depends on failed, awaits something or was skipped itself
  kViewOfOwner,           // views: shown by the provider of another
};
std::string_view RuleName(Rule rule);  // "not-in-place"
std::optional<Rule> ParseRule(std::string_view name);

// The source of the decision.
enum class Source { kProgram, kProvider, kOption, kPolicy, kFlag, kRecord };
std::string_view SourceName(Source source);

struct Reason;
using ReasonPtr = std::shared_ptr<const Reason>;

struct Reason {
  Rule rule;
  Source source;
  std::vector<std::string> properties;  // paths
  Urn by;                               // the resource whose decision caused it, or ""
  ReasonPtr cause;                      // why that was decided, or null
};

ReasonPtr Because(Rule rule);
ReasonPtr Because(Rule rule, std::vector<std::string> properties, Urn by = {}, ReasonPtr cause = nullptr);

// One line for people, without a full stop: "`zone` changed and the provider cannot change it in place". `other` stands
// for the resource that caused it; its name if empty.
std::string ReasonText(const Reason& reason, std::string_view other = "");

}  // namespace kingpost::decisions
