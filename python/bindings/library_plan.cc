// SPDX-License-Identifier: Apache-2.0
// The engine's plan for a snapshot and a list of goals: a preview without a store, a process or an SDK.
#include <pybind11/stl.h>

#include <future>

#include "base/clock.h"
#include "base/random_bytes.h"
#include "bindings/host.h"  // first: wire/wire.h wants to be before gRPC's headers
#include "bindings/library.h"
#include "bindings/library_goals.h"
#include "bindings/library_snapshot.h"
#include "bindings/outcome.h"
#include "bindings/resource_fields.h"
#include "bindings/run_settings.h"
#include "bindings/values.h"
#include "languages/snippets/snippets.h"
#include "model/resource_fields.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

constexpr std::chrono::milliseconds kSignalPoll(200);

std::string TextAt(const py::dict& dict, const char* key) { return py::str(dict[key]).cast<std::string>(); }

// The fields that a Goal names otherwise than a Resource, by the SDKs' word.
std::string GoalName(std::string_view name) { return name == "dependencies" ? "depends_on" : std::string(name); }

PlannedGoal GoalOf(const py::dict& given) {
  PlannedGoal goal;
  RegisterResourceRequest& request = goal.request;
  request.type = TextAt(given, "type");
  request.name = TextAt(given, "name");
  request.custom = given["custom"].cast<bool>();
  request.inputs = ToProperties(given["inputs"]);
  ForEachResourceField([&](const auto& field) {
    if constexpr (requires { FieldFromPython(py::handle(), &(request.*field.goal)); }) {
      const std::string name = GoalName(field.name);
      if (field.is_option() && given.contains(name)) FieldFromPython(given[name.c_str()], &(request.*field.goal));
    }
  });
  return goal;
}

// The options that a snapshot records, as a Resource and a Goal call them.
py::list RecordedOptions() {
  py::list names;
  ForEachResourceField([&names](const auto& field) {
    using Field = std::decay_t<decltype(field)>;
    if (Field::kInGoal && Field::kInState && field.is_option()) names.append(std::string(field.name));
  });
  return names;
}

OperationOptions PlanOptionsOf(const py::dict& given) {
  OperationOptions options;
  options.preview = true;
  options.install_plugins = false;
  options.refresh = given["refresh"].cast<bool>();
  options.targets = ToTexts(given["targets"]);
  options.excludes = ToTexts(given["excludes"]);
  options.replaces = ToTexts(given["replace"]);
  options.target_dependents = given["target_dependents"].cast<bool>();
  options.exclude_dependents = given["exclude_dependents"].cast<bool>();
  return options;
}

class EventKeeper final : public EventSink {
 public:
  explicit EventKeeper(std::vector<EngineEvent>* events) : events_(events) {}
  void Emit(const EngineEvent& event) override { events_->push_back(event); }

 private:
  std::vector<EngineEvent>* const events_;
};

// One plan on a thread of its own, so that the caller's can look for signals.
class Planning {
 public:
  Planning(const LibrarySnapshot& base, GoalProgram program, Operation operation)
      : base_(base.shared()), program_(std::move(program)), operation_(std::move(operation)) {
    thread_ = std::thread([this] {
      Work();
      done_.set_value();
    });
  }
  ~Planning() { thread_.join(); }

  bool Wait() { return ended_.wait_for(kSignalPoll) == std::future_status::ready; }
  void Cancel() { cancellation_.Cancel(); }
  const RunOutcome& outcome() const { return outcome_; }  // after Wait was true

 private:
  void Work() {
    const std::unique_ptr<PluginHost> host = NewGoalHost(loop_, std::move(program_));
    EventKeeper events(&outcome_.events);
    operation_.host = host.get();
    operation_.events = &events;
    operation_.cancellation = &cancellation_;
    operation_.base = base_;
    operation_.environment.now_rfc3339 = NowRfc3339;
    operation_.environment.random_bytes = RandomBytes;
    outcome_.result = loop_.RunUntilDone(RunOperation(loop_, std::move(operation_)));
    outcome_.status = outcome_.result.status;
    outcome_.snapshot = base_;
  }

  const std::shared_ptr<const Snapshot> base_;
  GoalProgram program_;
  Operation operation_;
  Loop loop_;
  Cancellation cancellation_{loop_};
  RunOutcome outcome_;
  std::promise<void> done_;
  std::future<void> ended_ = done_.get_future();
  std::thread thread_;
};

// A signal whose handler raises, as that of Ctrl-C does, cancels.
void WaitFor(Planning& planning) {
  bool interrupted = false;
  for (bool ended = false; !ended;) {
    {
      const py::gil_scoped_release released;
      ended = planning.Wait();
    }
    if (interrupted || PyErr_CheckSignals() == 0) continue;
    interrupted = true;
    PyErr_Clear();
    planning.Cancel();
  }
  if (!interrupted) return;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw py::error_already_set();
}

struct ReleaseToJoin {
  void operator()(Planning* planning) const {
    const py::gil_scoped_release released;
    delete planning;
  }
};

py::dict MakePlan(const LibrarySnapshot& base, const py::list& goals, const py::object& outputs,
                  const py::dict& providers, const py::list& policies, const py::dict& options) {
  (void)base.graph();  // in order, or told
  GoalProgram program;
  for (const py::handle& goal : goals) program.goals.push_back(GoalOf(py::reinterpret_borrow<py::dict>(goal)));
  program.outputs = ToProperties(outputs);
  for (const auto& [package, part] : providers) {
    program.providers[package.cast<std::string>()] = PartOf(py::reinterpret_borrow<py::tuple>(part), 0);
  }
  program.policies = PoliciesOf(policies);
  Operation operation;
  operation.options = PlanOptionsOf(options);
  for (size_t i = 0; i < program.policies.size(); ++i) operation.options.policy_packs.push_back(PolicyPackOf(i, true));
  operation.project = TextAt(options, "project");
  operation.stack = TextAt(options, "stack");
  operation.find_sources = snippets::FindSnippets;
  operation.config = options["config"].cast<std::map<std::string, std::string>>();
  const std::unique_ptr<Planning, ReleaseToJoin> planning(new Planning(base, std::move(program), std::move(operation)));
  WaitFor(*planning);
  return DescribeOutcome(planning->outcome());
}

}  // namespace

void AddPlan(py::module_& module) {
  module.def("make_plan", &MakePlan);
  module.def("recorded_options", &RecordedOptions);
}

}  // namespace kingpost::python
