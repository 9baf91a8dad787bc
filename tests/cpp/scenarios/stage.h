// SPDX-License-Identifier: Apache-2.0
// The stage: plays a scenario's acts on the engine, one after the other, and keeps what happened in each.
#pragma once

#include "scenarios/onlooker.h"
#include "scenarios/scenario.h"

namespace kingpost::scenarios {

// The outcome of one act, in the words of the scenario file.
struct Happened {
  Json steps = Json::array();      // "create a", in the order in which they ended
  Json because = Json::array();    // "create a: new", why each step was taken that says so
  Json condemned = Json::array();  // those of the steps whose old side waited for its delete then
  Json calls = Json::array();      // "create a", in the order in which they began
  Json sent = Json::object();      // call -> what it carried
  Json says = Json::array();       // "error: ..." and "warning: ...", with the resource it is about
  Json tells = Json::array();      // other messages: "info: ..."
  Json changes = Json::object();
  Json state = Json::object();
  Json pending = Json::array();  // "creating a"
  Json cloud = Json::array();    // the IDs of all that exists
  Json plan = Json::object();
  bool maybe_corrupt = false, has_changes = false;
  std::string fails;   // "" if the operation went well
  std::string broken;  // a promise of the engine that was not kept, whatever the scenario is about
};

// Plays the scenario. With seed 0 the world answers in the order of the calls, else in an order that follows from the
// seed. With an onlooker the play goes on after an act that broke a promise. Throws Mistake.
std::vector<Happened> Play(const Scenario& scenario, unsigned seed, Onlooker* onlooker = nullptr);

}  // namespace kingpost::scenarios
