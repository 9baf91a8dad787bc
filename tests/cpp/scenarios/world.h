// SPDX-License-Identifier: Apache-2.0
// The world outside the engine, in which a scenario plays: the things in the cloud, the answers to calls, and a log of
// every call. Survives the acts of one run. Loop thread.
#pragma once

#include <memory>
#include <optional>

#include "kingpost/engine.h"
#include "scenarios/answer_queue.h"
#include "scenarios/values.h"

namespace kingpost::scenarios {

// A thing that a provider made, by ID.
struct Thing {
  std::string id;
  PropertyMap inputs, outputs;
};

// A fault or event that a scenario wants at one call.
struct Fault {
  Json json;
  Status status;  // not ok if the call fails
};

class World {
 public:
  World(Loop& loop, unsigned seed) : answers(loop, seed), loop_(loop) {}

  AnswerQueue answers;
  Names names;
  Json settings;  // plugins, policies, transforms, ... as the scenario and its acts so far have set them
  std::map<std::string, Thing> cloud;
  std::map<std::string, int> made;  // how many things were ever made for a name
  bool slow_answers = false;        // a call's effect takes place one turn before its answer arrives
  Cancellation* cancellation = nullptr;
  Monitor* monitor = nullptr;  // of the program that runs
  EngineService* service = nullptr;
  // Custom resources that the engine acknowledged to the program of this run: URN to ID.
  std::map<std::string, std::string> acknowledged;
  std::string mismatch;  // an answer that the program did not expect, or ""

  std::vector<std::string> calls;    // "create a", in the order in which they began
  std::map<std::string, Json> sent;  // what the last such call carried

  Loop& loop() { return loop_; }
  // The settings of a plugin; an empty mapping if there are none.
  Json Plugin(const std::string& package) const;
  bool Knows(const std::string& package) const;

  // Enters a call of the engine: logs it, waits for its turn and returns its fault, if the scenario has one.
  Task<std::optional<Fault>> Enter(std::string call, Json details);
  // The answer of a call that has taken effect, on its way: not ok if the plugin died of it.
  Task<Status> Leave(std::optional<Fault> fault);
  // A new ID for the resource: "a-1", then "a-2".
  std::string NewId(const std::string& name) { return name + "-" + std::to_string(++made[name]); }
  void ChangeCloud(const Json& changes);
  // The same for all things that were made for resources, by the names of these.
  void ChangeCloudOf(const Json& changes);
  // Sets the faults from now on. Throws Mistake.
  void SetFaults(const Json& wanted);
  // Tells the engine of view steps that the scenario wants at this call.
  Status PublishViews(const Json& views, const std::string& token);

 private:
  std::optional<Fault> TakeFault(const std::string& call);

  Loop& loop_;
  Json faults_ = Json::object();
  std::map<std::string, int> calls_made_;  // of those that have faults
};

ProviderPtr NewFakeProvider(World& world, const ProviderSpec& spec);
AnalyzerPtr NewFakeAnalyzer(World& world, const Json& pack);
std::unique_ptr<Callbacks> NewFakeCallbacks(World& world);
std::unique_ptr<PluginHost> NewFakeHost(World& world, const Json& program);

// Runs statements against the monitor as a program of the user's would, resolving names as it goes. `parent` is given
// to resources without one (inside a remote component). Not ok: the error that ends the program.
Task<Status> RunStatements(World& world, Json statements, std::string parent);

}  // namespace kingpost::scenarios
