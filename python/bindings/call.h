// SPDX-License-Identifier: Apache-2.0
// Calls of Python code from the engine: always on a worker thread, which holds the GIL while it runs; the engine thread
// only waits in a coroutine. The called function is one of kingpost/_bridge.py: it gets a dict and answers one, in
// which "error" stands for an exception of the user's code.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <string>

#include "base/loop.h"
#include "base/status.h"
#include "bindings/python_object.h"

namespace kingpost::python {

using MakeRequest = std::function<pybind11::dict()>;
using ReadAnswer = std::function<Status(const pybind11::dict& answer)>;

// Blocking; takes the GIL. bridge.method(request), then read(answer) unless it failed.
Status CallNow(const SharedObject& bridge, const std::string& method, const MakeRequest& request,
               const ReadAnswer& read);

// The same on the pool. read runs on the worker.
Task<Status> CallOn(WorkerPool& pool, SharedObject bridge, std::string method, MakeRequest request, ReadAnswer read);

}  // namespace kingpost::python
