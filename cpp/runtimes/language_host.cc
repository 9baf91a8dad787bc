// SPDX-License-Identifier: Apache-2.0
#include "runtimes/language_host.h"

#include <atomic>
#include <filesystem>

#include "base/json_access.h"
#include "base/os.h"
#include "wire/grpc_language_host.h"
#include "runtimes/native_language_host.h"
#include "runtimes/yaml_host.h"

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

bool WantsPlugin(const LanguageHostOptions& options) {
  if (GetEnvironment("KINGPOST_LANGUAGE_HOSTS") == "path") return true;
  for (const PluginOption& plugin : options.project.language_plugins) {
    if (plugin.name == options.project.runtime) return true;
  }
  return false;
}

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
  if (runtime == "yaml" && !WantsPlugin(options)) co_return YamlHost(loop, std::move(options));
  if (IsNativeRuntime(runtime) && !WantsPlugin(options)) co_return NativeHost(loop, std::move(options));
  auto starting = StartLanguagePlugin(loop, std::move(options));
  co_return co_await std::move(starting);
}

std::function<void(OutputStream, std::string)> LineLogger(const std::function<void(Severity, std::string, int)>& log) {
  // Beside the numbers that programs choose for themselves, which begin at zero.
  // Atomic, because a process may run several operations, each on a thread of its own.
  static std::atomic<int> next_stream{1000000};
  const int out = next_stream++, err = next_stream++;
  return [log, out, err](OutputStream stream, std::string line) {
    if (!log) return;
    const bool is_out = stream == OutputStream::kStdout;
    log(is_out ? Severity::kInfo : Severity::kInfoErr, std::move(line) + "\n", is_out ? out : err);
  };
}

std::string EntryPoint(const Project& project) {
  if (project.main.empty()) return ".";
  const auto path = std::filesystem::path(project.folder()) / project.main;
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) ? path.filename().string() : ".";
}

}  // namespace kingpost
