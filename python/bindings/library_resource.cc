// SPDX-License-Identifier: Apache-2.0
// A recorded resource as Python sees it: a view of the native state. Each attribute is converted when it is asked for.
#include "bindings/library.h"
#include "bindings/library_snapshot.h"
#include "bindings/resource_fields.h"
#include "bindings/values.h"
#include "model/resource_fields.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

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
  py::class_<State, std::shared_ptr<State>> resource(module, "Resource");
  ForEachResourceField([&resource](const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kInState) {
      const auto read = [member = field.state](const State& state) { return FieldToPython(state.*member); };
      resource.def_property_readonly(std::string(field.name).c_str(), read);
    }
  });
  resource.def_property_readonly("name", [](const State& state) { return Text(std::string(state.urn.name())); })
      .def("__copy__", [](std::shared_ptr<State> self) { return self; })  // it never changes
      .def("__deepcopy__", [](std::shared_ptr<State> self, const py::object&) { return self; })
      .def("__reduce__",
           [](const py::object& self) {
             return py::module_::import("kingpost._pickles").attr("reduced_resource")(self);
           })
      .def("__repr__", [](const State& state) { return Text(ResourceText(state)); });
}

}  // namespace kingpost::python
