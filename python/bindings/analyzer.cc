// SPDX-License-Identifier: Apache-2.0
#include "bindings/analyzer.h"

#include "bindings/call.h"
#include "bindings/values.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

py::dict Describe(const AnalyzerResource& resource) {
  py::dict dict;
  dict["urn"] = Text(resource.urn.str());
  dict["type"] = Text(resource.type);
  dict["name"] = Text(resource.name);
  dict["properties"] = ToPython(resource.properties);
  dict["parent"] = Text(resource.parent.str());
  dict["protect"] = resource.protect;
  dict["dependencies"] = Texts(resource.dependencies);
  dict["provider"] = resource.provider ? Text(resource.provider->urn.str()) : Text("");
  return dict;
}

class PythonAnalyzer final : public Analyzer {
 public:
  PythonAnalyzer(WorkerPool& pool, SharedObject bridge, std::string name)
      : pool_(pool), bridge_(std::move(bridge)), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }

  Task<Result<AnalyzerInfo>> GetInfo() override {
    AnalyzerInfo info;
    info.name = name_;
    PolicyInfo policy;
    policy.name = name_;
    policy.level = EnforcementLevel::kMandatory;
    info.policies.push_back(std::move(policy));
    co_return info;
  }

  Task<Result<std::vector<PolicyDiagnostic>>> Analyze(AnalyzerResource resource) override {
    const Urn urn = resource.urn;
    MakeRequest make = [resource = std::move(resource)] { return Describe(resource); };
    auto found = std::make_shared<std::vector<PolicyDiagnostic>>();
    ReadAnswer read = [found, urn, name = name_](const py::dict& answer) {
      for (const py::handle& item : py::iter(answer["violations"])) {
        const py::tuple pair = py::reinterpret_borrow<py::tuple>(item);
        PolicyDiagnostic diagnostic;
        diagnostic.policy = diagnostic.pack = name;
        diagnostic.message = pair[0].cast<std::string>();
        diagnostic.level = pair[1].cast<bool>() ? EnforcementLevel::kAdvisory : EnforcementLevel::kMandatory;
        diagnostic.urn = urn;
        found->push_back(std::move(diagnostic));
      }
      return Status::Ok();
    };
    auto calling = CallOn(pool_, bridge_, "analyze", std::move(make), std::move(read));
    const Status status = co_await std::move(calling);
    if (!status.ok()) co_return status.Wrap("policy " + name_);
    co_return std::move(*found);
  }

  Task<Result<std::vector<Remediation>>> Remediate(AnalyzerResource) override { co_return std::vector<Remediation>(); }
  Task<Result<std::vector<PolicyDiagnostic>>> AnalyzeStack(std::vector<AnalyzerResource>) override {
    co_return std::vector<PolicyDiagnostic>();
  }
  Task<void> Cancel() override { co_return; }

 private:
  WorkerPool& pool_;
  const SharedObject bridge_;
  const std::string name_;
};

}  // namespace

AnalyzerPtr NewPythonAnalyzer(WorkerPool& pool, SharedObject bridge, std::string name) {
  return std::make_shared<PythonAnalyzer>(pool, std::move(bridge), std::move(name));
}

}  // namespace kingpost::python
