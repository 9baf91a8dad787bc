// SPDX-License-Identifier: Apache-2.0
#include "cli/session/variables.h"

#include <algorithm>

#include "base/os.h"

namespace kingpost {

namespace {

using HowKept = Variable::Kind;

// Switches of Pulumi that mean nothing here; the history tells them as switches too.
constexpr const char* kForeignSwitches[] = {"PULUMI_SKIP_UPDATE_CHECK",
                                            "PULUMI_DEV",
                                            "PULUMI_DEBUG_COMMANDS",
                                            "PULUMI_ERROR_OUTPUT_STRING",
                                            "PULUMI_ERROR_ON_DEPENDENCY_CYCLES",
                                            "PULUMI_NEO",
                                            "PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK",
                                            "PULUMI_SUPPRESS_NEO_LINK",
                                            "PULUMI_FALLBACK_TO_STATE_SECRETS_MANAGER",
                                            "PULUMI_DISABLE_SECRET_CACHE",
                                            "PULUMI_PARALLEL_DIFF",
                                            "PULUMI_DISABLE_JOURNALING",
                                            "PULUMI_DIY_BACKEND_NO_LEGACY_WARNING",
                                            "PULUMI_DISABLE_VALIDATION",
                                            "PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR",
                                            "PULUMI_DISABLE_REGISTRY_RESOLVE"};

}  // namespace

const std::vector<Variable>& KnownVariables() {
  static const std::vector<Variable> variables = {
      {"PULUMI_BACKEND_URL", HowKept::kText,
       "Where state is kept, before what was logged in to and what the project says"},
      {"PULUMI_CONFIG_PASSPHRASE", HowKept::kSecret, "The passphrase of the stack's secrets"},
      {"PULUMI_CONFIG_PASSPHRASE_FILE", HowKept::kText, "A file with that passphrase"},
      {"PULUMI_CONTINUE_ON_ERROR", HowKept::kSwitch, "Go on with what does not depend on a failure"},
      {"PULUMI_DEBUG_LANGUAGES", HowKept::kText, "NAME:PORT of language hosts that run already"},
      {"PULUMI_DEBUG_PROVIDERS", HowKept::kText, "NAME:PORT of providers that run already"},
      {"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", HowKept::kSwitch, "Do not download plugins that are missing"},
      {"PULUMI_DISABLE_CI_DETECTION", HowKept::kSwitch, "Do not look for a CI system for the history"},
      {"PULUMI_DISABLE_OUTPUT_VALUES", HowKept::kSwitch, "Keep output values from providers"},
      {"PULUMI_DISABLE_PROVIDER_PREVIEW", HowKept::kSwitch, "Do not ask providers in previews"},
      {"PULUMI_DISABLE_REFRESH_BEFORE_UPDATE", HowKept::kSwitch, "Do not refresh what providers want refreshed first"},
      {"PULUMI_DISABLE_RESOURCE_REFERENCES", HowKept::kSwitch, "Pass resources to programs as plain values"},
      {"PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS", HowKept::kSwitch, "Keep no backups of checkpoints"},
      {"PULUMI_DIY_BACKEND_GZIP", HowKept::kSwitch, "Compress what is kept with gzip"},
      {"PULUMI_DIY_BACKEND_RETAIN_CHECKPOINTS", HowKept::kSwitch, "Keep a copy of each checkpoint"},
      {"PULUMI_DIY_BACKEND_ZSTD", HowKept::kSwitch, "Compress what is kept with zstd"},
      {"PULUMI_ENABLE_LEGACY_DIFF", HowKept::kSwitch, "Compare inputs as the provider was last given them"},
      {"PULUMI_ENABLE_LEGACY_REFRESH_DIFF", HowKept::kSwitch, "Show outputs that a refresh found changed"},
      {"PULUMI_ENABLE_STREAMING_JSON_PREVIEW", HowKept::kSwitch, "preview --json prints events as they come"},
      {"PULUMI_EXPERIMENTAL", HowKept::kSwitch, "Enable what is experimental"},
      {"PULUMI_GO_USE_RUN", HowKept::kSwitch, "Run programs in Go with `go run`, instead of building them"},
      {"PULUMI_HOME", HowKept::kText, "The folder of plugins, credentials and selections"},
      {"PULUMI_IGNORE_AMBIENT_PLUGINS", HowKept::kSwitch, "Do not look for plugins on PATH"},
      {"PULUMI_OPTION_<FLAG>", HowKept::kText,
       "The value of a flag that is not given; PULUMI_OPTION_SKIP_PREVIEW=true"},
      {"PULUMI_PARALLEL", HowKept::kText, "How many operations may run at once"},
      {"PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES", HowKept::kText, "REGULAR_EXPRESSION=URL of where plugins come from"},
      {"PULUMI_POLICY_TEMPLATE_BRANCH", HowKept::kText, "The branch of the repository of templates of policy packs"},
      {"PULUMI_POLICY_TEMPLATE_GIT_REPOSITORY", HowKept::kText, "The repository of templates of policy packs"},
      {"PULUMI_POLICY_TEMPLATE_PATH", HowKept::kText, "A folder of templates of policy packs in its place"},
      {"PULUMI_PREFER_YARN", HowKept::kSwitch, "Install the packages of Node.js programs with yarn"},
      {"PULUMI_PYTHON_CMD", HowKept::kText, "The Python of programs without a virtual environment"},
      {"PULUMI_RUN_PROGRAM", HowKept::kSwitch, "Run the program in refresh and destroy"},
      {"PULUMI_SKIP_CHECKPOINTS", HowKept::kSwitch,
       "With KINGPOST_CHECKPOINT_EVERY_STEP: save the state at the end alone"},
      {"PULUMI_SKIP_CONFIRMATIONS", HowKept::kSwitch, "Do not ask before going on"},
      {"PULUMI_STACK", HowKept::kText, "The selected stack"},
      {"PULUMI_TEMPLATE_BRANCH", HowKept::kText, "The branch of the common repository of templates"},
      {"PULUMI_TEMPLATE_GIT_REPOSITORY", HowKept::kText, "The repository of templates that are not in the command"},
      {"PULUMI_TEMPLATE_PATH", HowKept::kText, "A folder of templates in its place"},
      {"KINGPOST_ACCELERATE", HowKept::kText, "0 runs programs without accelerators"},
      {"KINGPOST_CHECKPOINT_EVERY_STEP", HowKept::kSwitch,
       "Save the whole state with each step in buckets, with no keys but Pulumi's"},
      {"KINGPOST_CORE_DUMPS", HowKept::kSwitch, "The command may be debugged, and its crashes may leave core files"},
      {"KINGPOST_KEEP_KEYS", HowKept::kText, "Seconds for which the kernel keeps the keys of passphrases"},
      {"KINGPOST_LANGUAGE_HOSTS", HowKept::kText, "\"path\" runs programs with pulumi-language-NAME of PATH"},
      {"KINGPOST_PLUGIN_START_TIMEOUT", HowKept::kText, "Seconds that a plugin may take to start"},
      {"KINGPOST_TRUST_LOCAL_USERS", HowKept::kSwitch, "Ports of an operation are open to every user of the machine"},
  };
  return variables;
}

std::string HistoryTextOf(const std::string& name, const std::string& value) {
  const auto named = [&](const char* known) { return name == known; };
  const bool is_switch = std::any_of(std::begin(kForeignSwitches), std::end(kForeignSwitches), named) ||
                         std::any_of(KnownVariables().begin(), KnownVariables().end(), [&](const Variable& variable) {
                           return variable.kind == HowKept::kSwitch && name == variable.name &&
                                  name != "PULUMI_DISABLE_CI_DETECTION" &&
                                  name != "PULUMI_DISABLE_REFRESH_BEFORE_UPDATE";  // texts for the reference
                         });
  if (!is_switch) return "set";
  return IsTruthy(value) ? "true" : "false";
}

}  // namespace kingpost
