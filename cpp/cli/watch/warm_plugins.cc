// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/warm_plugins.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/file_stamp.h"
#include "base/os.h"
#include "cli/watch/ignored_paths.h"
#include "model/dynamic_provider.h"
#include "plugins/plugin_discovery.h"
#include "processes/process_supervisor.h"
#include "runtimes/standby_program.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr size_t kSourceFilesMax = 5000;  // of a plugin in source form; one with more is not kept

// All files of a plugin in source form, but for packages and what is built of them.
std::optional<std::string> FolderStamp(const std::string& folder) {
  std::vector<std::string> stamps;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    const bool is_folder = at->is_directory(unknown);
    if (IsIgnoredByDefault(at->path().string(), is_folder, "")) {
      if (is_folder) at.disable_recursion_pending();
      continue;
    }
    if (!is_folder) stamps.push_back(FileStamp(at->path().string()));
    if (stamps.size() > kSourceFilesMax) return std::nullopt;
  }
  if (error) return std::nullopt;
  std::sort(stamps.begin(), stamps.end());
  std::string all = folder + "\n";
  for (const std::string& stamp : stamps) all += stamp;
  return all;
}

std::string KeyOf(const ProviderSpec& spec, const std::optional<Parameterization>& parameter,
                  const std::string& fingerprint) {
  std::string key = spec.name + "\n" + spec.version + "\n" + spec.download_url + "\n" + fingerprint;
  if (parameter) key += parameter->name + "\n" + parameter->version + "\n" + parameter->value;
  return key;
}

bool IsSameConfig(const std::map<std::string, ConfigValue>& one, const std::map<std::string, ConfigValue>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.value == b.second.value && a.second.secret == b.second.secret &&
           a.second.object == b.second.object;
  });
}

}  // namespace

// ---- the host of one run --------------------------------------------------------------------------------------------

// Providers that are kept are those of the lasting host; everything else is the run's own.
class WarmHost final : public PluginHost {
 public:
  WarmHost(WarmPlugins& all, std::unique_ptr<PackageHost> own) : all_(all), own_(std::move(own)) {}

  Task<void> InstallPlugins(std::vector<RequiredPackage> packages) override {
    return own_->InstallPlugins(std::move(packages));
  }
  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec spec) override {
    std::optional<std::string> fingerprint = all_.FingerprintOf(spec);
    if (!fingerprint) return own_->LoadProvider(std::move(spec));
    return all_.kept_->Load(std::move(spec), std::move(*fingerprint));
  }
  Task<Result<std::string>> LoadSchema(ProviderSpec spec, std::optional<Parameterization> parameterization) override {
    return all_.LoadSchema(std::move(spec), std::move(parameterization));
  }
  Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec spec) override { return own_->LoadAnalyzer(std::move(spec)); }
  Task<Result<LanguageHostPtr>> LoadLanguageHost() override { return own_->LoadLanguageHost(); }
  Callbacks& callbacks() override { return own_->callbacks(); }

  // Those that are kept have components constructed through their own host.
  Task<Result<std::string>> ServeMonitor(Monitor* monitor) override {
    auto serving_kept = all_.lasting_->ServeMonitor(monitor);
    auto served = co_await std::move(serving_kept);
    if (!served.ok()) co_return served;
    auto serving = own_->ServeMonitor(monitor);
    co_return co_await std::move(serving);
  }
  Task<void> StopMonitor() override {
    auto stopping_kept = all_.lasting_->StopMonitor();
    co_await std::move(stopping_kept);
    auto stopping = own_->StopMonitor();
    co_await std::move(stopping);
  }
  void set_engine_service(EngineService* service) override {
    all_.lasting_->set_engine_service(service);
    own_->set_engine_service(service);
  }
  std::string resource_status_address() override { return all_.lasting_->resource_status_address(); }

  Task<void> SignalCancellation() override {
    Group group(all_.loop_);
    group.Spawn(own_->SignalCancellation());
    if (!all_.left_alone_) {
      all_.kept_->InvalidateAll();
      group.Spawn(all_.lasting_->SignalCancellation());
    }
    co_await group.Wait();
  }
  Task<void> Close() override {
    auto stopping = all_.lasting_->StopMonitor();
    co_await std::move(stopping);
    for (ProviderSpec& spec : own_->loaded_providers()) all_.passing_.push_back(std::move(spec));
    auto closing = own_->Close();
    co_await std::move(closing);
    all_.lasting_->set_engine_service(nullptr);
  }
  void ShortenShutdown() override { own_->ShortenShutdown(); }

 private:
  WarmPlugins& all_;
  const std::unique_ptr<PackageHost> own_;
};

// ---- what stays -----------------------------------------------------------------------------------------------------

WarmPlugins::~WarmPlugins() {
  DropNext();
  Forget();
}

std::optional<std::string> WarmPlugins::FingerprintOf(const ProviderSpec& spec) const {
  if (IsDynamicProvider(spec.name) || HasDebugPort(spec.name)) return std::nullopt;
  const Result<FoundPlugin> found = FindPlugin({"resource", spec.name, spec.version, spec.download_url},
                                               DiscoveryOptions::FromEnvironment(*project_));
  if (!found.ok()) return std::nullopt;
  return found->is_directory ? FolderStamp(found->path) : FileStamp(found->path);
}

Task<Result<std::string>> WarmPlugins::LoadSchema(ProviderSpec spec, std::optional<Parameterization> parameterization) {
  const std::optional<std::string> fingerprint = FingerprintOf(spec);
  const std::string key = KeyOf(spec, parameterization, fingerprint.value_or(""));
  const auto known = schemas_.find(key);
  if (fingerprint && known != schemas_.end()) co_return known->second;
  auto loading = lasting_->LoadSchema(std::move(spec), std::move(parameterization));
  auto schema = co_await std::move(loading);
  if (schema.ok() && fingerprint) schemas_[key] = *schema;
  co_return schema;
}

bool WarmPlugins::IsSame(const Settings& one, const Settings& other) {
  return one.project_file == other.project_file && one.project_text == other.project_text &&
         IsSameConfig(one.wanted.config, other.wanted.config) && one.wanted.log_flags == other.wanted.log_flags &&
         one.wanted.wants_debug_messages == other.wanted.wants_debug_messages;
}

Result<std::unique_ptr<PackageHost>> WarmPlugins::Begin(const Project& project, ProcessHostOptions wanted) {
  wanted.lives_on = true;
  return NewProcessHost(loop_, project, wanted);
}

// Around the processes that were started early.
Status WarmPlugins::BeginNext(const Project& project, ProcessHostOptions wanted) {
  wanted.supervisor = early_.supervisor;
  wanted.standby = early_.standby;
  wanted.load_schema = [this](ProviderSpec spec, std::optional<Parameterization> parameterization) {
    return LoadSchema(std::move(spec), std::move(parameterization));
  };
  Result<std::unique_ptr<PackageHost>> next = Begin(project, std::move(wanted));
  if (!next.ok()) return next.status();
  next_ = std::move(*next);
  return Status::Ok();
}

void WarmPlugins::End(std::unique_ptr<PackageHost> host) {
  if (host) loop_.RunUntilDone(host->Close());
}

void WarmPlugins::DropNext() { End(std::exchange(next_, nullptr)); }

void WarmPlugins::Forget() {
  kept_ = nullptr;
  schemas_.clear();
  settings_.reset();
  End(std::exchange(lasting_, nullptr));
}

Result<std::unique_ptr<PluginHost>> WarmPlugins::MakeHost(const Project& project, const ProcessHostOptions& wanted) {
  Settings settings{project.file, "", wanted};
  settings.wanted.supervisor = nullptr;
  settings.wanted.standby = nullptr;
  if (Result<std::string> text = ReadWholeFile(project.file); text.ok()) settings.project_text = std::move(*text);
  if (!settings_ || !IsSame(*settings_, settings)) {
    DropNext();
    Forget();
    project_ = project;
    Result<std::unique_ptr<PackageHost>> lasting = Begin(project, settings.wanted);
    if (!lasting.ok()) return lasting.status();
    lasting_ = std::move(*lasting);
    kept_ = std::make_unique<ProviderPool>(*lasting_);
    settings_ = std::move(settings);
  }
  passing_.clear();
  left_alone_ = false;
  if (!next_) {
    if (const Status begun = BeginNext(project, wanted); !begun.ok()) return begun;
  }
  early_ = EarlyProcesses();
  return std::unique_ptr<PluginHost>(std::make_unique<WarmHost>(*this, std::exchange(next_, nullptr)));
}

EarlyProcesses WarmPlugins::TakeEarly() {
  DropNext();
  return std::exchange(early_, EarlyProcesses());
}

void WarmPlugins::Prepare(Session& session, const OperationFlags& flags) {
  if (kept_) loop_.RunUntilDone(kept_->EndRun());
  DropNext();
  early_ = EarlyProcesses::Start(session, flags);
  if (!settings_ || passing_.empty()) return;
  if (!BeginNext(*project_, settings_->wanted).ok()) return;
  next_->ExpectProviders({passing_, std::nullopt}, nullptr);
}

}  // namespace kingpost
