// SPDX-License-Identifier: Apache-2.0
#include "wire/wire.h"

#include "wire/start_language_host.h"

#include "base/json_access.h"
#include "base/os.h"
#include "runtimes/embedded_host.h"
#include "runtimes/native_language_host.h"
#include "runtimes/standby_program.h"
#include "wire/grpc_language_host.h"

namespace kingpost {

namespace {

// PULUMI_DEBUG_LANGUAGES=go:12345,dotnet:678. 0 if the runtime is not among them.
Result<int> DebugLanguagePort(const std::string& runtime) {
  const std::string list = GetEnvironment("PULUMI_DEBUG_LANGUAGES");
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string entry = list.substr(begin, end - begin);
    begin = end + 1;
    const size_t colon = entry.find(':');
    if (entry.substr(0, colon) != runtime || colon == std::string::npos) continue;
    const std::string port = entry.substr(colon + 1);
    if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos) {
      return Status(Code::kInvalidArgument, "Expected a numeric port, got " + port + " in PULUMI_DEBUG_LANGUAGES");
    }
    return std::stoi(port);
  }
  return 0;
}

// A project whose program is already running somewhere and serves the language protocol, as --client has it.
constexpr char kClientRuntime[] = "client";

}  // namespace

Task<Result<LanguageHostPtr>> StartLanguageHost(Loop& loop, LanguageHostOptions options) {
  const std::string runtime = options.project.runtime;
  if (options.client_address.empty() && runtime == kClientRuntime) {
    options.client_address = TextOf(*options.project.runtime_options, "address");
    if (options.client_address.empty()) {
      co_return Status(Code::kInvalidArgument, options.project.file +
                                                   ": missing address of language runtime service: the runtime "
                                                   "`client` needs the option `address: HOST:PORT`");
    }
  }
  if (!options.client_address.empty()) co_return AttachLanguageHost(loop, std::move(options));
  if (runtime.empty()) {
    co_return Status(Code::kInvalidArgument,
                     options.project.file + " names no runtime: add a line such as `runtime: python` to it");
  }
  const Result<int> debug_port = DebugLanguagePort(runtime);
  if (!debug_port.ok()) co_return debug_port.status();
  if (*debug_port > 0) {
    auto attaching = AttachLanguagePlugin(loop, std::move(options), *debug_port);
    co_return co_await std::move(attaching);
  }
  if (options.in_process.language && !WantsLanguagePlugin(options.project))
    co_return EmbeddedHost(loop, std::move(options));
  if (IsNativeRuntime(runtime) && !WantsLanguagePlugin(options.project)) co_return NativeHost(loop, std::move(options));
  auto starting = StartLanguagePlugin(loop, std::move(options));
  co_return co_await std::move(starting);
}

}  // namespace kingpost
