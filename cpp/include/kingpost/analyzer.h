// SPDX-License-Identifier: Apache-2.0
// Analyzer: one policy pack (rows 9.1 to 9.5). A seam: gRPC plugins, Python callables and fakes implement it.
// Called on the engine thread; answers there. Secrets and unknowns are passed as they are.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/task.h"
#include "kingpost/policy_exception.h"
#include "model/resource.h"

namespace kingpost {

enum class EnforcementLevel { kAdvisory = 0, kMandatory = 1, kDisabled = 2, kRemediate = 3 };
const char* EnforcementLevelName(EnforcementLevel level);  // "advisory", ...

enum class PolicyType { kUnknown = 0, kResource = 1, kStack = 2 };

struct PolicyInfo {
  std::string name, display_name, description, message;
  EnforcementLevel level = EnforcementLevel::kAdvisory;
  PolicyType type = PolicyType::kUnknown;
};
struct AnalyzerInfo {
  std::string name, display_name, version;
  std::vector<PolicyInfo> policies;
  std::vector<PolicyException> exceptions;  // of the user's configuration
};

struct AnalyzerProvider {
  Urn urn;
  std::string type, name;
  PropertyMap properties;
};
struct AnalyzerResource {
  Urn urn;
  std::string type, name;
  PropertyMap properties;  // inputs for Analyze and Remediate, outputs for AnalyzeStack
  bool protect = false;
  std::vector<std::string> ignore_changes, additional_secret_outputs;
  std::optional<bool> delete_before_replace;
  std::vector<Alias> aliases;
  CustomTimeouts custom_timeouts;
  Urn parent;
  std::vector<Urn> dependencies;
  PropertyDependencies property_dependencies;
  std::optional<AnalyzerProvider> provider;
};

struct PolicyDiagnostic {
  std::string policy, pack, pack_version, description, message;
  EnforcementLevel level = EnforcementLevel::kAdvisory;
  Urn urn;
  std::string severity;         // "", "low", "medium", "high", "critical"
  bool not_applicable = false;  // no violation: the policy had nothing to say of this resource
};
struct Remediation {
  std::string policy, pack, pack_version, description;
  std::optional<PropertyMap> properties;
  std::string diagnostic;
  bool not_applicable = false;
};

class Analyzer {
 public:
  virtual ~Analyzer() = default;
  virtual const std::string& name() const = 0;
  virtual Task<Result<AnalyzerInfo>> GetInfo() = 0;
  virtual Task<Result<std::vector<PolicyDiagnostic>>> Analyze(AnalyzerResource resource) = 0;
  virtual Task<Result<std::vector<Remediation>>> Remediate(AnalyzerResource resource) = 0;
  virtual Task<Result<std::vector<PolicyDiagnostic>>> AnalyzeStack(std::vector<AnalyzerResource> resources) = 0;
  virtual Task<void> Cancel() = 0;
};
using AnalyzerPtr = std::shared_ptr<Analyzer>;

}  // namespace kingpost
