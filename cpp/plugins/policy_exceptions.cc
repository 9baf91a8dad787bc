// SPDX-License-Identifier: Apache-2.0
#include "plugins/policy_exceptions.h"

#include <algorithm>
#include <cctype>

#include "base/encoding.h"
#include "base/json_access.h"

namespace kingpost {

namespace {

using nlohmann::json;

Status Mistake(std::string text) { return Status(Code::kInvalidArgument, std::move(text)); }

bool IsId(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '.' || c == '_';
  });
}

bool IsBlank(const std::string& text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string::npos; }

// Null and what is not there are an empty list.
Result<std::vector<std::string>> TextsOf(const json& object, const char* key) {
  const auto found = object.find(key);
  std::vector<std::string> texts;
  if (found == object.end() || found->is_null()) return texts;
  const bool are_texts = found->is_array() && std::all_of(found->begin(), found->end(),
                                                          [](const json& element) { return element.is_string(); });
  if (!are_texts) return Mistake(Quote(key) + " must be a list of strings");
  for (const json& element : *found) texts.push_back(TextIn(element));
  return texts;
}

Result<PolicyException::Match> ParseMatch(const json& entry) {
  if (!entry.is_object()) return Mistake("must be an object");
  PolicyException::Match match;
  Result<std::vector<std::string>> policies = TextsOf(entry, "policies");
  if (!policies.ok()) return policies.status();
  if (policies->empty()) return Mistake("\"policies\" must list at least one policy");
  for (const std::string& policy : *policies) {
    if (policy.empty()) return Mistake("\"policies\" can't contain an empty name");
    if (policy == "all") return Mistake("\"policies\" must name policies; \"all\" isn't allowed");
  }
  match.policies = std::move(*policies);
  const Result<std::vector<std::string>> targets = TextsOf(entry, "targets");
  if (!targets.ok()) return targets.status();
  if (targets->empty()) return Mistake("\"targets\" must list at least one URN");
  for (const std::string& target : *targets) {
    const Result<Urn> urn = Urn::Parse(target);
    if (!urn.ok()) return urn.status().Wrap("target " + Quote(target) + " is not a valid URN");
    match.targets.push_back(*urn);
  }
  return match;
}

Result<PolicyException> ParseException(const std::string& id, const json& object) {
  if (!IsId(id)) return Mistake("the ID must be non-empty and contain only letters, digits, '-', '.' and '_'");
  if (!object.is_object()) return Mistake("must be an object");
  PolicyException exception;
  exception.id = id;
  const auto reason = object.find("reason");
  const bool has_reason = reason != object.end() && !reason->is_null();
  if (has_reason && !reason->is_string()) return Mistake("\"reason\" must be a string");
  if (has_reason) exception.reason = TextIn(*reason);
  const auto matches = object.find("match");
  const bool has_matches = matches != object.end() && !matches->is_null();
  if (has_matches && !matches->is_array()) {
    return Mistake("\"match\" must be a list of {\"policies\", \"targets\"} entries");
  }
  if (IsBlank(exception.reason)) return Mistake("\"reason\" is required");
  if (!has_matches || matches->empty()) {
    return Mistake("\"match\" must list at least one {\"policies\", \"targets\"} entry");
  }
  for (size_t i = 0; i < matches->size(); ++i) {
    Result<PolicyException::Match> match = ParseMatch((*matches)[i]);
    if (!match.ok()) return match.status().Wrap("match[" + std::to_string(i) + "]");
    exception.matches.push_back(std::move(*match));
  }
  return exception;
}

}  // namespace

Result<std::vector<PolicyException>> ParsePolicyExceptions(const json& exceptions) {
  std::vector<PolicyException> parsed;
  if (exceptions.is_null()) return parsed;
  if (!exceptions.is_object()) {
    return Mistake("\"exceptions\" must be an object that maps exception IDs to exceptions");
  }
  std::string mistakes;
  for (auto it = exceptions.begin(); it != exceptions.end(); ++it) {
    Result<PolicyException> exception = ParseException(it.key(), it.value());
    if (exception.ok()) {
      parsed.push_back(std::move(*exception));
    } else {
      mistakes +=
          (mistakes.empty() ? "" : "\n") + exception.status().Wrap("policy exception " + Quote(it.key())).message();
    }
  }
  if (!mistakes.empty()) return Mistake(std::move(mistakes));
  return parsed;
}

}  // namespace kingpost
