#include "bindings/program.h"

#include <thread>

#include "bindings/call.h"
#include "bindings/values.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

py::dict DescribeRun(const RunRequest& request, const ProgramAddresses& addresses) {
  py::dict dict;
  dict["project"] = Text(request.info.project);
  dict["stack"] = Text(request.info.stack);
  dict["organization"] = Text(request.info.organization);
  dict["monitor_address"] = Text(addresses.monitor);
  dict["engine_address"] = Text(addresses.engine);
  dict["preview"] = request.info.dry_run;
  dict["parallel"] = request.info.parallel;
  py::dict config;
  for (const auto& [key, value] : request.info.config) config[Text(key)] = Text(value);
  dict["config"] = config;
  dict["config_secret_keys"] = Texts(request.info.config_secret_keys);
  return dict;
}

class PythonProgram final : public LanguageHost {
 public:
  PythonProgram(std::shared_ptr<Loop> loop, SharedObject bridge, std::function<Result<ProgramAddresses>()> addresses)
      : loop_(std::move(loop)), bridge_(std::move(bridge)), addresses_(std::move(addresses)) {}

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    co_return std::vector<RequiredPackage>();
  }

  Task<Result<RunResponse>> Run(RunRequest request) override {
    Result<ProgramAddresses> addresses = addresses_();
    if (!addresses.ok()) co_return addresses.status();
    Completion<RunResponse> done(*loop_);
    done_ = std::make_shared<Completion<RunResponse>>(done);
    std::thread([loop = loop_, bridge = bridge_, done, request = std::move(request), addresses = *addresses] {
      RunResponse response;
      const MakeRequest make = [&] { return DescribeRun(request, addresses); };
      const ReadAnswer read = [&](const py::dict& answer) {
        response.error = answer["message"].cast<std::string>();
        response.bail = answer["reported"].cast<bool>();
        return Status::Ok();
      };
      const Status status = CallNow(bridge, "run", make, read);
      if (!status.ok()) response.error = status.message();
      done.Set(std::move(response));
    }).detach();
    co_return co_await done;
  }

  // The engine stops listening, which fails the SDK's calls and so ends the program. It is not waited for: nobody can
  // end a Python thread, and an exception thrown into it would leave gRPC's locks held.
  Task<void> Cancel() override {
    if (!done_) co_return;
    RunResponse cancelled;
    cancelled.bail = true;
    done_->Set(std::move(cancelled));
  }

 private:
  const std::shared_ptr<Loop> loop_;
  const SharedObject bridge_;
  const std::function<Result<ProgramAddresses>()> addresses_;
  std::shared_ptr<Completion<RunResponse>> done_;
};

}  // namespace

LanguageHostPtr NewPythonProgram(std::shared_ptr<Loop> loop, SharedObject bridge,
                                 std::function<Result<ProgramAddresses>()> addresses) {
  return std::make_shared<PythonProgram>(std::move(loop), std::move(bridge), std::move(addresses));
}

}  // namespace kingpost::python
