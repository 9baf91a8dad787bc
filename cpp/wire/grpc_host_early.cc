// SPDX-License-Identifier: Apache-2.0
// Providers that are begun before the program asks for them (PackageHost::ExpectProviders): their processes are started
// and greeted while the program's interpreter imports its SDK.
//
//     expected ─▶ started ─▶ greeted ┄┄ LoadProvider: the same spec? ┄┄▶ given out, and then like any other
//                                     ┄┄ nobody asked               ┄┄▶ ended without a word
//
// An early start has no visible effect: it fetches and builds nothing, and holds back the plugin's output. If it fails,
// the ordinary start meets the same failure, and reports it. None is configured here.
#include <signal.h>

#include <algorithm>
#include <filesystem>

#include "wire/grpc_host.h"

namespace kingpost {

namespace {

constexpr size_t kEarlyMax = 16;    // that are begun at once; the others wait until they are asked for
constexpr size_t kRequiredMax = 4;  // of packages that the program requires, and may not use

}  // namespace

struct GrpcHost::EarlyProvider {
  EarlyProvider(Loop& loop, ProviderSpec wanted, std::optional<int64_t> recorded, EarlyWatch watched)
      : spec(std::move(wanted)), recorded_at(recorded), watch(std::move(watched)), done(loop) {}

  const ProviderSpec spec;
  const std::optional<int64_t> recorded_at;
  const EarlyWatch watch;
  bool asked_for = false;
  std::shared_ptr<PluginProcess> process;  // once there is one
  Event done;
  Result<StartedProvider> started = Status(Code::kUnavailable, "not begun");
  std::vector<std::pair<OutputStream, std::string>> lines;  // kept back
  std::function<void(OutputStream, std::string)> tell;

  void Ask() {
    asked_for = true;
    for (auto& [stream, line] : lines) tell(stream, std::move(line));
    lines.clear();
  }
};

void GrpcHost::ExpectProviders(const ExpectedProviders& expected, const EarlyWatch& watch) {
  early_watch_ = watch;
  expects_required_ = expected.first_run;
  for (const ProviderSpec& spec : expected.specs) BeginEarly(spec, expected.recorded_at);
}

void GrpcHost::BeginEarly(const ProviderSpec& spec, std::optional<int64_t> recorded_at) {
  if (spec.name == "pulumi" || HasDebugPort(spec.name) || options_.debug.Plugin(spec.name)) return;
  if (early_.size() >= kEarlyMax) return;
  early_.push_back(std::make_shared<EarlyProvider>(loop_, spec, recorded_at, early_watch_));
  beginning_.Spawn(StartEarly(early_.back()));
}

// Their plugins are installed by now. A program that asks for another version gets that one.
void GrpcHost::BeginRequired(const std::vector<RequiredPackage>& packages) {
  if (!std::exchange(expects_required_, false)) return;
  std::set<std::string> begun;
  for (const RequiredPackage& package : packages) {
    if (package.kind != "resource" || begun.size() == kRequiredMax || !begun.insert(package.name).second) continue;
    const ProviderSpec spec = {package.name, package.version, package.download_url, package.checksums, {}, ""};
    BeginEarly(spec, std::nullopt);
  }
}

Task<void> GrpcHost::StartEarly(std::shared_ptr<EarlyProvider> early) {
  const std::shared_ptr<void> watched = early->watch ? early->watch(early->spec.name) : nullptr;
  auto trying = TryEarly(early);
  early->started = co_await std::move(trying);
  early->done.Set();
}

Task<Result<GrpcHost::StartedProvider>> GrpcHost::TryEarly(std::shared_ptr<EarlyProvider> early) {
  auto engine_port = OpenEnginePort();
  if (!engine_port.ok()) co_return engine_port.status();
  auto prepare = [query = QueryOf(early->spec, *engine_port), since = early->recorded_at] {
    return PrepareInstalled(query, since);
  };
  auto preparing = workers_.Run(std::move(prepare));
  auto prepared = co_await std::move(preparing);
  if (!prepared.ok()) co_return prepared.status();
  auto launching = Launch(early->spec, std::move(*prepared), std::move(*engine_port), early);
  co_return co_await std::move(launching);
}

void GrpcHost::BeganEarly(const std::shared_ptr<EarlyProvider>& early, const std::shared_ptr<PluginProcess>& process) {
  early->process = process;
  if (early->asked_for) ReportIfSlow(process);
}

std::function<void(OutputStream, std::string)> GrpcHost::KeepLines(
    const std::shared_ptr<EarlyProvider>& early, std::function<void(OutputStream, std::string)> tell) {
  early->tell = std::move(tell);
  return [weak = std::weak_ptr(early), tell = early->tell](OutputStream stream, std::string line) {
    const auto waiting = weak.lock();
    if (waiting && !waiting->asked_for) {
      waiting->lines.emplace_back(stream, std::move(line));
    } else {
      tell(stream, std::move(line));
    }
  };
}

std::shared_ptr<GrpcHost::EarlyProvider> GrpcHost::TakeEarly(const ProviderSpec& spec) {
  const auto found =
      std::find_if(early_.begin(), early_.end(), [&](const auto& early) { return IsSamePlugin(early->spec, spec); });
  if (found == early_.end()) return nullptr;
  auto early = *found;
  early_.erase(found);
  return early;
}

Task<Result<GrpcHost::StartedProvider>> GrpcHost::TakeOrStartProvider(ProviderSpec spec) {
  if (auto early = TakeEarly(spec)) {
    early->Ask();
    if (early->process && !early->done.is_set()) ReportIfSlow(early->process);
    co_await early->done;
    const Result<StartedProvider>& started = early->started;
    if (started.ok() && !early->process->exited()) {
      WarnOfPath(*started);
      co_return started;
    }
    // One that hangs would hang again, for as long.
    if (!started.ok() && started.status().code() == Code::kDeadlineExceeded) co_return started;
  }
  auto starting = StartProvider(std::move(spec));
  auto started = co_await std::move(starting);
  if (started.ok()) WarnOfPath(*started);
  co_return started;
}

// Whoever has an old build there sees why the version that the program asks for is not the one that runs. The text is
// the reference's.
void GrpcHost::WarnOfPath(const StartedProvider& started) {
  if (started.on_path.empty() || !warned_of_path_.insert(started.on_path).second) return;
  const std::string file = std::filesystem::path(started.on_path).filename().string();
  Log(Severity::kWarning, "using " + file + " from $PATH at " + started.on_path + "\n", 0);
}

// Those that the engine has not asked for. They have done nothing that would have to be finished.
Task<void> GrpcHost::EndEarly() {
  const auto unwanted = std::exchange(early_, {});
  for (const auto& early : unwanted) {
    if (early->process) early->process->Signal(SIGKILL);
  }
  co_await beginning_.Wait();
  for (const auto& early : unwanted) {
    if (!early->process) continue;
    early->process->Signal(SIGKILL);
    auto ending = early->process->Wait();
    co_await std::move(ending);
  }
}

}  // namespace kingpost
