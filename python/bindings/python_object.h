// SPDX-License-Identifier: Apache-2.0
// A Python object that C++ code on any thread may hold. The last holder takes the GIL to release it, or leaves it to
// the end of the process if the interpreter has gone. Reading it needs the GIL, as any Python object does.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <utility>

#include "bindings/gil.h"

namespace kingpost::python {

class SharedObject {
 public:
  SharedObject() = default;
  explicit SharedObject(pybind11::object object)  // needs the GIL
      : object_(new pybind11::object(std::move(object)), [](pybind11::object* held) {
          const WithGil gil;
          if (gil) delete held;
        }) {}

  explicit operator bool() const { return object_ != nullptr; }
  const pybind11::object& get() const { return *object_; }

 private:
  std::shared_ptr<pybind11::object> object_;
};

}  // namespace kingpost::python
