// SPDX-License-Identifier: Apache-2.0
#include "decisions/migration_identity.h"

#include "base/encoding.h"
#include "decisions/migration_chain.h"

namespace kingpost::decisions {

namespace {

std::string Word(bool flag) { return flag ? "true" : "false"; }

// The fields that a returned resource has from its predecessors.
struct InheritedOptions {
  bool of_custom = false, protect = false, retain = false, pending_replacement = false, taint = false;

  void AddOptions(const State& from) {
    protect = protect || from.protect;
    retain = retain || from.retain_on_delete;
  }
};

class IdentityCheck {
 public:
  IdentityCheck(const Urn& root, const std::vector<StatePtr>& original, const std::vector<StatePtr>& returned,
                const std::map<Urn, Urn>& successors)
      : migration_(MigrationOf(root)), original_(original), returned_(returned), successors_(successors) {
    for (const StatePtr& state : returned) by_urn_.emplace(state->urn, state);
  }

  Status Run() {
    for (const StatePtr& state : original_) KP_TRY(Follow(*state));
    for (const StatePtr& state : returned_) KP_TRY(Judge(*state));
    return Status();
  }

 private:
  Status Wrong(const std::string& text) const { return {Code::kInvalidArgument, migration_ + " " + text}; }

  // null if it has no successor, which the accounting does not let happen
  const State* SuccessorOf(const State& from) const {
    auto found = by_urn_.find(from.urn);
    if (found != by_urn_.end()) return found->second.get();
    const auto named = successors_.find(from.urn);
    if (named != successors_.end()) found = by_urn_.find(named->second);
    return found == by_urn_.end() ? nullptr : found->second.get();
  }

  Status Follow(const State& from) {
    const State* to = SuccessorOf(from);
    if (!to) return Status();
    if (from.custom) KP_TRY(IsTheSameThing(from, *to));
    InheritedOptions& inherited = inherited_[to->urn];
    inherited.AddOptions(from);
    if (!from.custom) return Status();
    inherited.of_custom = true;
    inherited.pending_replacement = inherited.pending_replacement || from.pending_replacement;
    inherited.taint = inherited.taint || from.taint;
    return Status();
  }

  Status IsTheSameThing(const State& from, const State& to) const {
    if (!to.custom) {
      return Wrong("maps managed custom resource " + from.urn.str() + " to component successor " + to.urn.str() +
                   "; migrations must preserve managed resource identity");
    }
    const auto changes = [&](const char* what, const std::string& before, const std::string& after, const char* kept) {
      return Wrong(std::string("changes the ") + what + " of managed custom resource " + from.urn.str() + " from " +
                   Quote(before) + " to " + Quote(after) + " on successor " + to.urn.str() +
                   "; migrations must preserve managed resource " + kept);
    };
    if (from.id != to.id) return changes("physical ID", from.id, to.id, "identity");
    if (from.provider != to.provider) {
      return changes("provider reference", from.provider, to.provider, "provider identity");
    }
    if (from.extension_ref != to.extension_ref) {
      return changes("extension reference", from.extension_ref, to.extension_ref, "extension identity");
    }
    return LivesOn(from, to, "successor");
  }

  Status LivesOn(const State& from, const State& to, const std::string& role) const {
    const auto becomes = [&](const std::string& name, bool before, bool after) {
      return " from " + name + Word(before) + " to " + name + Word(after) + " on " + role + " " + to.urn.str();
    };
    if (from.external != to.external) {
      return Wrong("changes ownership of custom resource " + from.urn.str() +
                   becomes("external=", from.external, to.external) +
                   "; migrations must preserve managed resource ownership");
    }
    if (from.pending_replacement != to.pending_replacement) {
      return Wrong("changes PendingReplacement for custom resource " + from.urn.str() +
                   becomes("", from.pending_replacement, to.pending_replacement) +
                   "; migrations must preserve provider lifecycle state");
    }
    if (from.taint != to.taint) {
      return Wrong("changes Taint for custom resource " + from.urn.str() + becomes("", from.taint, to.taint) +
                   "; migrations must preserve provider lifecycle state");
    }
    return Status();
  }

  // A part of what others stand for as well (row 11.9): it has what they have.
  Status Infer(const State& state, InheritedOptions* inherited) const {
    if (!state.custom || state.id.empty()) return Status();
    for (const StatePtr& from : original_) {
      const bool same_thing = from->custom && from->id == state.id && from->provider == state.provider &&
                              from->extension_ref == state.extension_ref;
      if (!same_thing) continue;
      KP_TRY(LivesOn(*from, state, "inferred successor"));
      inherited->of_custom = true;
      inherited->AddOptions(*from);
      inherited->pending_replacement = from->pending_replacement;
      inherited->taint = from->taint;
    }
    return Status();
  }

  Status Judge(const State& state) const {
    InheritedOptions inherited;
    const auto found = inherited_.find(state.urn);
    if (found != inherited_.end()) {
      inherited = found->second;
    } else {
      KP_TRY(Infer(state, &inherited));
    }
    const std::string& urn = state.urn.str();
    if (state.pending_replacement && (!state.custom || !inherited.pending_replacement)) {
      return Wrong("returns resource " + urn +
                   " with PendingReplacement set without a pending-replacement custom predecessor");
    }
    if (state.taint && (!state.custom || !inherited.taint)) {
      return Wrong("returns resource " + urn + " with Taint set without a tainted custom predecessor");
    }
    if (state.custom && !inherited.of_custom) {
      return Wrong("introduces custom resource " + urn + " with ID " + Quote(state.id) +
                   " without a managed custom predecessor; migrations cannot import resources");
    }
    if (state.protect != inherited.protect) {
      return Wrong("changes Protect for resource " + urn + " from inherited value " + Word(inherited.protect) + " to " +
                   Word(state.protect) + "; migrations must preserve resource protection");
    }
    if (state.retain_on_delete != inherited.retain) {
      return Wrong("changes RetainOnDelete for resource " + urn + " from inherited value " + Word(inherited.retain) +
                   " to " + Word(state.retain_on_delete) + "; migrations must preserve resource retention");
    }
    return Status();
  }

  const std::string migration_;
  const std::vector<StatePtr>& original_;
  const std::vector<StatePtr>& returned_;
  const std::map<Urn, Urn>& successors_;
  std::map<Urn, StatePtr> by_urn_;
  std::map<Urn, InheritedOptions> inherited_;
};

}  // namespace

Status CheckIdentities(const Urn& root, const std::vector<StatePtr>& original, const std::vector<StatePtr>& returned,
                       const std::map<Urn, Urn>& successors) {
  return IdentityCheck(root, original, returned, successors).Run();
}

}  // namespace kingpost::decisions
