// SPDX-License-Identifier: Apache-2.0
#include "bindings/provider.h"

#include "bindings/call.h"
#include "bindings/values.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

template <class Request>
py::dict Identity(const Request& request) {
  py::dict dict;
  dict["urn"] = Text(request.urn.str());
  dict["type"] = Text(request.type);
  dict["name"] = Text(request.name);
  return dict;
}

void AddTimeout(double seconds, py::dict* dict) {
  if (seconds > 0) (*dict)["timeout"] = seconds;
}

std::vector<CheckFailure> FailuresOf(py::handle list) {
  std::vector<CheckFailure> failures;
  for (const py::handle& item : py::iter(list)) {
    const py::tuple pair = py::reinterpret_borrow<py::tuple>(item);
    failures.push_back({pair[0].cast<std::string>(), pair[1].cast<std::string>()});
  }
  return failures;
}

Status ReadDetailed(py::handle object, DiffResponse* response) {
  if (object.is_none()) return Status::Ok();
  response->has_detailed = true;
  for (const auto& [path, entry] : py::reinterpret_borrow<py::dict>(object)) {
    const py::tuple pair = py::reinterpret_borrow<py::tuple>(entry);
    const std::string name = pair[0].cast<std::string>();
    const auto kind = ParseDiffKind(name);
    if (!kind)
      return Status(Code::kUnknown, "diff: \"" + name +
                                        "\" is not a kind of change; use add, update, "
                                        "delete, add-replace, update-replace or delete-replace");
    response->detailed[path.cast<std::string>()] = PropertyDiff{*kind, pair[1].cast<bool>()};
  }
  return Status::Ok();
}

Status ReadDiff(const py::dict& answer, DiffResponse* response) {
  const py::object changes = answer["changes"];
  if (!changes.is_none()) response->changes = changes.cast<bool>() ? DiffChanges::kSome : DiffChanges::kNone;
  response->replaces = ToTexts(answer["replaces"]);
  response->stables = ToTexts(answer["stables"]);
  response->changed_keys = ToTexts(answer["diffs"]);
  response->delete_before_replace = answer["delete_before_replace"].cast<bool>();
  return ReadDetailed(answer["detailed"], response);
}

std::optional<PropertyMap> OptionalProperties(py::handle object) {
  if (object.is_none()) return std::nullopt;
  return ToProperties(object);
}

template <class Response>
using ReadInto = std::function<Status(const py::dict& answer, Response* response)>;

class PythonProvider final : public Provider, public std::enable_shared_from_this<PythonProvider> {
 public:
  PythonProvider(WorkerPool& pool, SharedObject bridge, std::string package)
      : pool_(pool), bridge_(std::move(bridge)), package_(std::move(package)) {
    features_.supports_preview = true;
    features_.accept_secrets = true;
    features_.accept_resources = true;
    features_.accepts_byte_string = true;
  }

  const ProviderFeatures& features() const override { return features_; }
  std::string version() const override { return ""; }

  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization) override {
    co_return Unsupported("parameterization");
  }

  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override {
    CheckResponse response;
    response.inputs = std::move(request.new_inputs);
    co_return response;
  }

  // A changed configuration concerns no resource by itself; the engine compares the inputs.
  Task<Result<DiffResponse>> DiffConfig(DiffRequest) override { co_return DiffResponse(); }

  Task<Status> Configure(ConfigureRequest request) override {
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["inputs"] = ToPython(request.inputs);
      return dict;
    };
    ReadAnswer read = [](const py::dict&) { return Status::Ok(); };
    auto calling = CallOn(pool_, bridge_, "configure", std::move(make), std::move(read));
    co_return co_await std::move(calling);
  }

  Task<Result<CheckResponse>> Check(CheckRequest request) override {
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["old_inputs"] = ToPython(request.old_inputs);
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
    return Ask("check", std::move(make), std::move(read));
  }

  Task<Result<DiffResponse>> Diff(DiffRequest request) override {
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
    return Ask("diff", std::move(make), std::move(read));
  }

  Task<Result<CreateResponse>> Create(CreateRequest request) override {
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["inputs"] = ToPython(request.inputs);
      dict["preview"] = request.preview;
      AddTimeout(request.timeout_s, &dict);
      return dict;
    };
    ReadInto<CreateResponse> read = [](const py::dict& answer, CreateResponse* response) {
      response->id = answer["id"].cast<std::string>();
      response->outputs = ToProperties(answer["outputs"]);
      return Status::Ok();
    };
    return Ask("create", std::move(make), std::move(read));
  }

  Task<Result<ReadResponse>> Read(ReadRequest request) override {
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["id"] = Text(request.id);
      dict["inputs"] = ToPython(request.inputs);
      dict["outputs"] = ToPython(request.outputs);
      AddTimeout(request.timeout_s, &dict);
      return dict;
    };
    ReadInto<ReadResponse> read = [](const py::dict& answer, ReadResponse* response) {
      response->id = answer["id"].cast<std::string>();
      response->inputs = OptionalProperties(answer["inputs"]);
      response->outputs = OptionalProperties(answer["outputs"]);
      return Status::Ok();
    };
    return Ask("read", std::move(make), std::move(read));
  }

  Task<Result<UpdateResponse>> Update(UpdateRequest request) override {
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["id"] = Text(request.id);
      dict["old_inputs"] = ToPython(request.old_inputs);
      dict["old_outputs"] = ToPython(request.old_outputs);
      dict["new_inputs"] = ToPython(request.new_inputs);
      dict["ignore_changes"] = Texts(request.ignore_changes);
      dict["preview"] = request.preview;
      AddTimeout(request.timeout_s, &dict);
      return dict;
    };
    ReadInto<UpdateResponse> read = [](const py::dict& answer, UpdateResponse* response) {
      response->outputs = ToProperties(answer["outputs"]);
      return Status::Ok();
    };
    return Ask("update", std::move(make), std::move(read));
  }

  Task<Status> Delete(DeleteRequest request) override {
    MakeRequest make = [request = std::move(request)] {
      py::dict dict = Identity(request);
      dict["id"] = Text(request.id);
      dict["inputs"] = ToPython(request.inputs);
      dict["outputs"] = ToPython(request.outputs);
      AddTimeout(request.timeout_s, &dict);
      return dict;
    };
    ReadAnswer read = [](const py::dict&) { return Status::Ok(); };
    auto calling = CallOn(pool_, bridge_, "delete", std::move(make), std::move(read));
    co_return co_await std::move(calling);
  }

  Task<Result<ConstructResponse>> Construct(ConstructRequest) override { co_return Unsupported("components"); }

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
    return Ask("invoke", std::move(make), std::move(read));
  }

  Task<Result<CallResponse>> Call(CallRequest) override { co_return Unsupported("methods"); }
  Task<Result<std::string>> GetSchema(SchemaRequest) override { co_return Unsupported("a schema"); }

  Task<void> Cancel() override {
    MakeRequest make = [] { return py::dict(); };
    ReadAnswer read = [](const py::dict&) { return Status::Ok(); };
    auto calling = CallOn(pool_, bridge_, "cancel", std::move(make), std::move(read));
    (void)co_await std::move(calling);
  }

 private:
  template <class Response>
  Task<Result<Response>> Ask(std::string method, MakeRequest make, ReadInto<Response> read_into) {
    auto response = std::make_shared<Response>();
    ReadAnswer read = [response, read_into = std::move(read_into)](const py::dict& answer) {
      return read_into(answer, response.get());
    };
    auto calling = CallOn(pool_, bridge_, std::move(method), std::move(make), std::move(read));
    const Status status = co_await std::move(calling);
    if (!status.ok()) co_return status;
    co_return std::move(*response);
  }

  Status Unsupported(const std::string& what) const {
    return Status(Code::kUnimplemented, "the Python provider of package " + package_ + " does not offer " + what);
  }

  WorkerPool& pool_;
  const SharedObject bridge_;
  const std::string package_;
  ProviderFeatures features_;
};

}  // namespace

ProviderPtr NewPythonProvider(WorkerPool& pool, SharedObject bridge, std::string package) {
  return std::make_shared<PythonProvider>(pool, std::move(bridge), std::move(package));
}

}  // namespace kingpost::python
