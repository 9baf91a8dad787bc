// SPDX-License-Identifier: Apache-2.0
// A Python object that C++ code on any thread may hold: the last holder takes the GIL to let it go. Reading it needs
// the GIL, as any Python object does.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <utility>

namespace kingpost::python {

class SharedObject {
 public:
  SharedObject() = default;
  explicit SharedObject(pybind11::object object)  // needs the GIL
      : object_(new pybind11::object(std::move(object)), [](pybind11::object* held) {
          const pybind11::gil_scoped_acquire gil;
          delete held;
        }) {}

  explicit operator bool() const { return object_ != nullptr; }
  const pybind11::object& get() const { return *object_; }

 private:
  std::shared_ptr<pybind11::object> object_;
};

}  // namespace kingpost::python
