// SPDX-License-Identifier: Apache-2.0
// Whether a snapshot can be trusted: the rules of row 7.11, each with the sentence that names its violation.
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "base/digest.h"
#include "base/json_access.h"
#include "model/references.h"
#include "model/snapshot.h"

namespace kingpost {
namespace {

// Runs over the list once and knows what came before.
class Verifier {
 public:
  explicit Verifier(const std::vector<StatePtr>& resources) : resources_(resources) {}

  Status Run() {
    seen_.reserve(resources_.size());
    for (index_ = 0; index_ < resources_.size(); ++index_) {
      const State& state = *resources_[index_];
      if (Status status = CheckFields(state); !status.ok()) return status;
      if (Status status = CheckProvider(state); !status.ok()) return status;
      if (Status status = CheckReferences(state); !status.ok()) return status;
      Count& count = seen_[state.urn.str()];
      ++(state.pending_delete ? count.deleted : count.live);
    }
    // Among states that share a URN, all or all but one wait for their deletion.
    for (const StatePtr& state : resources_) {
      if (seen_[state->urn.str()].live > 1) {
        return Violation("duplicate resource " + state->urn.str() + " (not marked for deletion)");
      }
    }
    return Status::Ok();
  }

 private:
  struct Count {
    int live = 0, deleted = 0;
  };

  static Status Violation(std::string message) { return Status(Code::kDataLoss, std::move(message)); }

  Status CheckFields(const State& state) {
    const std::string& urn = state.urn.str();
    if (urn.empty()) {
      return Violation("resource at index " + std::to_string(index_) + " missing required 'urn' field");
    }
    if (state.type.empty()) return Violation("resource '" + urn + "' missing required 'type' field");
    if (!state.custom && !state.id.empty()) {
      return Violation("resource '" + urn + "' has 'custom false but non-empty ID");
    }
    if (!state.is_provider()) return Status::Ok();

    const ProviderReference own{state.urn, state.id.empty() ? std::string(kUnknownString) : state.id};
    if (auto parsed = ProviderReference::Parse(state.urn.str() + "::x"); !parsed.ok()) {
      return Violation("provider " + urn + " is not referenceable: " + parsed.status().message());
    }
    providers_.insert(own.str());
    return Status::Ok();
  }

  Status CheckProvider(const State& state) {
    if (state.provider.empty()) return Status::Ok();
    auto parsed = ProviderReference::Parse(state.provider);
    if (!parsed.ok()) {
      return Violation("failed to parse provider reference for resource " + state.urn.str() + ": " +
                       parsed.status().message());
    }
    if (!providers_.count(state.provider) && !state.pending_replacement) {
      return Violation("resource " + state.urn.str() + " refers to unknown provider " + state.provider);
    }
    return Status::Ok();
  }

  Status CheckReferences(const State& state) {
    Status status;
    ForEachReference(state, [&](ReferenceKind kind, const Urn& target, const std::string& key) {
      if (status.ok() && !seen_.count(target.str())) {
        status = Violation(Describe(state.urn.str(), kind, target.str(), key, ComesLater(target)));
      }
    });
    return status;
  }

  bool ComesLater(const Urn& target) const {
    for (size_t i = index_ + 1; i < resources_.size(); ++i) {
      if (resources_[i]->urn == target) return true;
    }
    return false;
  }

  static std::string Describe(const std::string& urn, ReferenceKind kind, const std::string& target,
                              const std::string& key, bool later) {
    const std::string missing = later ? " comes after it" : " refers to missing resource";
    const std::string gone = later ? ", which comes after it" : ", which is missing";
    switch (kind) {
      case ReferenceKind::kParent:
        return later ? "child resource " + urn + "'s parent " + target + " comes after it"
                     : "child resource " + urn + " refers to missing parent " + target;
      case ReferenceKind::kDependency:
        return "resource " + urn + "'s dependency " + target + missing;
      case ReferenceKind::kPropertyDependency:
        return "resource " + urn + "'s property dependency " + target + " (from property " + key + ")" + missing;
      case ReferenceKind::kDeletedWith:
        return "resource " + urn + " is specified as being deleted with " + target + gone;
      case ReferenceKind::kReplaceWith:
        return "resource " + urn + " is specified as being replaced with " + target + gone;
    }
    return "";
  }

  const std::vector<StatePtr>& resources_;
  size_t index_ = 0;
  std::unordered_map<std::string_view, Count> seen_;  // by URN; views into the states
  std::unordered_set<std::string> providers_;         // references to them
};

Status VerifySnippets(const std::string& snippets_json) {
  if (snippets_json.empty()) return Status::Ok();
  const auto snippets = ParseJson(snippets_json);
  if (!snippets.is_array()) return Status(Code::kDataLoss, "the snippets of the snapshot are not a JSON array");

  std::unordered_map<std::string, size_t> index_of;
  for (size_t i = 0; i < snippets.size(); ++i) {
    const auto& snippet = snippets[i];
    const auto uuid = snippet.is_object() ? snippet.find("uuid") : snippet.end();
    if (!snippet.is_object() || uuid == snippet.end() || !uuid->is_string() || TextIn(*uuid).empty()) {
      return Status(Code::kDataLoss, "snippet at index " + std::to_string(i) + " missing required 'uuid' field");
    }
    const auto [other, added] = index_of.emplace(TextIn(*uuid), i);
    if (!added) {
      return Status(Code::kDataLoss, "duplicate snippet uuid \"" + other->first + "\" at indexes " +
                                         std::to_string(other->second) + " and " + std::to_string(i));
    }
  }
  return Status::Ok();
}

}  // namespace

Status VerifyIntegrity(const Snapshot& snapshot) {
  // Builds of the reference without a version write neither.
  const std::string& version = snapshot.manifest.version;
  if (snapshot.manifest.magic != (version.empty() ? "" : Sha256Hex(version))) {
    return Status(Code::kDataLoss, "magic cookie mismatch; possible tampering/corruption detected");
  }
  if (Status status = Verifier(snapshot.resources).Run(); !status.ok()) return status;
  return VerifySnippets(snapshot.snippets_json);
}

}  // namespace kingpost
