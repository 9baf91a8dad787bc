// SPDX-License-Identifier: Apache-2.0
#include "bindings/call.h"

#include "bindings/values.h"
#include "kingpost/provider.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

Status FailureOf(const py::dict& answer) {
  Status status(Code::kUnknown, py::str(answer["error"]).cast<std::string>());
  if (!answer.contains("init_failed")) return status;
  const py::dict partial = answer["init_failed"];
  InitFailed detail;
  detail.id = py::str(partial["id"]).cast<std::string>();
  detail.outputs = ToProperties(partial["outputs"]);
  if (!partial["inputs"].is_none()) detail.inputs = ToProperties(partial["inputs"]);
  detail.reasons = ToTexts(partial["reasons"]);
  return status.With(std::move(detail));
}

}  // namespace

Status CallNow(const SharedObject& bridge, const std::string& method, const MakeRequest& request,
               const ReadAnswer& read) {
  const py::gil_scoped_acquire gil;
  try {
    const py::dict answer = bridge.get().attr(method.c_str())(request());
    return answer.contains("error") ? FailureOf(answer) : read(answer);
  } catch (py::error_already_set& error) {
    return Status(Code::kUnknown, py::str(error.value()).cast<std::string>());
  } catch (const std::exception& error) {
    return Status(Code::kUnknown, error.what());
  }
}

Task<Status> CallOn(WorkerPool& pool, SharedObject bridge, std::string method, MakeRequest request, ReadAnswer read) {
  std::function<Status()> work = [bridge = std::move(bridge), method = std::move(method), request = std::move(request),
                                  read = std::move(read)] { return CallNow(bridge, method, request, read); };
  auto running = pool.Run(std::move(work));
  co_return co_await std::move(running);
}

}  // namespace kingpost::python
