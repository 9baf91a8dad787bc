#include "simulation/sim_process.h"

#include "journal/finish.h"
#include "journal/recorder.h"
#include "journal/recover.h"
#include "scenarios/flags.h"
#include "simulation/sim_secrets.h"
#include "store/file_store.h"

namespace kingpost::simulation {

namespace {

using scenarios::Flags;

const StackName kStackName{kDiyOrganization, scenarios::kProject, scenarios::kStack};

// What is remembered of the events.
class Listener : public EventSink {
 public:
  explicit Listener(Done* done) : done_(done) {}

  void Emit(const EngineEvent& event) override {
    if (const auto* step = std::get_if<ResourceOutputsEvent>(&event)) {
      const StepOp op = step->metadata.op;
      done_->changed |= op != StepOp::kSame && op != StepOp::kRefresh && op != StepOp::kRead;
    }
    const auto* said = std::get_if<DiagnosticEvent>(&event);
    if (said && said->severity == Severity::kError) done_->errors.push_back(said->message);
  }

 private:
  Done* done_;
};

class Process {
 public:
  Process(Reality* reality, const Doing& doing, std::vector<Moment>* moments)
      : reality_(*reality),
        doing_(doing),
        moments_(moments),
        world_(loop_, doing.order),
        chance_(doing.order + 7919 * ++reality_.launches) {
    world_.settings = scenarios::Json{
        {"plugins", {{"pkg", {{"replaces", {"zone"}}, {"configReplaces", {"region"}}, {"adds", {{"made", true}}}}}}}};
    world_.cloud = reality_.cloud;
    world_.made = reality_.made;
    world_.slow_answers = true;
    world_.SetFaults(doing.faults);
    SimDisk::active = &reality_.disk;
    reality_.disk.before = [this](const std::string& call) { return BeforeDisk(call); };
  }
  ~Process() {
    journal_.reset();
    lock_.reset();
    reality_.cloud = world_.cloud;
    reality_.made = world_.made;
    reality_.disk.before = nullptr;
    SimDisk::active = nullptr;
  }

  Done Run() {
    done_.status = UnderLock();
    return std::move(done_);
  }

 private:
  Status UnderLock() {
    StoreLayout layout = StoreLayout::Of(SimDisk::kRoot, false);
    store_ = std::make_unique<FileStore>(layout, std::string("file://") + SimDisk::kRoot, FileStoreOptions());
    Result<std::unique_ptr<StackLock>> lock = store_->Lock(kStackName);
    if (!lock.ok()) {
      done_.locked = lock.status().message().find("locked by") != std::string::npos;
      return lock.status();
    }
    lock_ = std::move(*lock);
    lock_held_ = true;
    Status status = RecoverAndLoad();
    if (status.ok() && doing_.run != "recover") status = Operate();
    if (status.ok()) status = failure_;
    lock_held_ = false;
    const Status released = lock_->Release();
    return status.ok() ? released : status;
  }

  Status RecoverAndLoad() {
    const Result<RecoveryReport> report = Recover(*store_, kStackName, Seal());
    if (!report.ok()) return report.status().Wrap("recovery");
    done_.integrity = report->integrity;
    const Result<StackDocument> document = store_->Load(kStackName);
    if (!document.ok()) return document.status();
    document_ = document->bytes;
    Result<Snapshot> found = Decode(document_, nullptr);
    if (!found.ok()) return found.status().Wrap("the checkpoint");
    if (!found->integrity_error_json.empty()) return Status(Code::kDataLoss, "the checkpoint carries a mark of damage");
    if (const Status sound = VerifyIntegrity(*found); !sound.ok()) return sound;
    done_.left = *found;
    done_.found = std::move(*found);
    return Status::Ok();
  }

  Result<Snapshot> Decode(const std::string& bytes, SecretsManager* secrets) {
    if (bytes.empty()) return Snapshot();
    DecodeOptions options;
    options.secrets = secrets;
    Result<CheckpointDocument> document = DecodeCheckpoint(bytes, options);
    if (!document.ok()) return document.status();
    return std::move(document->snapshot);
  }

  Status Operate() {
    Result<Snapshot> base = Decode(document_, &secrets_);
    if (!base.ok()) return base.status();
    base->secrets_type = secrets_.type();
    base->secrets_state_json = secrets_.state();
    const Result<std::string> path = store_->JournalPath(kStackName);
    if (!path.ok()) return path.status();
    JournalHeader header;
    header.stack = store_->QualifiedName(kStackName);
    header.base_hash = CheckpointHash(document_);
    header.operation = "update";
    EncodeOptions encode;
    encode.secrets = &secrets_;
    Result<std::unique_ptr<Journal>> journal = Journal::Create(*path, header, encode, Journal::Writer::kByHand);
    if (!journal.ok()) return journal.status();
    journal_ = std::move(*journal);
    journal_->set_proof([this] { return lock_->StillHeld(); });
    std::optional<OperationResult> result = RunEngine(std::make_shared<const Snapshot>(std::move(*base)));
    if (!result) {
      done_.broken = "the run is stuck: nobody waits for an answer, and it has not ended";
      return Status(Code::kInternal, "stuck");
    }
    journal_->StartWriter();
    failure_ = result->status;
    const Status saved = result->snapshot ? Save(std::move(*result->snapshot)) : journal_->Remove();
    journal_.reset();
    done_.unsaved = !saved.ok();
    return saved;
  }

  std::optional<OperationResult> RunEngine(std::shared_ptr<const Snapshot> base) {
    Cancellation cancellation(loop_);
    cancellation_ = world_.cancellation = &cancellation;
    Listener listener(&done_);
    JournalRecorder recorder(loop_, *journal_);
    const std::unique_ptr<PluginHost> host = scenarios::NewFakeHost(world_, doing_.program);
    Operation operation;
    operation.options = scenarios::ParseFlags(world_.names, doing_.run).options;
    operation.project = scenarios::kProject;
    operation.stack = scenarios::kStack;
    operation.project_root = "/home/dev/shop";
    operation.base = std::move(base);
    operation.plan_secrets = &secrets_;
    operation.environment.now_rfc3339 = [this] { return Now(); };
    operation.environment.random_bytes = [this](int n) { return RandomText(n); };
    operation.host = host.get();
    operation.events = &listener;
    operation.recorder = &recorder;
    operation.cancellation = &cancellation;

    std::optional<OperationResult> result;
    loop_.Spawn([](Loop& loop, Operation op, std::optional<OperationResult>* out) -> Task<void> {
      Task<OperationResult> running = RunOperation(loop, std::move(op));
      out->emplace(co_await std::move(running));
    }(loop_, std::move(operation), &result));
    do {
      loop_.RunUntilIdle();
      if (!result) TakeMoment("await " + std::to_string(++done_.awaits));
      if (!result) Signal();
    } while (Proceed(!result));
    return result;
  }

  // Lets one thing happen. False if nothing is left that could.
  bool Proceed(bool running) {
    const bool disk_first = chance_() % 2;
    if (disk_first && journal_->WriteWaiting()) return true;
    if (world_.turns.Release()) return true;
    if (journal_->WriteWaiting()) return true;
    if (!running) return world_.turns.Kill();
    // Only what hangs is left: the user presses Ctrl-C, and once more.
    if (!cancellation_->cancelled()) {
      cancellation_->Cancel();
      return true;
    }
    if (!cancellation_->terminated()) {
      cancellation_->Terminate();
      return true;
    }
    return world_.turns.Kill();
  }

  void Signal() {
    if (done_.awaits == doing_.cancel_at) cancellation_->Cancel();
    if (done_.awaits == doing_.terminate_at) cancellation_->Terminate();
  }

  Status Save(Snapshot snapshot) {
    snapshot.secrets_type = secrets_.type();
    snapshot.secrets_state_json = secrets_.state();
    if (const Status sound = VerifyIntegrity(snapshot); !sound.ok()) {
      done_.broken = "the record is not sound: " + sound.message();
    }
    done_.left = snapshot;
    FinishOptions options;
    options.seal = Seal();
    options.encode.secrets = &secrets_;
    const FinishResult finished = FinishOperation(*lock_, *journal_, *store_, kStackName, std::move(snapshot), options);
    if (!finished.status.ok()) return finished.status;
    (void)store_->AppendHistory(kStackName, "{}");
    (void)store_->Backup(kStackName);
    return Status::Ok();
  }

  SealOptions Seal() {
    SealOptions seal;
    seal.now_rfc3339 = Now();
    seal.version = "v3.260.0";
    return seal;
  }

  std::string Now() {
    const int minutes = ++reality_.minutes;
    const auto two = [](int n) { return std::to_string(100 + n % 100).substr(1); };
    return "2026-01-" + two(1 + minutes / 1440 % 28) + "T" + two(minutes / 60 % 24) + ":" + two(minutes % 60) + ":00Z";
  }

  std::string RandomText(int n) {
    std::string bytes;
    while (n-- > 0) bytes.push_back(static_cast<char>(chance_()));
    return bytes;
  }

  int BeforeDisk(const std::string& call) {
    TakeMoment(call);
    const int number = ++done_.disk_calls;
    if (doing_.disk_fails_at == 0 || number < doing_.disk_fails_at) return 0;
    return number == doing_.disk_fails_at || doing_.disk_stays_broken ? doing_.disk_error : 0;
  }

  void TakeMoment(const std::string& where) {
    if (!moments_) return;
    Moment moment;
    moment.reality.disk = reality_.disk;
    moment.reality.cloud = world_.cloud;
    moment.reality.made = world_.made;
    moment.reality.minutes = reality_.minutes;
    moment.reality.launches = reality_.launches;
    moment.acknowledged = world_.acknowledged;
    moment.where = where;
    moment.lock_held = lock_held_;
    moments_->push_back(std::move(moment));
  }

  Reality& reality_;
  const Doing& doing_;
  std::vector<Moment>* const moments_;
  Loop loop_;
  scenarios::World world_;
  std::mt19937 chance_;
  SimSecrets secrets_;
  Done done_;
  Status failure_;  // of the operation, whose state is saved all the same
  std::string document_;
  std::unique_ptr<FileStore> store_;
  std::unique_ptr<StackLock> lock_;
  std::unique_ptr<Journal> journal_;
  Cancellation* cancellation_ = nullptr;
  bool lock_held_ = false;
};

}  // namespace

Doing DoingFromJson(const Json& json) {
  Doing doing;
  doing.run = json.value("run", "up");
  doing.program = json.value("program", Json::array());
  doing.faults = json.value("faults", Json::object());
  doing.order = json.value("order", 0u);
  doing.cancel_at = json.value("cancelAt", 0);
  doing.terminate_at = json.value("terminateAt", 0);
  doing.disk_fails_at = json.value("diskFailsAt", 0);
  doing.disk_error = json.value("diskError", 0);
  doing.disk_stays_broken = json.value("diskStaysBroken", false);
  return doing;
}

Done Do(Reality* reality, const Doing& doing, std::vector<Moment>* moments) {
  return Process(reality, doing, moments).Run();
}

void BuryProcesses(Reality* reality) {
  for (auto& [path, content] : reality->disk.Files(std::string(SimDisk::kRoot) + "/.pulumi/locks")) {
    const size_t at = content.find("\"startTime\":");
    if (at == content.npos) continue;
    const size_t end = content.find_first_of(",}", at);
    if (end == content.npos) continue;
    std::string dead = content;
    dead.replace(at, end - at, "\"startTime\":1");
    reality->disk.Replace(path, dead);
  }
}

}  // namespace kingpost::simulation
