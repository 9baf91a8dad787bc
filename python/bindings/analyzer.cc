// SPDX-License-Identifier: Apache-2.0
#include "bindings/analyzer.h"

#include <pybind11/stl.h>

#include "bindings/values.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

py::object DescribeProvider(const std::optional<AnalyzerProvider>& provider) {
  if (!provider) return py::none();
  py::dict dict;
  dict["urn"] = Text(provider->urn.str());
  dict["type"] = Text(provider->type);
  dict["name"] = Text(provider->name);
  dict["properties"] = ToPython(provider->properties);
  return dict;
}

py::dict DescribeResource(const AnalyzerResource& resource) {
  py::dict dict;
  dict["urn"] = Text(resource.urn.str());
  dict["type"] = Text(resource.type);
  dict["name"] = Text(resource.name);
  dict["properties"] = ToPython(resource.properties);
  dict["parent"] = Text(resource.parent.str());
  dict["protect"] = resource.protect;
  dict["dependencies"] = Texts(resource.dependencies);
  dict["ignore_changes"] = Texts(resource.ignore_changes);
  dict["additional_secret_outputs"] = Texts(resource.additional_secret_outputs);
  dict["provider"] = DescribeProvider(resource.provider);
  py::dict dependencies;
  for (const auto& [property, urns] : resource.property_dependencies) dependencies[Text(property)] = Texts(urns);
  dict["property_dependencies"] = dependencies;
  return dict;
}

EnforcementLevel LevelOf(py::handle name) {
  const std::string text = name.cast<std::string>();
  if (text == "mandatory") return EnforcementLevel::kMandatory;
  if (text == "disabled") return EnforcementLevel::kDisabled;
  if (text == "remediate") return EnforcementLevel::kRemediate;
  return EnforcementLevel::kAdvisory;
}

std::string FieldOf(const py::dict& dict, const char* key) { return dict[key].cast<std::string>(); }

PolicyDiagnostic DiagnosticOf(const py::dict& item, const std::string& pack) {
  PolicyDiagnostic diagnostic;
  diagnostic.policy = FieldOf(item, "policy");
  diagnostic.pack = pack;
  diagnostic.description = FieldOf(item, "description");
  diagnostic.message = FieldOf(item, "message");
  diagnostic.level = LevelOf(item["level"]);
  diagnostic.severity = FieldOf(item, "severity");
  diagnostic.urn = Urn(FieldOf(item, "urn"));
  return diagnostic;
}

Remediation RemediationOf(const py::dict& item, const std::string& pack) {
  Remediation remediation;
  remediation.policy = FieldOf(item, "policy");
  remediation.pack = pack;
  remediation.description = FieldOf(item, "description");
  remediation.diagnostic = FieldOf(item, "message");
  if (!item["properties"].is_none()) remediation.properties = ToProperties(item["properties"]);
  return remediation;
}

PolicyInfo InfoOf(const py::dict& item) {
  PolicyInfo policy;
  policy.name = policy.display_name = FieldOf(item, "name");
  policy.description = FieldOf(item, "description");
  policy.level = LevelOf(item["level"]);
  policy.type = item["stack"].cast<bool>() ? PolicyType::kStack : PolicyType::kResource;
  return policy;
}

PolicyException ExceptionOf(const py::dict& item) {
  PolicyException exception;
  exception.id = FieldOf(item, "id");
  exception.reason = FieldOf(item, "reason");
  PolicyException::Match& match = exception.matches.emplace_back();
  match.policies = item["policies"].cast<std::vector<std::string>>();
  for (const std::string& urn : item["targets"].cast<std::vector<std::string>>()) match.targets.emplace_back(urn);
  return exception;
}

template <class Item>
std::vector<Item> ItemsOf(const py::dict& answer, const char* key, const std::function<Item(const py::dict&)>& read) {
  std::vector<Item> items;
  for (const py::handle& item : py::iter(answer[key])) items.push_back(read(py::reinterpret_borrow<py::dict>(item)));
  return items;
}

class PythonAnalyzer final : public Analyzer {
 public:
  PythonAnalyzer(PythonCalls& calls, SharedObject bridge, std::string name, double timeout_s)
      : calls_(calls), bridge_(std::move(bridge)), name_(std::move(name)), timeout_s_(timeout_s) {}

  const std::string& name() const override { return name_; }

  Task<Result<AnalyzerInfo>> GetInfo() override {
    auto info = std::make_shared<AnalyzerInfo>();
    info->name = info->display_name = name_;
    PythonCall call = CallOf("info", [] { return py::dict(); });
    call.read = [info](const py::dict& answer) {
      info->policies = ItemsOf<PolicyInfo>(answer, "policies", InfoOf);
      info->exceptions = ItemsOf<PolicyException>(answer, "exceptions", ExceptionOf);
      return Status::Ok();
    };
    auto calling = calls_.Call(std::move(call));
    const Status status = co_await std::move(calling);
    if (!status.ok()) co_return status;
    co_return *info;
  }

  Task<Result<std::vector<PolicyDiagnostic>>> Analyze(AnalyzerResource resource) override {
    MakeRequest make = [resource = std::move(resource)] { return DescribeResource(resource); };
    return Ask<PolicyDiagnostic>("analyze", "violations", std::move(make), Diagnostics());
  }

  Task<Result<std::vector<Remediation>>> Remediate(AnalyzerResource resource) override {
    MakeRequest make = [resource = std::move(resource)] { return DescribeResource(resource); };
    auto read = [pack = name_](const py::dict& item) { return RemediationOf(item, pack); };
    return Ask<Remediation>("remediate", "remediations", std::move(make), std::move(read));
  }

  Task<Result<std::vector<PolicyDiagnostic>>> AnalyzeStack(std::vector<AnalyzerResource> resources) override {
    MakeRequest make = [resources = std::move(resources)] {
      py::list list;
      for (const AnalyzerResource& resource : resources) list.append(DescribeResource(resource));
      py::dict dict;
      dict["resources"] = list;
      return dict;
    };
    return Ask<PolicyDiagnostic>("analyze_stack", "violations", std::move(make), Diagnostics());
  }

  Task<void> Cancel() override { co_return; }

 private:
  std::function<PolicyDiagnostic(const py::dict&)> Diagnostics() const {
    return [pack = name_](const py::dict& item) { return DiagnosticOf(item, pack); };
  }

  PythonCall CallOf(std::string method, MakeRequest make) const {
    PythonCall call;
    call.bridge = bridge_;
    call.what = method + " of the policies " + name_;
    call.method = std::move(method);
    call.timeout_s = timeout_s_;
    call.request = std::move(make);
    return call;
  }

  // Answers with the items of the list under `key`.
  template <class Item>
  Task<Result<std::vector<Item>>> Ask(std::string method, std::string key, MakeRequest make,
                                      std::function<Item(const py::dict&)> read_item) {
    auto items = std::make_shared<std::vector<Item>>();
    PythonCall call = CallOf(std::move(method), std::move(make));
    call.read = [items, key = std::move(key), read_item = std::move(read_item)](const py::dict& answer) {
      *items = ItemsOf<Item>(answer, key.c_str(), read_item);
      return Status::Ok();
    };
    auto calling = calls_.Call(std::move(call));
    const Status status = co_await std::move(calling);
    if (!status.ok()) co_return status;
    co_return std::move(*items);
  }

  PythonCalls& calls_;
  const SharedObject bridge_;
  const std::string name_;
  const double timeout_s_;
};

}  // namespace

AnalyzerPtr NewPythonAnalyzer(PythonCalls& calls, SharedObject bridge, std::string name, double timeout_s) {
  return std::make_shared<PythonAnalyzer>(calls, std::move(bridge), std::move(name), timeout_s);
}

}  // namespace kingpost::python
