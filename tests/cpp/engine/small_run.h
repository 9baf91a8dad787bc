// SPDX-License-Identifier: Apache-2.0
// Whole operations on small graphs, in process. The program, the provider and the plugin host do what a test says.
//
// The names of inputs tell the provider what to do:
//     "update*"   a change updates in place
//     "replace*"  a change asks for a replacement
//     "of *"      holds the ID of another resource; a change asks for a replacement unless the run says otherwise
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>

#include "kingpost/engine.h"
#include "support/in_process.h"
#include "support/small_graphs.h"

namespace kingpost::engine_test {

// The events of a run in order, with the names of resources: "create b", "delete a".
using Log = std::vector<std::string>;

struct RunSpec {
  std::vector<StatePtr> base;
  OperationOptions options;
  // The program: registers each, in order; a null request is left out. May look at the answers so far.
  using Answers = std::map<std::string, RegisterResourceResponse>;  // by name
  std::vector<std::function<RegisterResourceRequest(const Answers&)>> program;
  bool reporting = true;                        // the program understands that a registration failed
  bool property_replaces = true;                // a change of "of *" asks for a replacement
  bool deletes_first = false;                   // the provider wants to delete before it replaces
  std::set<std::string> reads;                  // names of resources that the program reads, by the ID it would import
  std::map<std::string, PropertyMap> existing;  // by ID: the answer of Read, if it is not its request
  std::set<std::string> failing;                // calls that fail: "delete b", or by the ID: "delete id-b"
  std::set<std::string> unknown_diffs;          // names of resources whose Diff the provider leaves to the engine
};

struct RunOutcome {
  OperationResult result;
  Log calls;  // calls of the provider that change something
  Log steps;  // steps that began, as the user sees them: "replace a"
  Log ended;  // the steps that ended well
  RunSpec::Answers answers;
  std::string errors;
  Snapshot snapshot;  // at the end: the base if nothing was recorded

  StatePtr Live(const Urn& urn) const {
    for (const StatePtr& state : snapshot.resources) {
      if (state->urn == urn && !state->pending_delete) return state;
    }
    return nullptr;
  }
};

class FakeProvider : public testing::PlainProvider {
 public:
  FakeProvider(const RunSpec& spec, RunOutcome* outcome) : spec_(spec), outcome_(outcome) {}

  Task<Result<DiffResponse>> Diff(DiffRequest request) override {
    DiffResponse response;
    if (spec_.unknown_diffs.count(request.name) > 0) co_return response;
    response.changes = DiffChanges::kNone;
    std::set<std::string> keys;
    for (const auto& [key, value] : request.old_inputs) keys.insert(key);
    for (const auto& [key, value] : request.new_inputs) keys.insert(key);
    for (const std::string& key : keys) {
      const Value *before = request.old_inputs.Find(key), *after = request.new_inputs.Find(key);
      if (before && after && DeepEqual(*before, *after)) continue;
      response.changes = DiffChanges::kSome;
      response.changed_keys.push_back(key);
      const bool of = key.rfind("of ", 0) == 0;
      if (key.rfind("replace", 0) == 0 || (of && spec_.property_replaces)) response.replaces.push_back(key);
    }
    response.delete_before_replace = spec_.deletes_first;
    co_return response;
  }
  Task<Result<CreateResponse>> Create(CreateRequest request) override {
    Status called = Called("create", request.name);
    if (!called.ok()) co_return called;
    CreateResponse response;
    response.id = request.preview ? std::string() : "new-" + request.name;
    response.outputs = request.inputs;
    co_return response;
  }
  Task<Result<ReadResponse>> Read(ReadRequest request) override {
    Status called = Called("read", request.name);
    if (!called.ok()) co_return called;
    ReadResponse response;
    response.id = request.id;
    const auto found = spec_.existing.find(request.id);
    const bool known = found != spec_.existing.end();
    response.inputs = known ? found->second : request.inputs;
    response.outputs = known ? found->second : request.outputs;
    co_return response;
  }
  Task<Result<UpdateResponse>> Update(UpdateRequest request) override {
    Status called = Called("update", request.name);
    if (!called.ok()) co_return called;
    UpdateResponse response;
    response.outputs = request.new_inputs;
    co_return response;
  }
  Task<Status> Delete(DeleteRequest request) override { co_return Called("delete", request.name, request.id); }

 private:
  Status Called(const std::string& what, const std::string& name, const std::string& id = "") {
    outcome_->calls.push_back(what + " " + name);
    if (spec_.failing.count(what + " " + name) + spec_.failing.count(what + " " + id) == 0) return Status();
    return Status(Code::kUnavailable, what + " " + name + " fails");
  }

  const RunSpec& spec_;
  RunOutcome* outcome_;
};

// The program and everything around it.
class FakeHost : public testing::InProcessHost, public EventSink {
 public:
  FakeHost(Loop& loop, const RunSpec& spec, RunOutcome* outcome)
      : InProcessHost(loop), spec_(spec), outcome_(outcome) {}

  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec) override {
    co_return ProviderPtr(std::make_shared<FakeProvider>(spec_, outcome_));
  }
  Task<Result<RunResponse>> Run(RunRequest) override {
    loop_.Spawn(RunProgram());
    co_await program_ended_;
    RunResponse response;
    response.bail = bailed_;
    co_return response;
  }

  void Emit(const EngineEvent& event) override {
    if (const auto* began = std::get_if<ResourcePreEvent>(&event)) {
      if (!began->metadata.internal) outcome_->steps.push_back(Text(began->metadata));
    } else if (const auto* ended = std::get_if<ResourceOutputsEvent>(&event)) {
      if (!ended->metadata.internal) outcome_->ended.push_back(Text(ended->metadata));
    } else if (const auto* said = std::get_if<DiagnosticEvent>(&event)) {
      if (said->severity == Severity::kError) outcome_->errors += said->message;
    }
  }

 private:
  Task<void> RunProgram() {
    for (const auto& next : spec_.program) {
      RegisterResourceRequest request = next(outcome_->answers);
      if (request.type.empty()) continue;
      request.supports_result_reporting = spec_.reporting;
      const std::string name = request.name;
      if (spec_.reads.count(name) > 0) {
        Task<Result<ReadResourceResponse>> reading = monitor_->ReadResource(AsRead(request));
        bailed_ = !(co_await std::move(reading)).ok();
        if (bailed_) break;
        continue;
      }
      Task<Result<RegisterResourceResponse>> asking = monitor_->RegisterResource(std::move(request));
      Result<RegisterResourceResponse> answer = co_await std::move(asking);
      bailed_ = !answer.ok();
      if (bailed_) break;
      outcome_->answers[name] = *answer;
    }
    program_ended_.Set();
  }
  static ReadResourceRequest AsRead(const RegisterResourceRequest& asked) {
    ReadResourceRequest request;
    request.id = asked.import_id;
    request.type = asked.type;
    request.name = asked.name;
    request.parent = asked.parent.str();
    request.properties = asked.inputs;
    for (const Urn& urn : asked.dependencies) request.dependencies.push_back(urn.str());
    request.provider = asked.provider;
    return request;
  }
  static std::string Text(const StepMetadata& step) {
    return std::string(StepOpName(step.op)) + " " + std::string(step.urn.name());
  }

  const RunSpec& spec_;
  RunOutcome* outcome_;
  bool bailed_ = false;
};

inline RunOutcome RunSmall(const RunSpec& spec) {
  RunOutcome outcome;
  Loop loop;
  FakeHost host(loop, spec, &outcome);
  auto base = std::make_shared<Snapshot>();
  base->resources = spec.base;
  Operation operation;
  operation.options = spec.options;
  operation.project = "project";
  operation.stack = "stack";
  operation.base = base;
  operation.host = &host;
  operation.events = &host;
  operation.environment.now_rfc3339 = [] { return std::string("2024-01-02T03:04:05.000000006Z"); };
  operation.environment.random_bytes = [](int n) { return std::string(n, 'x'); };
  outcome.result = loop.RunUntilDone(RunOperation(loop, std::move(operation)));
  outcome.snapshot = outcome.result.snapshot ? *outcome.result.snapshot : *base;
  return outcome;
}

// ---- graphs as recorded, and programs that ask for them

using testing::Edge;
using testing::SmallGraph;

// A provider has no provider.
inline bool IsRunnable(const SmallGraph& graph) {
  for (int i = 0; i < graph.size; ++i) {
    if (graph.IsProvider(i) && graph.Target(i, Edge::kProvider) >= 0) return false;
  }
  return true;
}

inline std::string NameOf(int i) { return std::string(1, static_cast<char>('a' + i)); }

// The provider of all that the graph gives no other; recorded before everything else.
inline StatePtr RecordedProvider() {
  static const StatePtr kProvider = [] {
    auto state = std::make_shared<State>();
    state->type = "pulumi:providers:pkg";
    state->urn = Urn::Make("stack", "project", "", state->type, "prov");
    state->custom = true;
    state->id = "prov-id";
    return state;
  }();
  return kProvider;
}
inline std::string ProviderReferenceText() { return RecordedProvider()->urn.str() + "::prov-id"; }

// The graph as a run recorded it that has just ended; `change` may do more to each state.
inline std::vector<StatePtr> Recorded(const SmallGraph& graph,
                                      const std::function<void(int, State*)>& change = nullptr) {
  std::vector<StatePtr> base = {RecordedProvider()};
  for (int i = 0; i < graph.size; ++i) {
    State state = StateIn(graph, i);
    if (state.provider.empty() && !state.is_provider()) state.provider = ProviderReferenceText();
    for (int j = 0; j < i; ++j) {
      if (graph.edge[i][j] == Edge::kProperty) state.inputs.Set("of " + testing::IdOf(j), Value(testing::IdOf(j)));
    }
    if (change) change(i, &state);
    state.outputs = state.inputs;
    base.push_back(std::make_shared<const State>(std::move(state)));
  }
  return base;
}

// Asks for resource i of the graph as it was recorded, except that IDs are those of now.
inline RegisterResourceRequest RequestFor(const SmallGraph& graph, int i, const RunSpec::Answers& answers) {
  RegisterResourceRequest request;
  request.name = NameOf(i);
  request.type = TypeIn(graph, {}, i);
  request.custom = true;
  if (!graph.IsProvider(i)) request.provider = ProviderReferenceText();
  for (int j = 0; j < i; ++j) {
    if (!graph.Names(i, j)) continue;
    const auto answer = answers.find(NameOf(j));
    const Urn urn = UrnIn(graph, j);
    const std::string id = answer == answers.end() ? testing::IdOf(j) : answer->second.id;
    switch (graph.edge[i][j]) {
      case Edge::kNone:
        break;
      case Edge::kParent:
        request.parent = urn;
        break;
      case Edge::kDependency:
        request.dependencies.push_back(urn);
        break;
      case Edge::kProperty:
        request.inputs.Set("of " + testing::IdOf(j), Value(id));
        request.property_dependencies["of " + testing::IdOf(j)] = {urn};
        break;
      case Edge::kDeletedWith:
        request.deleted_with = urn;
        break;
      case Edge::kReplaceWith:
        request.replace_with.push_back(urn);
        break;
      case Edge::kProvider:
        request.provider = urn.str() + "::" + id;
        break;
    }
  }
  return request;
}

inline RegisterResourceRequest RequestForProvider() {
  RegisterResourceRequest request;
  request.name = "prov";
  request.type = "pulumi:providers:pkg";
  request.custom = true;
  return request;
}

// Sets a program that registers the provider and the whole graph. `change` may alter a request, or drop it by clearing
// its type.
inline void SetProgram(RunSpec* spec, const SmallGraph& graph,
                       std::function<void(int, RegisterResourceRequest*)> change = nullptr) {
  spec->program.clear();
  spec->program.push_back([](const RunSpec::Answers&) { return RequestForProvider(); });
  for (int i = 0; i < graph.size; ++i) {
    spec->program.push_back([graph, i, change](const RunSpec::Answers& answers) {
      RegisterResourceRequest request = RequestFor(graph, i, answers);
      if (change) change(i, &request);
      return request;
    });
  }
}

inline std::string Joined(const Log& log) {
  std::string text;
  for (const std::string& line : log) text += (text.empty() ? "" : ", ") + line;
  return text;
}

// Returns the index of a line in the log, or -1.
inline int Position(const Log& log, const std::string& line) {
  const auto found = std::find(log.begin(), log.end(), line);
  return found == log.end() ? -1 : static_cast<int>(found - log.begin());
}

}  // namespace kingpost::engine_test
