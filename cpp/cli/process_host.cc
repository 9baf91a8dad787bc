#include "cli/process_host.h"

#include "rpc/grpc_host.h"

namespace kingpost {

Result<std::unique_ptr<PluginHost>> NewProcessHost(Loop& loop, const Project& project,
                                                   const ProcessHostOptions& wanted) {
  nlohmann::json texts = nlohmann::json::object(), plain = nlohmann::json::object();
  for (const auto& [key, value] : wanted.config) {
    texts[key] = value.value;
    if (!value.secret) plain[key] = value.value;
  }
  GrpcHostOptions options;
  options.project = project;
  options.client_address = wanted.client;
  options.wants_debug_messages = wanted.wants_debug_messages;
  options.ends_with_process = true;
  options.config_json = texts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  options.plain_config_json = plain.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  Result<std::unique_ptr<GrpcHost>> host = GrpcHost::Create(loop, std::move(options));
  if (!host.ok()) return host.status();
  return std::unique_ptr<PluginHost>(std::move(*host));
}

}  // namespace kingpost
