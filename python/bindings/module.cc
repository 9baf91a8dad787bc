// SPDX-License-Identifier: Apache-2.0
// _kingpost: the extension module. It holds what needs C++ (sessions, runs, values); everything a user sees is Python,
// in the package beside it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bindings/host.h"  // first: rpc/wire.h wants to be before gRPC's headers
#include "bindings/library.h"
#include "bindings/outcome.h"
#include "bindings/run.h"
#include "bindings/session.h"
#include "bindings/values.h"

namespace py = pybind11;

namespace kingpost::python {

namespace {

// What is wrong before an operation has begun.
[[noreturn]] void Throw(const Status& status) { throw std::runtime_error(status.message()); }

std::shared_ptr<Session> OpenSession(const std::string& project, const std::string& stack,
                                     const std::string& organization, const std::string& backend,
                                     std::optional<std::string> passphrase) {
  SessionOptions options;
  options.project = project;
  options.stack = stack;
  options.organization = organization;
  options.backend = backend;
  options.passphrase = std::move(passphrase);
  const py::gil_scoped_release released;
  if (const auto supervisor = SharedSupervisor(); !supervisor.ok()) Throw(supervisor.status());
  Result<std::shared_ptr<Session>> session = Session::Open(std::move(options));
  if (!session.ok()) Throw(session.status());
  return *session;
}

OperationKind KindOf(const std::string& operation) {
  if (operation == "refresh") return OperationKind::kRefresh;
  if (operation == "destroy") return OperationKind::kDestroy;
  return OperationKind::kUpdate;
}

OperationOptions OptionsOf(const std::string& operation, const py::dict& given) {
  OperationOptions options;
  options.kind = KindOf(operation);
  options.preview = given["preview"].cast<bool>();
  options.run_program = options.kind == OperationKind::kUpdate || given["run_program"].cast<bool>();
  options.refresh = given["refresh"].cast<bool>();
  options.refresh_program = options.refresh && given["run_program"].cast<bool>();
  options.parallel = given["parallel"].cast<int>();
  options.continue_on_error = given["continue_on_error"].cast<bool>();
  options.targets = ToTexts(given["targets"]);
  options.excludes = ToTexts(given["excludes"]);
  options.replaces = ToTexts(given["replace"]);
  options.target_dependents = given["target_dependents"].cast<bool>();
  options.exclude_dependents = given["exclude_dependents"].cast<bool>();
  ReadEngineVariables(&options);
  return options;
}

std::unique_ptr<Run> StartRun(std::shared_ptr<Session> session, const std::string& operation, const py::dict& options,
                              std::map<std::string, std::string> config, const std::vector<std::string>& secret_keys,
                              const py::object& program, const py::dict& providers, const py::list& policies) {
  RunSettings settings;
  settings.options = OptionsOf(operation, options);
  for (auto& [key, value] : config) settings.config[key].value = std::move(value);
  for (const std::string& key : secret_keys) settings.config[key].secret = true;
  settings.parts.program = SharedObject(program);
  settings.parts.threads = options["threads"].cast<int>();
  for (const auto& [package, bridge] : providers) {
    settings.parts.providers[package.cast<std::string>()] = SharedObject(py::reinterpret_borrow<py::object>(bridge));
  }
  for (const py::handle& item : policies) {
    const py::tuple pair = py::reinterpret_borrow<py::tuple>(item);
    settings.parts.policies.emplace_back(pair[0].cast<std::string>(), SharedObject(py::object(pair[1])));
  }
  const py::gil_scoped_release released;
  return std::make_unique<Run>(std::move(session), std::move(settings));
}

std::string ExportState(Session& session) {
  Result<std::string> text = session.Export();
  if (!text.ok()) Throw(text.status());
  return *text;
}

// Python lets go of a run with the GIL held, and its threads may need it to end.
struct ReleaseToDelete {
  void operator()(Run* run) const {
    const py::gil_scoped_release released;
    delete run;
  }
};

}  // namespace

}  // namespace kingpost::python

PYBIND11_MODULE(_kingpost, module) {
  using namespace kingpost::python;  // NOLINT: the body is one long list of its names
  module.doc() = "The engine of the kingpost package. Use the package.";
  module.attr("VERSION") = KINGPOST_VERSION;

  py::class_<Session, std::shared_ptr<Session>>(module, "Session")
      .def(py::init(&OpenSession), py::arg("project"), py::arg("stack"), py::arg("organization"), py::arg("backend"),
           py::arg("passphrase"))
      .def("export_state", &ExportState, py::call_guard<py::gil_scoped_release>());

  using RunHolder = std::unique_ptr<Run, ReleaseToDelete>;
  py::class_<Run, RunHolder>(module, "Run")
      .def(py::init([](std::shared_ptr<Session> session, const std::string& operation, const py::dict& options,
                       std::map<std::string, std::string> config, const std::vector<std::string>& secret_keys,
                       const py::object& program, const py::dict& providers, const py::list& policies) {
             return RunHolder(StartRun(std::move(session), operation, options, std::move(config), secret_keys, program,
                                       providers, policies)
                                  .release());
           }),
           py::arg("session"), py::arg("operation"), py::arg("options"), py::arg("config"), py::arg("secret_keys"),
           py::arg("program"), py::arg("providers"), py::arg("policies"))
      .def("wait", &Run::Wait, py::arg("seconds"), py::call_guard<py::gil_scoped_release>())
      .def("cancel", &Run::Cancel, py::call_guard<py::gil_scoped_release>())
      .def("terminate", &Run::Terminate, py::call_guard<py::gil_scoped_release>())
      .def("outcome", [](const Run& run) { return DescribeOutcome(run.outcome()); });
  AddLibrary(module);
}
