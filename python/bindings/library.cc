// SPDX-License-Identifier: Apache-2.0
#include "bindings/library.h"

#include "bindings/session.h"

namespace kingpost::python {

namespace py = pybind11;

void ThrowUnless(const Status& status) {
  if (!status.ok()) throw LibraryFailure(status.message(), KindOfFailure(status));
}

Status AsDamage(const Status& status) {
  return status.ok() || status.code() == Code::kUnauthenticated ? status : Status(Code::kDataLoss, status.message());
}

void AddLibrary(py::module_& module) {
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const LibraryFailure& failure) {
      const py::object error = py::module_::import("kingpost.errors").attr("error_of")(failure.kind(), failure.what());
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    }
  });
  AddResource(module);
  AddSnapshot(module);
  AddSnapshotEdits(module);
  AddDiff(module);
  AddGraph(module);
  AddPlan(module);
  AddJournal(module);
  AddStore(module);
  AddFleetFolder(module);
}

}  // namespace kingpost::python
