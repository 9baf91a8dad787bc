// SPDX-License-Identifier: Apache-2.0
// The core as a library: snapshots, their differences and dependencies, plans, journals and projects, as classes and
// functions of the extension. What a user sees of them is in kingpost/{snapshot,diff,graph,planning,journal}.py.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include "base/status.h"

namespace kingpost::python {

// Thrown by the library's functions; Python sees the kingpost.Error that `kind` names (KindOfFailure), or a plain one.
class LibraryFailure : public std::exception {
 public:
  explicit LibraryFailure(std::string message, const char* kind = "") : message_(std::move(message)), kind_(kind) {}
  const char* what() const noexcept override { return message_.c_str(); }
  const char* kind() const { return kind_; }

 private:
  const std::string message_;
  const char* const kind_;
};

void ThrowUnless(const Status& status);
// The fault of a document, except another passphrase.
Status AsDamage(const Status& status);

template <class T>
T ValueOrThrow(Result<T> result) {
  ThrowUnless(result.status());
  return std::move(*result);
}

void AddLibrary(pybind11::module_& module);

// Its parts.
void AddResource(pybind11::module_& module);
void AddSnapshot(pybind11::module_& module);
void AddSnapshotEdits(pybind11::module_& module);
void AddDiff(pybind11::module_& module);
void AddGraph(pybind11::module_& module);
void AddPlan(pybind11::module_& module);
void AddJournal(pybind11::module_& module);
void AddStore(pybind11::module_& module);
void AddFleetFolder(pybind11::module_& module);

}  // namespace kingpost::python
