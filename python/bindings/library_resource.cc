// SPDX-License-Identifier: Apache-2.0
// A recorded resource as Python sees it: a view of the native state. Each attribute is converted when it is asked for.
#include "bindings/library.h"
#include "bindings/library_snapshot.h"
#include "bindings/values.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

py::dict PropertyDependenciesOf(const State& state) {
  py::dict dict;
  for (const auto& [key, urns] : state.property_dependencies) dict[Text(key)] = Texts(urns);
  return dict;
}

std::string ResourceText(const State& state) {
  return "<kingpost.Resource " + state.urn.str() + (state.id.empty() ? "" : " " + state.id) +
         (state.pending_delete ? ", to be deleted" : "") + ">";
}

}  // namespace

std::vector<std::shared_ptr<State>> ForPython(const std::vector<StatePtr>& states) {
  std::vector<std::shared_ptr<State>> list;
  list.reserve(states.size());
  for (const StatePtr& state : states) list.push_back(ForPython(state));
  return list;
}

void AddResource(py::module_& module) {
  using S = const State&;
  py::class_<State, std::shared_ptr<State>>(module, "Resource")
      .def_property_readonly("urn", [](S s) { return Text(s.urn.str()); })
      .def_property_readonly("type", [](S s) { return Text(s.type); })
      .def_property_readonly("name", [](S s) { return Text(std::string(s.urn.name())); })
      .def_property_readonly("id", [](S s) { return Text(s.id); })
      .def_property_readonly("custom", [](S s) { return s.custom; })
      .def_property_readonly("inputs", [](S s) { return ToPython(s.inputs); })
      .def_property_readonly("outputs", [](S s) { return ToPython(s.outputs); })
      .def_property_readonly("parent", [](S s) { return Text(s.parent.str()); })
      .def_property_readonly("dependencies", [](S s) { return Texts(s.dependencies); })
      .def_property_readonly("property_dependencies", &PropertyDependenciesOf)
      .def_property_readonly("provider", [](S s) { return Text(s.provider); })
      .def_property_readonly("protect", [](S s) { return s.protect; })
      .def_property_readonly("taint", [](S s) { return s.taint; })
      .def_property_readonly("external", [](S s) { return s.external; })
      .def_property_readonly("pending_delete", [](S s) { return s.pending_delete; })
      .def_property_readonly("pending_replacement", [](S s) { return s.pending_replacement; })
      .def_property_readonly("retain_on_delete", [](S s) { return s.retain_on_delete; })
      .def_property_readonly("init_errors", [](S s) { return Texts(s.init_errors); })
      .def_property_readonly("aliases", [](S s) { return Texts(s.aliases); })
      .def_property_readonly("deleted_with", [](S s) { return Text(s.deleted_with.str()); })
      .def_property_readonly("replace_with", [](S s) { return Texts(s.replace_with); })
      .def_property_readonly("import_id", [](S s) { return Text(s.import_id); })
      .def_property_readonly("ignore_changes", [](S s) { return Texts(s.ignore_changes); })
      .def_property_readonly("replace_on_changes", [](S s) { return Texts(s.replace_on_changes); })
      .def_property_readonly("additional_secret_outputs", [](S s) { return Texts(s.additional_secret_outputs); })
      .def_property_readonly("created", [](S s) { return Text(s.created); })
      .def_property_readonly("modified", [](S s) { return Text(s.modified); })
      .def_property_readonly("source_position", [](S s) { return Text(s.source_position); })
      .def("__copy__", [](std::shared_ptr<State> self) { return self; })  // it never changes
      .def("__deepcopy__", [](std::shared_ptr<State> self, const py::object&) { return self; })
      .def("__reduce__",
           [](const py::object& self) {
             return py::module_::import("kingpost._pickles").attr("reduced_resource")(self);
           })
      .def("__repr__", [](S s) { return Text(ResourceText(s)); });
}

}  // namespace kingpost::python
