// SPDX-License-Identifier: Apache-2.0
// The words that events use for severities and enforcement levels. Pure; any thread.
#include "kingpost/analyzer.h"
#include "kingpost/monitor.h"

namespace kingpost {

const char* SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kDebug:
      return "debug";
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
    case Severity::kInfoErr:
      return "info#err";
  }
  return "";
}

const char* EnforcementLevelName(EnforcementLevel level) {
  switch (level) {
    case EnforcementLevel::kAdvisory:
      return "advisory";
    case EnforcementLevel::kMandatory:
      return "mandatory";
    case EnforcementLevel::kDisabled:
      return "disabled";
    case EnforcementLevel::kRemediate:
      return "remediate";
  }
  return "";
}

}  // namespace kingpost
