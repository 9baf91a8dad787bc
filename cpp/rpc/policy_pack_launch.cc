// SPDX-License-Identifier: Apache-2.0
#include "rpc/policy_pack_launch.h"

#include <fstream>
#include <sstream>

#include "base/encoding.h"

namespace kingpost {

namespace {

Result<PolicyConfigs> ReadConfigFile(const std::string& path) {
  if (path.empty()) return PolicyConfigs();
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status(Code::kNotFound, "cannot read the policy pack configuration " + path);
  std::stringstream text;
  text << file.rdbuf();
  return ParsePolicyConfigs(text.str(), path);
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
