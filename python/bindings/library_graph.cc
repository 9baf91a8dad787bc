// SPDX-License-Identifier: Apache-2.0
// The graph of dependencies in a snapshot.
#include "bindings/library.h"
#include "bindings/library_snapshot.h"
#include "bindings/values.h"
#include "decisions/dependency_refs.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

std::vector<std::shared_ptr<State>> DependentsIn(const LibrarySnapshot& self, const std::shared_ptr<State>& resource,
                                                 bool children) {
  const StatePtr state = resource;
  return ForPython(self.graph().DependingOn(state, children));
}

std::vector<std::shared_ptr<State>> DependenciesIn(const LibrarySnapshot& self, const std::shared_ptr<State>& resource,
                                                   bool transitive) {
  const StatePtr state = resource;
  const DependencyGraph& graph = self.graph();
  return ForPython(transitive ? graph.TransitiveDependenciesOf(state) : graph.DependenciesOf(state));
}

const char* EdgeName(decisions::DependencyRef::Kind kind) {
  using Kind = decisions::DependencyRef::Kind;
  switch (kind) {
    case Kind::kParent:
      return "parent";
    case Kind::kDependency:
      return "dependency";
    case Kind::kProperty:
      return "property";
    case Kind::kDeletedWith:
      return "deleted_with";
    case Kind::kReplaceWith:
      return "replace_with";
  }
  return "";
}

// (from, to, kind, property) of each reference, in the order of the snapshot.
py::list EdgesOf(const LibrarySnapshot& self) {
  py::list edges;
  for (const StatePtr& state : self.resources()) {
    const py::str from = Text(state->urn.str());
    if (const Urn provider = decisions::ProviderUrn(*state); !provider.empty()) {
      edges.append(py::make_tuple(from, Text(provider.str()), "provider", ""));
    }
    for (const decisions::DependencyRef& reference : decisions::AllDependencies(*state)) {
      edges.append(py::make_tuple(from, Text(reference.urn.str()), EdgeName(reference.kind), Text(reference.property)));
    }
  }
  return edges;
}

}  // namespace

void AddGraph(py::module_& module) {
  module.def("dependents", &DependentsIn);
  module.def("dependencies", &DependenciesIn);
  module.def("edges", &EdgesOf);
  module.def(
      "build_graph", [](const LibrarySnapshot& self) { (void)self.graph(); }, py::call_guard<py::gil_scoped_release>());
}

}  // namespace kingpost::python
