// SPDX-License-Identifier: Apache-2.0
#include "scenarios/fake_migration.h"

#include <algorithm>

namespace kingpost::scenarios {

namespace {

std::string NameOf(const Json& state) { return std::string(Urn(state["urn"].get<std::string>()).name()); }

class Migration {
 public:
  Migration(const Json& rule, const StateMigrationRequest& request)
      : rule_(rule), states_(Json::parse(request.old_state)) {}

  StateMigrationResponse Run() {
    for (const auto& [name, to] : Mapping(rule_, "rename").items()) Rename(name, to);
    for (const auto& [name, to] : Mapping(rule_, "copy").items()) Copy(name, to);
    for (const auto& [name, to] : Mapping(rule_, "fold").items()) Fold(name, to);
    for (const auto& [name, fields] : Mapping(rule_, "edit").items()) Edit(name, fields);
    for (const std::string name : rule_.value("last", Json::array())) MoveLast(name);
    StateMigrationResponse response;
    if (rule_.contains("answer")) response.new_state = rule_["answer"];
    if (changed_ || rule_.value("echo", false)) response.new_state = states_.dump();
    response.successors = successors_;
    return response;
  }

 private:
  Json* Find(const std::string& name) {
    for (Json& state : states_) {
      if (NameOf(state) == name) return &state;
    }
    return nullptr;
  }

  std::string Renamed(const Json& state, const std::string& to) const {
    const Urn urn(state["urn"].get<std::string>());
    const std::string type = Mapping(rule_, "retype").value(std::string(urn.name()), std::string(urn.type()));
    const std::string_view whole = urn.qualified_type();
    const std::string_view parents = whole.substr(0, whole.size() - urn.type().size());
    return Urn::Make(urn.stack(), urn.project(), parents.empty() ? parents : parents.substr(0, parents.size() - 1),
                     type, to)
        .str();
  }

  void Rename(const std::string& name, const std::string& to) {
    Json* state = Find(name);
    if (!state) return;
    const std::string urn = (*state)["urn"];
    (*state)["urn"] = successors_[urn] = Renamed(*state, to);
    (*state)["type"] = std::string(Urn(successors_[urn]).type());
    changed_ = true;
  }

  void Copy(const std::string& name, const std::string& to) {
    const Json* state = Find(name);
    if (!state || Find(to)) return;
    Json copy = *state;
    copy["urn"] = Renamed(*state, to);
    states_.push_back(std::move(copy));
    changed_ = true;
  }

  void Fold(const std::string& name, const std::string& into) {
    const Json *state = Find(name), *successor = Find(into);
    if (!state || !successor) return;
    successors_[(*state)["urn"].get<std::string>()] = (*successor)["urn"];
    states_.erase(state - &states_[0]);
    changed_ = true;
  }

  void Edit(const std::string& name, const Json& fields) {
    Json* state = Find(name);
    if (!state) return;
    state->merge_patch(fields);
    changed_ = true;
  }

  void MoveLast(const std::string& name) {
    const Json* state = Find(name);
    if (!state) return;
    std::rotate(states_.begin() + (state - &states_[0]), states_.begin() + (state - &states_[0]) + 1, states_.end());
  }

  const Json& rule_;
  Json states_;
  std::map<std::string, std::string> successors_;
  bool changed_ = false;
};

}  // namespace

StateMigrationResponse AnswerMigration(const Json& rule, const StateMigrationRequest& request) {
  AllowOnly(rule, {"rename", "retype", "copy", "fold", "edit", "last", "echo", "answer"}, "migrations");
  return Migration(rule, request).Run();
}

Json NamesIn(const StateMigrationRequest& request) {
  Json names = Json::array();
  for (const Json& state : Json::parse(request.old_state)) names.push_back(NameOf(state));
  return names;
}

}  // namespace kingpost::scenarios
