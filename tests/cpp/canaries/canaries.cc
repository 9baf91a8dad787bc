// SPDX-License-Identifier: Apache-2.0
#include "canaries/canaries.h"

#include <cctype>

#include "model/secret_texts.h"

namespace kingpost::canaries {

namespace {

using scenarios::Json;
using scenarios::Scenario;

bool IsMarked(const Json& value) {
  return value.is_object() && value.size() > 0 && value.begin().key().starts_with("$");
}

// "${a.id}" and "$unknown" mean something.
bool IsWord(const Json& value) { return value.is_string() && value.get<std::string>().find('$') != std::string::npos; }

bool HoldsWords(const Json& value) {
  if (IsWord(value) || IsMarked(value)) return true;
  if (!value.is_structured()) return false;
  for (const Json& part : value) {
    if (HoldsWords(part)) return true;
  }
  return false;
}

class Maker {
 public:
  explicit Maker(Grain grain) : grain_(grain) {}

  Scenario Make(Scenario scenario) {
    World(&scenario.world);
    scenario.world["plugins"]["pkg"]["forgetsSecrets"] = true;
    for (const std::string key : scenario.world.value("secretConfig", Json::array())) {
      if (scenario.world["config"].contains(key))
        scenario.world["config"][key] = Plaintext(scenario.world["config"][key]);
    }
    for (Json& act : scenario.acts) {
      World(&act);
      Statements(&act, "program");
      for (auto& [call, fault] : Part(&act, "faults").items()) Fault(&fault);
    }
    return scenario;
  }

 private:
  // The map's entry to change; a fresh empty object, which is not part of the scenario, if there is none.
  Json& Part(Json* map, const char* key) {
    nothing_ = Json::object();
    return map->contains(key) && (*map)[key].is_structured() ? (*map)[key] : nothing_;
  }

  std::string Plaintext(const Json& value) {
    std::string text = std::string(kCanary) + "-";
    for (const char c : value.is_string() ? value.get<std::string>() : value.dump()) {
      if (std::isalnum(static_cast<unsigned char>(c))) text += c;
    }
    text += "-7f3a";
    SecretsSeen().Add(text);
    return text;
  }

  void Tell(Json* text) { *text = text->get<std::string>() + " " + Plaintext("told"); }
  void TellIn(Json* map, const char* key) {
    if (map->is_object() && map->contains(key) && (*map)[key].is_string()) Tell(&(*map)[key]);
  }

  // Plaintexts in place of texts and numbers.
  Json Bare(const Json& value) {
    if (IsWord(value) || value.is_boolean() || value.is_null() || IsMarked(value)) return value;
    if (!value.is_structured()) return Plaintext(value);
    Json bare = value;
    for (Json& part : bare) part = Bare(part);
    return bare;
  }

  Json Leaves(const Json& value) {
    if (IsMarked(value)) return value.contains("$secret") ? Json{{"$secret", Bare(value["$secret"])}} : value;
    if (IsWord(value) || value.is_boolean() || value.is_null()) return value;
    if (!value.is_structured()) return {{"$secret", Plaintext(value)}};
    Json sealed = value;
    for (Json& part : sealed) part = Leaves(part);
    return sealed;
  }

  void Properties(Json* properties) {
    for (Json& value : *properties) {
      const bool whole = grain_ == Grain::kProperties && !HoldsWords(value);
      value = whole ? Json{{"$secret", Bare(value)}} : Leaves(value);
    }
  }

  void Statements(Json* owner, const char* key) {
    for (Json& statement : Part(owner, key)) {
      statement.erase("expect");
      for (const char* properties : {"inputs", "values", "args"}) Properties(&Part(&statement, properties));
      if (statement.contains("replacementTrigger")) {
        statement["replacementTrigger"] = Leaves(statement["replacementTrigger"]);
      }
      for (const char* text : {"log", "error"}) TellIn(&statement, text);
      Statements(&statement, "together");
    }
  }

  void World(Json* world) {
    for (auto& [name, plugin] : Part(world, "plugins").items()) {
      if (!plugin.is_object()) continue;
      plugin["features"]["secrets"] = true;
      plugin["forgetsSecrets"] = true;
      for (auto& [type, component] : Part(&plugin, "components").items()) Statements(&component, "program");
    }
    for (Json& pack : Part(world, "policies")) {
      for (Json& rule : Part(&pack, "rules")) TellIn(&rule, "message");
    }
  }

  void Fault(Json* fault) {
    if (fault->is_string()) return Tell(fault);
    TellIn(fault, "error");
    for (auto& [property, reason] : Part(fault, "failures").items()) Tell(&reason);
    for (Json& reason : Part(&Part(fault, "partial"), "reasons")) Tell(&reason);
  }

  const Grain grain_;
  Json nothing_;
};

}  // namespace

Scenario WithCanaries(Scenario scenario, Grain grain) { return Maker(grain).Make(std::move(scenario)); }

}  // namespace kingpost::canaries
