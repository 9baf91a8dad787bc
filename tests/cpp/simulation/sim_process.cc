// SPDX-License-Identifier: Apache-2.0
#include "simulation/sim_process.h"

#include "journal/finish.h"
#include "journal/recorder.h"
#include "journal/recover.h"
#include "scenarios/flags.h"
#include "scenarios/stepwise.h"
#include "simulation/kept_journals.h"
#include "simulation/sim_secrets.h"

namespace kingpost::simulation {

namespace {

using scenarios::Flags;

const StackName kStackName{kDiyOrganization, scenarios::kProject, scenarios::kStack};

// Records changes and errors from the events.
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
    world_.slow_answers = true;
    world_.answers.set_echoes(true);
    world_.SetFaults(doing.faults);
    Enter();
  }
  ~Process() {
    journal_.reset();
    lock_.reset();
    Leave();
  }

  Done Run() {
    done_.status = UnderLock();
    done_.acknowledged = Acknowledged();
    done_.deletes = LostDeletes();
    return std::move(done_);
  }

 private:
  // One command at a time acts on the reality.
  void Enter() {
    world_.cloud = reality_.cloud;
    world_.made = reality_.made;
    SimDisk::active = &reality_.disk;
    reality_.disk.before = [this](const std::string& call) { return BeforeDisk(call); };
  }
  void Leave() {
    reality_.cloud = world_.cloud;
    reality_.made = world_.made;
    reality_.disk.before = nullptr;
    SimDisk::active = nullptr;
  }

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
    if (status.ok() && doing_.run == "merge") {
      status = MergeKeptJournals(reality_.disk, *store_, *lock_, kStackName, Seal());
      if (status.ok()) status = RecoverAndLoad();
    } else if (status.ok() && doing_.run != "recover") {
      status = Operate();
    }
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
    Result<std::unique_ptr<Journal>> journal = Journal::Create(*path, header, encode, Journal::Writer::kManual);
    if (!journal.ok()) return journal.status();
    journal_ = std::move(*journal);
    journal_->set_ownership_check([this] { return lock_->CheckHeld(); });
    std::optional<OperationResult> result = RunEngine(std::make_shared<const Snapshot>(std::move(*base)));
    if (!result) {
      done_.broken = "the run is stuck: nobody waits for an answer, and it has not ended";
      return Status(Code::kInternal, "stuck");
    }
    finishing_ = true;
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

    return scenarios::RunStepwise(loop_, std::move(operation), [this](bool running) { return Step(running); });
  }

  bool Step(bool running) {
    if (running) {
      TakeMoment("await " + std::to_string(++done_.awaits));
      Intervene();
    }
    return Proceed(running);
  }

  // Lets one thing happen. False if nothing is left that could.
  bool Proceed(bool running) {
    const bool disk_first = chance_() % 2;
    if (disk_first && journal_->WriteWaiting()) return true;
    if (world_.answers.Release()) return true;
    if (journal_->WriteWaiting()) return true;
    if (!running) return world_.answers.Kill();
    // Only hanging calls are left: the user presses Ctrl-C, and once more.
    if (!cancellation_->cancelled()) {
      cancellation_->Cancel();
      return true;
    }
    if (!cancellation_->terminated()) {
      cancellation_->Terminate();
      return true;
    }
    return world_.answers.Kill();
  }

  // Applies events from outside: signals, a jump of the clock, another process that takes this one for dead.
  void Intervene() {
    if (done_.awaits == doing_.cancel_at) cancellation_->Cancel();
    if (done_.awaits == doing_.terminate_at) cancellation_->Terminate();
    if (done_.awaits == doing_.clock_jumps_at) reality_.minutes += doing_.clock_jump;
    if (done_.awaits == doing_.taken_at) BeTakenOver();
  }

  void BeTakenOver() {
    done_.taken = true;
    lock_held_ = false;
    Leave();
    SimDisk::active = &reality_.disk;
    const Result<int> cancelled = store_->BreakLocks(kStackName);
    if (cancelled.ok() && !doing_.taken_by.empty()) {
      Doing other;
      other.run = doing_.taken_by;
      other.program = doing_.program;
      other.order = doing_.order + 1;
      const Done done = Do(&reality_, other, nullptr);
      told_.insert(done.acknowledged.begin(), done.acknowledged.end());
      if (!done.broken.empty()) done_.broken = "whoever took over: " + done.broken;
      if (!done.status.ok()) done_.broken = "whoever took over failed: " + done.status.message();
    }
    Enter();
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
    seal.version = "v3.274.1";
    return seal;
  }

  std::string Now() {
    constexpr time_t kBegan = 1767225600;  // 2026-01-01
    const time_t now = kBegan + 60 * static_cast<time_t>(++reality_.minutes);
    tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
  }

  std::string RandomText(int n) {
    std::string bytes;
    while (n-- > 0) bytes.push_back(static_cast<char>(chance_()));
    return bytes;
  }

  int BeforeDisk(const std::string& call) {
    TakeMoment(call);
    const int number = ++done_.disk_calls;
    // A process that cancels the lock waits for the end of a save.
    if (number >= doing_.taken_at_call && doing_.taken_at_call > 0 && journal_ && !finishing_ && !done_.taken) {
      const GiveTurn meanwhile;
      BeTakenOver();
    }
    if (doing_.disk_fails_at == 0 || number < doing_.disk_fails_at) return 0;
    return number < doing_.disk_fails_at + doing_.disk_fails_for || doing_.disk_stays_broken ? doing_.disk_error : 0;
  }

  std::set<std::string> Acknowledged() const {
    std::set<std::string> ids = told_;
    for (const auto& [urn, id] : world_.acknowledged) ids.insert(id);
    return ids;
  }

  // The deletes that this command asked for before it noticed that it had lost the stack: the new owner does not know
  // of them. In the middle of a batch the new owner has read that batch. It may delete what the batch made, and a merge
  // then records that again.
  std::set<std::string> LostDeletes() const {
    std::set<std::string> names;
    for (const std::string& call : world_.calls) {
      const bool counts = call.rfind("delete ", 0) == 0 || (doing_.taken_at_call > 0 && call.rfind("create ", 0) == 0);
      if (done_.taken && counts) names.insert(call.substr(7));
    }
    return names;
  }

  void TakeMoment(const std::string& where) {
    if (!moments_) return;
    Moment moment;
    moment.reality.disk = reality_.disk;
    moment.reality.cloud = world_.cloud;
    moment.reality.made = world_.made;
    moment.reality.minutes = reality_.minutes;
    moment.reality.launches = reality_.launches;
    moment.acknowledged = Acknowledged();
    moment.deletes = LostDeletes();
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
  bool finishing_ = false;
  std::set<std::string> told_;  // to the programs of others: IDs
};

}  // namespace

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
