// SPDX-License-Identifier: Apache-2.0
#include "bindings/library.h"

namespace kingpost::python {

namespace py = pybind11;

void AddLibrary(py::module_& module) {
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const LibraryFailure& failure) {
      const py::object error = py::module_::import("kingpost.errors").attr("Error");
      PyErr_SetString(error.ptr(), failure.what());
    }
  });
  AddResource(module);
  AddSnapshot(module);
  AddSnapshotEdits(module);
  AddDiff(module);
  AddGraph(module);
  AddPlan(module);
  AddJournal(module);
}

}  // namespace kingpost::python
