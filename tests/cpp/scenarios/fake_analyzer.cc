// SPDX-License-Identifier: Apache-2.0
// A policy pack whose rules are data: {name, level, stack: bool, type, when: {PROPERTY: VALUE}, message, set: {..},
// refuses: TEXT, applies: bool}.
// A rule is violated by a resource of its type (any, if none is named) whose properties match `when`.
#include "scenarios/world.h"

namespace kingpost::scenarios {

namespace {

EnforcementLevel ParseLevel(const std::string& name) {
  for (const auto level : {EnforcementLevel::kAdvisory, EnforcementLevel::kMandatory, EnforcementLevel::kDisabled,
                           EnforcementLevel::kRemediate}) {
    if (name == EnforcementLevelName(level)) return level;
  }
  throw Mistake("unknown enforcement level \"" + name + "\"");
}

class FakeAnalyzer : public Analyzer {
 public:
  FakeAnalyzer(World& world, const Json& pack) : world_(world), name_(pack["pack"]), rules_(pack["rules"]) {
    for (const Json& rule : rules_) {
      AllowOnly(rule, {"name", "level", "stack", "type", "when", "message", "set", "refuses", "applies"},
                "policies." + name_);
    }
    version_ = pack.value("version", "1.0.0");
    broken_ = pack.value("broken", "");
    for (const Json& exception : pack.value("exceptions", Json::array())) {
      AllowOnly(exception, {"id", "reason", "policies", "targets"}, "policies." + name_ + ".exceptions");
      exceptions_.push_back(exception);
    }
  }

  const std::string& name() const override { return name_; }

  Task<Result<AnalyzerInfo>> GetInfo() override {
    if (!broken_.empty()) co_return Status(Code::kUnknown, broken_);
    AnalyzerInfo info;
    info.name = name_;
    info.version = version_;
    for (const Json& rule : rules_) {
      PolicyInfo policy;
      policy.name = rule["name"];
      policy.level = ParseLevel(rule.value("level", "mandatory"));
      policy.type = rule.value("stack", false) ? PolicyType::kStack : PolicyType::kResource;
      info.policies.push_back(std::move(policy));
    }
    for (const Json& given : exceptions_) {
      PolicyException& exception = info.exceptions.emplace_back();
      exception.id = given["id"];
      exception.reason = given.value("reason", "it is allowed");
      PolicyException::Match& match = exception.matches.emplace_back();
      match.policies = given["policies"].get<std::vector<std::string>>();
      for (const std::string label : given["targets"]) match.targets.emplace_back(world_.names.UrnOf(label));
    }
    co_return info;
  }

  Task<Result<std::vector<PolicyDiagnostic>>> Analyze(AnalyzerResource resource) override {
    Json details = Described(resource, "inputs");
    Task<std::optional<Fault>> entering = world_.Enter("analyze " + resource.name + " by " + name_, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    std::vector<PolicyDiagnostic> found;
    for (const Json& rule : rules_) {
      if (!rule.value("stack", false) && !rule.contains("set") && Violates(rule, resource)) {
        found.push_back(Diagnostic(rule, resource));
      }
    }
    co_return found;
  }

  Task<Result<std::vector<Remediation>>> Remediate(AnalyzerResource resource) override {
    Json details = Described(resource, "inputs");
    Task<std::optional<Fault>> entering =
        world_.Enter("remediate " + resource.name + " by " + name_, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    std::vector<Remediation> found;
    for (const Json& rule : rules_) {
      if (!rule.contains("set") || !Violates(rule, resource)) continue;
      Remediation remediation;
      remediation.policy = rule["name"];
      remediation.pack = name_;
      remediation.pack_version = version_;
      remediation.diagnostic = rule.value("refuses", "");
      remediation.not_applicable = !rule.value("applies", true);
      PropertyMap wanted = resource.properties;
      for (const auto& [key, value] : rule["set"].items()) wanted.Set(key, world_.names.ToValue(value));
      if (remediation.diagnostic.empty() && !remediation.not_applicable) resource.properties = wanted;
      remediation.properties = std::move(wanted);
      found.push_back(std::move(remediation));
    }
    co_return found;
  }

  Task<Result<std::vector<PolicyDiagnostic>>> AnalyzeStack(std::vector<AnalyzerResource> resources) override {
    Json details = {{"resources", Json::array()}};
    for (const AnalyzerResource& resource : resources) {
      details["resources"].push_back(resource.name);
      details[resource.name] = Described(resource, "outputs");
    }
    Task<std::optional<Fault>> entering = world_.Enter("analyze stack by " + name_, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    std::vector<PolicyDiagnostic> found;
    for (const Json& rule : rules_) {
      if (!rule.value("stack", false)) continue;
      for (const AnalyzerResource& resource : resources) {
        if (Violates(rule, resource)) found.push_back(Diagnostic(rule, resource));
      }
    }
    co_return found;
  }

  Task<void> Cancel() override {
    world_.calls.push_back("cancel " + name_);
    co_return;
  }

 private:
  Json LabelsOf(const std::vector<Urn>& urns) const {
    Json labels = Json::array();
    for (const Urn& urn : urns) labels.push_back(world_.names.Label(urn));
    return labels;
  }

  // All that a pack is told of it; the properties are called as given.
  Json Described(const AnalyzerResource& resource, const char* properties) const {
    Json told = {{"urn", world_.names.Label(resource.urn)},
                 {"type", resource.type},
                 {properties, world_.names.ToJson(resource.properties)},
                 {"protect", resource.protect},
                 {"ignoreChanges", resource.ignore_changes},
                 {"additionalSecretOutputs", resource.additional_secret_outputs},
                 {"timeouts", Json::array({resource.custom_timeouts.create_s, resource.custom_timeouts.update_s,
                                           resource.custom_timeouts.delete_s, resource.custom_timeouts.read_s})},
                 {"parent", resource.parent.empty() ? "" : world_.names.Label(resource.parent)},
                 {"dependencies", LabelsOf(resource.dependencies)},
                 {"propertyDependencies", Json::object()},
                 {"aliases", Json::array()}};
    if (resource.delete_before_replace) told["deleteBeforeReplace"] = *resource.delete_before_replace;
    for (const Alias& alias : resource.aliases) told["aliases"].push_back(world_.names.Label(alias.urn));
    for (const auto& [key, urns] : resource.property_dependencies) {
      told["propertyDependencies"][std::string(key)] = LabelsOf(urns);
    }
    if (const auto& provider = resource.provider) {
      told["provider"] = {{"urn", world_.names.Label(provider->urn)},
                          {"type", provider->type},
                          {"name", provider->name},
                          {"inputs", world_.names.ToJson(provider->properties)}};
    }
    return told;
  }

  bool Violates(const Json& rule, const AnalyzerResource& resource) const {
    if (rule.value("type", resource.type) != resource.type) return false;
    const Json properties = world_.names.ToJson(resource.properties);
    for (const auto& [key, value] : Mapping(rule, "when").items()) {
      if (properties.value(key, Json()) != value) return false;
    }
    return true;
  }

  PolicyDiagnostic Diagnostic(const Json& rule, const AnalyzerResource& resource) const {
    PolicyDiagnostic diagnostic;
    diagnostic.policy = rule["name"];
    diagnostic.pack = name_;
    diagnostic.pack_version = version_;
    diagnostic.message = rule.value("message", "not allowed");
    diagnostic.level = ParseLevel(rule.value("level", "mandatory"));
    diagnostic.not_applicable = !rule.value("applies", true);
    diagnostic.urn = resource.urn;
    return diagnostic;
  }

  World& world_;
  const std::string name_;
  const Json rules_;
  std::vector<Json> exceptions_;
  std::string version_, broken_;
};

}  // namespace

AnalyzerPtr NewFakeAnalyzer(World& world, const Json& pack) { return std::make_shared<FakeAnalyzer>(world, pack); }

}  // namespace kingpost::scenarios
