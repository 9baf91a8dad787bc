// SPDX-License-Identifier: Apache-2.0
#include "bindings/provider.h"

#include "bindings/provider_dicts.h"
#include "bindings/values.h"
#include "kingpost/create_outcome.h"
#include "wire/component_bytes.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

constexpr double kTimeoutGrace = 1;  // seconds

// It was begun, and its outcome is unknown: no answer came, or one that cannot be read.
bool UnknownOutcome(const Status& status) {
  return status.code() == Code::kDeadlineExceeded || status.code() == Code::kCancelled ||
         status.code() == Code::kInternal;
}

template <class T>
Status Move(Result<T> from, T* to) {
  if (!from.ok()) return from.status();
  *to = std::move(*from);
  return Status::Ok();
}

template <class Response>
using ReadInto = std::function<Status(const py::dict& answer, Response* response)>;

class PythonProvider final : public Provider, public std::enable_shared_from_this<PythonProvider> {
 public:
  PythonProvider(PythonCalls& calls, ProviderPart part, std::string package, AskMonitor monitor)
      : calls_(calls), part_(std::move(part)), package_(std::move(package)), monitor_(std::move(monitor)) {
    features_.supports_preview = true;
    features_.accept_secrets = true;
    features_.accept_resources = true;
    features_.accept_outputs = true;
    features_.accepts_outputs_in_call = true;
    features_.accepts_byte_string = true;
    features_.supports_autonaming = true;
  }

  const ProviderFeatures& features() const override { return features_; }
  std::string version() const override { return part_.version; }

  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) override {
    if (!Offers("parameterize")) co_return Unsupported("parameterization");
    MakeRequest make = [value = std::move(value)] {
      py::dict dict;
      dict["name"] = Text(value.name);
      dict["version"] = Text(value.version);
      dict["value"] = py::bytes(value.value);
      return dict;
    };
    using Names = std::pair<std::string, std::string>;
    ReadInto<Names> read = [](const py::dict& answer, Names* names) {
      *names = {answer["name"].cast<std::string>(), answer["version"].cast<std::string>()};
      return Status::Ok();
    };
    auto asking = Ask(Plain("parameterize"), std::move(make), std::move(read));
    co_return co_await std::move(asking);
  }

  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override {
    if (Offers("check_config")) {
      auto checking = AskCheck("check_config", std::move(request));
      co_return co_await std::move(checking);
    }
    CheckResponse response;
    response.inputs = std::move(request.new_inputs);
    co_return response;
  }

  // A changed configuration concerns no resource by itself; the engine compares the inputs.
  Task<Result<DiffResponse>> DiffConfig(DiffRequest request) override {
    if (!Offers("diff_config")) co_return DiffResponse();
    auto asking = AskDiff("diff_config", std::move(request));
    co_return co_await std::move(asking);
  }

  Task<Status> Configure(ConfigureRequest request) override {
    PythonCall call = About("configure", request);
    call.request = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["id"] = Text(request.id);
      dict["inputs"] = ToPython(request.inputs);
      return dict;
    };
    call.read = Nothing();
    auto calling = calls_.Call(std::move(call));
    co_return co_await std::move(calling);
  }

  Task<Result<CheckResponse>> Check(CheckRequest request) override { return AskCheck("check", std::move(request)); }
  Task<Result<DiffResponse>> Diff(DiffRequest request) override { return AskDiff("diff", std::move(request)); }

  Task<Result<CreateResponse>> Create(CreateRequest request) override {
    PythonCall call = About("create", request, request.timeout_s);
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["inputs"] = ToPython(request.inputs);
      dict["preview"] = request.preview;
      AddTimeout(request.timeout_s, &dict);
      AddViews(request.status, {}, &dict);
      return dict;
    };
    ReadInto<CreateResponse> read = [](const py::dict& answer, CreateResponse* response) {
      response->id = answer["id"].cast<std::string>();
      response->outputs = ToProperties(answer["outputs"]);
      response->refresh_before_update = RefreshFirst(answer);
      return Status::Ok();
    };
    auto asking = Ask(std::move(call), std::move(make), std::move(read));
    Result<CreateResponse> created = co_await std::move(asking);
    if (created.ok() || !UnknownOutcome(created.status())) co_return created;
    co_return created.status().With(MayHaveHappened());
  }

  Task<Result<ReadResponse>> Read(ReadRequest request) override {
    PythonCall call = About("read", request, request.timeout_s);
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["id"] = Text(request.id);
      dict["inputs"] = ToPython(request.inputs);
      dict["outputs"] = ToPython(request.outputs);
      AddTimeout(request.timeout_s, &dict);
      AddViews(request.status, request.old_views, &dict);
      return dict;
    };
    ReadInto<ReadResponse> read = [](const py::dict& answer, ReadResponse* response) {
      response->id = answer["id"].cast<std::string>();
      response->inputs = OptionalProperties(answer["inputs"]);
      response->outputs = OptionalProperties(answer["outputs"]);
      response->refresh_before_update = RefreshFirst(answer);
      return Status::Ok();
    };
    return Ask(std::move(call), std::move(make), std::move(read));
  }

  Task<Result<UpdateResponse>> Update(UpdateRequest request) override {
    PythonCall call = About("update", request, request.timeout_s);
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["id"] = Text(request.id);
      dict["old_inputs"] = ToPython(request.old_inputs);
      dict["old_outputs"] = ToPython(request.old_outputs);
      dict["new_inputs"] = ToPython(request.new_inputs);
      dict["ignore_changes"] = Texts(request.ignore_changes);
      dict["preview"] = request.preview;
      AddTimeout(request.timeout_s, &dict);
      AddViews(request.status, request.old_views, &dict);
      return dict;
    };
    ReadInto<UpdateResponse> read = [](const py::dict& answer, UpdateResponse* response) {
      response->outputs = ToProperties(answer["outputs"]);
      response->refresh_before_update = RefreshFirst(answer);
      return Status::Ok();
    };
    return Ask(std::move(call), std::move(make), std::move(read));
  }

  Task<Status> Delete(DeleteRequest request) override {
    PythonCall call = About("delete", request, request.timeout_s);
    call.request = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["id"] = Text(request.id);
      dict["inputs"] = ToPython(request.inputs);
      dict["outputs"] = ToPython(request.outputs);
      AddTimeout(request.timeout_s, &dict);
      AddViews(request.status, request.old_views, &dict);
      return dict;
    };
    call.read = Nothing();
    auto calling = calls_.Call(std::move(call));
    co_return co_await std::move(calling);
  }

  Task<Result<ConstructResponse>> Construct(ConstructRequest request) override {
    if (!Offers("construct")) co_return Unsupported("components");
    const Result<ProgramAddresses> addresses = monitor_();
    if (!addresses.ok()) co_return addresses.status();
    Result<std::string> message = ConstructBytes(request, addresses->monitor);
    if (!message.ok()) co_return message.status();
    PythonCall call = Plain("construct");
    call.what = "construct of '" + request.name + "'";
    ReadInto<ConstructResponse> read = [request = std::move(request)](const py::dict& answer, ConstructResponse* out) {
      return Move(ConstructedFromBytes(answer["message"].cast<std::string>(), request), out);
    };
    auto asking = Ask(std::move(call), Message(std::move(*message), addresses->engine), std::move(read));
    co_return co_await std::move(asking);
  }

  Task<Result<InvokeResponse>> Invoke(InvokeRequest request) override {
    MakeRequest make = [request = std::move(request)] {
      py::dict dict;
      dict["token"] = Text(request.token);
      dict["args"] = ToPython(request.args);
      dict["preview"] = request.preview;
      return dict;
    };
    ReadInto<InvokeResponse> read = [](const py::dict& answer, InvokeResponse* response) {
      response->result = ToProperties(answer["result"]);
      response->failures = FailuresOf(answer["failures"]);
      return Status::Ok();
    };
    return Ask(Plain("invoke"), std::move(make), std::move(read));
  }

  Task<Result<CallResponse>> Call(CallRequest request) override {
    if (!Offers("call")) co_return Unsupported("methods");
    const Result<ProgramAddresses> addresses = monitor_();
    if (!addresses.ok()) co_return addresses.status();
    Result<std::string> message = CallBytes(request, addresses->monitor);
    if (!message.ok()) co_return message.status();
    ReadInto<CallResponse> read = [request = std::move(request)](const py::dict& answer, CallResponse* out) {
      return Move(CalledFromBytes(answer["message"].cast<std::string>(), request), out);
    };
    auto asking = Ask(Plain("call"), Message(std::move(*message), addresses->engine), std::move(read));
    co_return co_await std::move(asking);
  }

  Task<Result<std::string>> GetSchema(SchemaRequest request) override {
    if (!Offers("get_schema")) co_return Unsupported("a schema");
    MakeRequest make = [request = std::move(request)] {
      py::dict dict;
      dict["version"] = request.version;
      dict["subpackage_name"] = Text(request.subpackage_name);
      dict["subpackage_version"] = Text(request.subpackage_version);
      return dict;
    };
    ReadInto<std::string> read = [](const py::dict& answer, std::string* schema) {
      *schema = answer["schema"].cast<std::string>();
      return Status::Ok();
    };
    auto asking = Ask(Plain("get_schema"), std::move(make), std::move(read));
    co_return co_await std::move(asking);
  }

  Task<void> Cancel() override {
    PythonCall call = Plain("cancel");
    call.request = [] { return py::dict(); };
    call.read = Nothing();
    auto calling = calls_.Call(std::move(call));
    (void)co_await std::move(calling);
  }

 private:
  static ReadAnswer Nothing() {
    return [](const py::dict&) { return Status::Ok(); };
  }

  static MakeRequest Message(std::string bytes, std::string engine) {
    return [bytes = std::move(bytes), engine = std::move(engine)] {
      py::dict dict;
      dict["message"] = py::bytes(bytes);
      dict["engine_address"] = Text(engine);
      return dict;
    };
  }

  bool Offers(const std::string& method) const { return part_.offers.count(method) > 0; }

  PythonCall Plain(std::string method) const {
    PythonCall call;
    call.bridge = part_.bridge;
    call.what = method + " of package " + package_;
    call.method = std::move(method);
    call.instance = instance_;
    call.timeout_s = part_.timeout_s;
    return call;
  }

  // `own_timeout`: the program's; the provider has a little longer to say itself that it took too long.
  template <class Request>
  PythonCall About(const std::string& method, const Request& request, double own_timeout = 0) const {
    PythonCall call = Plain(method);
    call.what = method + " of '" + std::string(request.urn.name()) + "'";
    if (own_timeout > 0) call.timeout_s = own_timeout + kTimeoutGrace;
    return call;
  }

  Task<Result<CheckResponse>> AskCheck(const std::string& method, CheckRequest request) {
    PythonCall call = About(method, request);
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["old_inputs"] = ToPython(request.old_inputs);
      dict["old_outputs"] = ToPython(request.old_outputs);
      dict["new_inputs"] = ToPython(request.new_inputs);
      dict["random_seed"] = py::bytes(request.random_seed);
      if (request.autonaming) dict["proposed_name"] = Text(request.autonaming->proposed_name);
      return dict;
    };
    ReadInto<CheckResponse> read = [](const py::dict& answer, CheckResponse* response) {
      response->inputs = ToProperties(answer["inputs"]);
      response->failures = FailuresOf(answer["failures"]);
      return Status::Ok();
    };
    return Ask(std::move(call), std::move(make), std::move(read));
  }

  Task<Result<DiffResponse>> AskDiff(const std::string& method, DiffRequest request) {
    PythonCall call = About(method, request);
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["id"] = Text(request.id);
      dict["old_inputs"] = ToPython(request.old_inputs);
      dict["old_outputs"] = ToPython(request.old_outputs);
      dict["new_inputs"] = ToPython(request.new_inputs);
      dict["ignore_changes"] = Texts(request.ignore_changes);
      return dict;
    };
    ReadInto<DiffResponse> read = [](const py::dict& answer, DiffResponse* response) {
      return ReadDiff(answer, response);
    };
    return Ask(std::move(call), std::move(make), std::move(read));
  }

  template <class Response>
  Task<Result<Response>> Ask(PythonCall call, MakeRequest make, ReadInto<Response> read_into) {
    auto response = std::make_shared<Response>();
    call.request = std::move(make);
    call.read = [response, read_into = std::move(read_into)](const py::dict& answer) {
      return read_into(answer, response.get());
    };
    auto calling = calls_.Call(std::move(call));
    const Status status = co_await std::move(calling);
    if (!status.ok()) co_return status;
    co_return std::move(*response);
  }

  Status Unsupported(const std::string& what) const {
    return Status(Code::kUnimplemented, "the Python provider of package " + package_ + " does not offer " + what);
  }

  PythonCalls& calls_;
  const int instance_ = calls_.NewInstance();
  const ProviderPart part_;
  const std::string package_;
  const AskMonitor monitor_;
  ProviderFeatures features_;
};

}  // namespace

ProviderPtr NewPythonProvider(PythonCalls& calls, ProviderPart part, std::string package, AskMonitor monitor) {
  return std::make_shared<PythonProvider>(calls, std::move(part), std::move(package), std::move(monitor));
}

}  // namespace kingpost::python
