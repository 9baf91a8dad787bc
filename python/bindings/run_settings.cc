// SPDX-License-Identifier: Apache-2.0
#include "bindings/run_settings.h"

#include <pybind11/stl.h>

#include "bindings/values.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

OperationKind KindOf(const std::string& operation) {
  if (operation == "refresh") return OperationKind::kRefresh;
  if (operation == "destroy") return OperationKind::kDestroy;
  if (operation == "import") return OperationKind::kImport;
  return OperationKind::kUpdate;
}

OperationOptions OptionsOf(const std::string& operation, const py::dict& given) {
  const auto flag = [&](const char* name) { return given[name].cast<bool>(); };
  OperationOptions options;
  options.kind = KindOf(operation);
  options.preview = flag("preview");
  options.run_program = options.kind == OperationKind::kUpdate || flag("run_program");
  options.refresh = flag("refresh");
  options.refresh_program = options.refresh && flag("run_program");
  options.parallel = given["parallel"].cast<int>();
  options.continue_on_error = flag("continue_on_error");
  options.exclude_protected = flag("exclude_protected");
  options.targets = ToTexts(given["targets"]);
  options.excludes = ToTexts(given["excludes"]);
  options.replaces = ToTexts(given["replace"]);
  options.target_dependents = flag("target_dependents");
  options.exclude_dependents = flag("exclude_dependents");
  options.clear_pending_creates = flag("clear_pending_creates");
  for (const auto& [urn, id] : py::reinterpret_borrow<py::dict>(given["import_pending_creates"])) {
    options.import_pending_creates.emplace(Urn(py::str(urn).cast<std::string>()), py::str(id).cast<std::string>());
  }
  options.save_plan = flag("save_plan");
  options.plan_json = given["plan"].cast<std::string>();
  ReadEngineVariables(&options);
  return options;
}

}  // namespace

ProviderPart PartOf(const py::tuple& given, double timeout_s) {
  ProviderPart part;
  part.bridge = SharedObject(py::object(given[0]));
  for (const std::string& method : ToTexts(given[1])) part.offers.insert(method);
  part.version = given[2].cast<std::string>();
  part.timeout_s = timeout_s;
  return part;
}

std::vector<std::pair<std::string, SharedObject>> PoliciesOf(const py::list& given) {
  std::vector<std::pair<std::string, SharedObject>> policies;
  for (const py::handle& item : given) {
    const py::tuple pair = py::reinterpret_borrow<py::tuple>(item);
    policies.emplace_back(pair[0].cast<std::string>(), SharedObject(py::object(pair[1])));
  }
  return policies;
}

RunSettings SettingsOf(RunArguments arguments) {
  const py::dict& options = arguments.options;
  RunSettings settings;
  settings.options = OptionsOf(arguments.operation, options);
  settings.project_folder = options["project_folder"].cast<std::string>();
  settings.virtualenv = options["virtualenv"].cast<std::string>();
  settings.import_json = options["import_json"].cast<std::string>();
  settings.protect_imports = options["protect"].cast<bool>();
  settings.message = options["message"].cast<std::string>();
  settings.wants_events = options["wants_events"].cast<bool>();
  if (options.contains("fleet")) {
    const py::tuple place = options["fleet"];
    settings.fleet = place[0].cast<std::shared_ptr<FleetBoard>>();
    settings.member = place[1].cast<size_t>();
  }
  for (auto& [key, value] : arguments.config) settings.config[key].value = std::move(value);
  for (const std::string& key : arguments.secret_keys) settings.config[key].secret = true;

  PythonParts& parts = settings.parts;
  parts.timeout_s = options["callback_timeout"].cast<double>();
  if (!arguments.program.is_none()) parts.program = SharedObject(arguments.program);
  for (const auto& [package, part] : arguments.providers) {
    parts.providers[package.cast<std::string>()] = PartOf(py::reinterpret_borrow<py::tuple>(part), parts.timeout_s);
  }
  parts.policies = PoliciesOf(arguments.policies);
  return settings;
}

}  // namespace kingpost::python
