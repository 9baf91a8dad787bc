// SPDX-License-Identifier: Apache-2.0
#include "bindings/run.h"

#include <ctime>
#include <filesystem>
#include <set>

#include "base/clock.h"
#include "journal/recorder.h"
#include "secrets/aes_gcm.h"

namespace kingpost::python {

namespace {

class EventList final : public EventSink {
 public:
  explicit EventList(std::vector<EngineEvent>* events) : events_(events) {}
  void Emit(const EngineEvent& event) override { events_->push_back(event); }

 private:
  std::vector<EngineEvent>* events_;
};

std::string WordOf(OperationKind kind) {
  switch (kind) {
    case OperationKind::kRefresh:
      return "refresh";
    case OperationKind::kDestroy:
      return "destroy";
    default:
      return "update";
  }
}

std::string HistoryRecord(const std::string& word, int64_t start, const OperationResult& result,
                          const nlohmann::json& config) {
  const nlohmann::ordered_json record = {
      {"kind", word},
      {"startTime", start},
      {"message", ""},
      {"environment", {{"exec.kind", "kingpost.python"}}},
      {"config", config},
      {"version", 0},
      {"result", result.status.ok() ? "succeeded" : "failed"},
      {"endTime", std::time(nullptr)},
      {"resourceChanges", result.changes},
  };
  return record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Run::Run(std::shared_ptr<Session> session, RunSettings settings)
    : session_(std::move(session)), settings_(std::move(settings)), thread_(&Run::Work, this) {}

Run::~Run() { thread_.join(); }

bool Run::Wait(double seconds) {
  std::unique_lock<std::mutex> lock(mutex_);
  return ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; });
}

void Run::Work() {
  outcome_.status = Operate();
  const std::lock_guard<std::mutex> lock(mutex_);
  done_ = true;
  ended_.notify_all();
}

Status Run::Operate() {
  const int64_t start = std::time(nullptr);
  const bool preview = settings_.options.preview;
  Result<Session::Base> base = session_->Begin(preview);
  if (!base.ok()) return base.status();
  outcome_.snapshot = base->snapshot;
  if (preview) return RunEngine(*base, nullptr);

  const std::string word = WordOf(settings_.options.kind);
  Result<std::unique_ptr<Journal>> journal = session_->OpenJournal(*base, word);
  if (!journal.ok()) return journal.status();
  JournalRecorder recorder(*loop_, **journal);
  const Status run = RunEngine(*base, &recorder);
  const Status saved = session_->Finish(*base, word, outcome_.result.snapshot, **journal);
  if (!saved.ok()) return saved;  // what the user has to know, even if the operation failed too
  session_->Remember(HistoryRecord(word, start, outcome_.result, RecordedConfig(*base)));
  const Status released = base->lock->Release();
  return run.ok() ? released : run;
}

// With ciphertexts, as in a settings file. `config refresh` brings it back from the record; so one that was given no
// configuration, as a destroy need not be, repeats that of the operation before.
nlohmann::json Run::RecordedConfig(const Session::Base& base) {
  if (settings_.config.empty()) return session_->LastConfig();
  const std::set<std::string> secret(settings_.config_secret_keys.begin(), settings_.config_secret_keys.end());
  nlohmann::json config = nlohmann::json::object();
  for (const auto& [key, value] : settings_.config) {
    if (secret.count(key) == 0) {
      config[key] = value;
    } else if (const Result<std::string> sealed = base.secrets->Encrypt(value); sealed.ok()) {
      config[key] = {{"secure", *sealed}};
    }
  }
  return config;
}

Status Run::RunEngine(const Session::Base& base, Recorder* recorder) {
  GrpcHostOptions host_options;
  host_options.project.name = session_->name().project;
  host_options.config = settings_.config;
  host_options.config_secret_keys = settings_.config_secret_keys;
  Result<std::unique_ptr<PluginHost>> host = NewPythonHost(loop_, settings_.parts, std::move(host_options));
  if (!host.ok()) return host.status();

  EventList events(&outcome_.events);
  Operation operation;
  operation.options = settings_.options;
  for (size_t i = 0; i < settings_.parts.policies.size(); ++i) {
    AnalyzerSpec policy;
    policy.path = PolicyPath(i);
    policy.dry_run = settings_.options.preview;
    operation.options.policy_packs.push_back(std::move(policy));
  }
  operation.organization = session_->name().organization;
  operation.project = session_->name().project;
  operation.stack = session_->name().name;
  operation.config = settings_.config;
  operation.config_secret_keys = settings_.config_secret_keys;
  operation.project_root = std::filesystem::current_path().string();
  operation.base = base.snapshot;
  operation.host = host->get();
  operation.events = &events;
  operation.recorder = recorder;
  operation.cancellation = &cancellation_;
  operation.environment.now_rfc3339 = NowRfc3339;
  operation.environment.random_bytes = RandomBytes;
  operation.plan_secrets = base.secrets.get();
  operation.load_stack = [session = session_](const std::string& name) { return session->LoadOther(name); };
  outcome_.result = loop_->RunUntilDone(RunOperation(*loop_, std::move(operation)));  // closes the host too
  if (outcome_.result.snapshot) outcome_.snapshot = std::make_shared<const Snapshot>(*outcome_.result.snapshot);
  return outcome_.result.status;
}

}  // namespace kingpost::python
