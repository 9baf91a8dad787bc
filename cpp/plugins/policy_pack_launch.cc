// SPDX-License-Identifier: Apache-2.0
#include "plugins/policy_pack_launch.h"

#include "base/encoding.h"
#include "base/os.h"

namespace kingpost {

namespace {

Result<PolicyPackConfig> ReadConfigFile(const std::string& path) {
  if (path.empty()) return PolicyPackConfig();
  const Result<std::string> text = ReadWholeFile(path);
  if (text.status().code() == Code::kNotFound) {
    return Status(Code::kNotFound, "open " + path + ": no such file or directory");
  }
  if (!text.ok()) return text.status();
  return ParsePolicyPackConfig(*text, path);
}

}  // namespace

Result<PreparedPack> PreparePack(const AnalyzerSpec& spec, const LaunchContext& context) {
  auto pack = LoadPolicyPack(spec.path);
  if (!pack.ok()) return pack.status();
  auto config = ReadConfigFile(spec.config_path);
  if (!config.ok()) return config.status();
  auto launch = LaunchPolicyPack(*pack, context);
  if (!launch.ok()) return launch.status().Wrap("policy pack " + Quote(spec.path) + " failed to start");
  return PreparedPack{std::move(*pack), std::move(*launch), std::move(*config)};
}

}  // namespace kingpost
