// SPDX-License-Identifier: Apache-2.0
#include "bindings/program.h"

#include "bindings/values.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

py::dict DescribeRun(const RunRequest& request, const std::string& address) {
  py::dict dict;
  dict["project"] = Text(request.info.project);
  dict["stack"] = Text(request.info.stack);
  dict["organization"] = Text(request.info.organization);
  dict["address"] = Text(address);
  dict["preview"] = request.info.dry_run;
  dict["parallel"] = request.info.parallel;
  py::dict config;
  for (const auto& [key, value] : request.info.config) config[Text(key)] = Text(value);
  dict["config"] = config;
  dict["config_secret_keys"] = Texts(request.info.config_secret_keys);
  return dict;
}

// The callable that the program's thread ends with.
py::cpp_function Tell(Completion<RunResponse> done) {
  return py::cpp_function([done = std::move(done)](const py::dict& answer) {
    RunResponse response;
    response.error = py::str(answer["message"]).cast<std::string>();
    response.bail = answer["reported"].cast<bool>();
    done.Set(std::move(response));
  });
}

class PythonProgram final : public LanguageHost {
 public:
  PythonProgram(Loop& loop, PythonCalls& calls, SharedObject bridge, std::function<std::string()> address)
      : loop_(loop), calls_(calls), bridge_(std::move(bridge)), address_(std::move(address)) {}

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    co_return std::vector<RequiredPackage>();
  }

  Task<Result<RunResponse>> Run(RunRequest request) override {
    if (cancelled_) co_return Status(Code::kCancelled, "the program was not started: the operation is cancelled");
    Completion<RunResponse> done(loop_);
    done_ = std::make_shared<Completion<RunResponse>>(done);
    // The thread is Python's, because no C++ function may be on the stack of a thread that Python ends. Threads that
    // still run when the interpreter goes are unwound wherever they ask for the GIL.
    PythonCall start;
    start.bridge = bridge_;
    start.method = "start";
    start.request = [request = std::move(request), address = address_(), done] {
      py::dict dict = DescribeRun(request, address);
      dict["done"] = Tell(done);
      return dict;
    };
    start.read = [](const py::dict&) { return Status::Ok(); };
    auto starting = calls_.Call(std::move(start));
    const Status started = co_await std::move(starting);
    if (!started.ok()) co_return started;
    co_return co_await done;
  }

  // The engine stops listening, which fails the SDK's calls and so ends the program. It is not waited for: nobody can
  // end a Python thread, and an exception thrown into it would leave gRPC's locks held.
  Task<void> Cancel() override {
    cancelled_ = true;
    if (!done_) co_return;
    RunResponse cancelled;
    cancelled.bail = true;
    done_->Set(std::move(cancelled));
  }

 private:
  Loop& loop_;
  PythonCalls& calls_;
  const SharedObject bridge_;
  const std::function<std::string()> address_;
  std::shared_ptr<Completion<RunResponse>> done_;
  bool cancelled_ = false;
};

}  // namespace

LanguageHostPtr NewPythonProgram(Loop& loop, PythonCalls& calls, SharedObject bridge,
                                 std::function<std::string()> address) {
  return std::make_shared<PythonProgram>(loop, calls, std::move(bridge), std::move(address));
}

}  // namespace kingpost::python
