// SPDX-License-Identifier: Apache-2.0
// The words that stand in events and that programs compare (docs/rules.md, group 10).
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "kingpost/analyzer.h"
#include "kingpost/monitor.h"

namespace kingpost::event_words_test {

TEST_CASE("each severity has its word") {
  const std::pair<Severity, std::string> words[] = {{Severity::kDebug, "debug"},
                                                    {Severity::kInfo, "info"},
                                                    {Severity::kWarning, "warning"},
                                                    {Severity::kError, "error"},
                                                    {Severity::kInfoErr, "info#err"}};
  for (const auto& [severity, word] : words) CHECK(SeverityName(severity) == word);
}

TEST_CASE("each level of enforcement has its word") {
  const std::pair<EnforcementLevel, std::string> words[] = {{EnforcementLevel::kAdvisory, "advisory"},
                                                            {EnforcementLevel::kMandatory, "mandatory"},
                                                            {EnforcementLevel::kDisabled, "disabled"},
                                                            {EnforcementLevel::kRemediate, "remediate"}};
  for (const auto& [level, word] : words) CHECK(EnforcementLevelName(level) == word);
}

}  // namespace kingpost::event_words_test
