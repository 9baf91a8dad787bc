// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/remote_member.h"

#include <atomic>

#include "base/json_access.h"
#include "base/url_masking.h"
#include "cli/fleet/member_command.h"
#include "console/display/event_reader.h"
#include "console/display/sink_queue.h"

namespace kingpost {

namespace {

using nlohmann::json;

// A second worker waits this long for a lock that the first has left: longer than any lease that is usual.
constexpr std::chrono::minutes kLockOfTheDeadMax{5};

const char* VerbOf(OperationKind kind) {
  return kind == OperationKind::kDestroy ? "destroy" : kind == OperationKind::kRefresh ? "refresh" : "up";
}

std::string TextOfJson(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

class RemoteRun {
 public:
  RemoteRun(const RemoteMember& remote, MemberResult* result)
      : remote_(remote), one_(remote.fleet.members[remote.member]), result_(*result) {}

  void Run() {
    number_ = remote_.cluster.Begin(one_.name, Spec());
    bool over = false;
    while (!over) {
      const std::string line = remote_.cluster.NextLine(number_);
      if (line.empty()) return EndAs(FleetPhase::kFailed, remote_.cluster.DescribeEnd(), &result_);
      const json message = ParseJson(line);
      over = FieldOf(message, "over") != nullptr;
      over ? Conclude(ObjectOf(message, "over")) : Take(message, line);
    }
    EndDisplay();
  }

 private:
  std::string Spec() const {
    json spec;
    spec["folder"] = one_.folder;
    spec["arguments"] = {VerbOf(remote_.flags.kind)};
    for (const std::string& argument : MemberArguments(remote_.flags)) spec["arguments"].push_back(argument);
    return TextOfJson(spec);
  }

  void Take(const json& message, const std::string& line) {
    if (FieldOf(message, "sequence")) {
      const std::optional<EngineEvent> event = ReadEvent(message);
      if (event && display_) display_->Emit(*event);
    } else if (const json* const start = FieldOf(message, "start")) {
      Start(*start);
    } else if (FieldOf(message, "ask")) {
      Answer(message);
    } else if (const json* const ended = FieldOf(message, "ended")) {
      ReadMemberResult(*ended, &result_);
      ended_ = true;
    } else {
      const std::string text = message.is_discarded() ? line : TextOf(message, "say");
      if (!text.empty()) remote_.screen.Say(remote_.member, text + "\n");
    }
  }

  // On a worker: the first one, or one that takes over.
  void Start(const json& start) {
    attempt_ = IntegerOf(start, "attempt");
    worker_ = TextOf(start, "worker");
    EndDisplay();
    ended_ = false;
    refused_.clear();
    if (attempt_ > 1) {
      remote_.screen.Say(remote_.member, "its worker is gone; " + worker_ + " takes it over\n");
      begun_again_ = Board::Clock::now();
    }
    if (one_.store_url.starts_with("file://") && TextOf(start, "machine") != remote_.cluster.here()) {
      refused_ = "its state is in a folder of this machine, and the worker is on another";
    }
    display_ = std::make_unique<SinkQueue>(remote_.screen.Display(remote_.member, std::make_shared<const Masking>()),
                                           kRedrawInterval);
  }

  void Answer(const json& message) {
    json answer;
    answer["answer"] = IntegerOf(message, "ask");
    answer["attempt"] = attempt_;
    if (FieldOf(message, "read")) return AnswerRead(TextOf(message, "read"), std::move(answer));
    if (FieldOf(message, "locked")) {
      answer["wait"] = WaitsForLock(TextOf(message, "locked"));
    } else {
      refused_ = refused_.empty() ? WhyNotBegin(ObjectOf(message, "begin")) : refused_;
      answer["go"] = refused_.empty();
      answer["plan"] = remote_.plan;
    }
    Send(answer);
  }

  // The answer comes at once, or when the stack that is read is done. While it waits the worker takes others.
  void AnswerRead(const std::string& stack, json answer) {
    const Result<StackName> name = StackName::Parse(stack, one_.project.name);
    const std::optional<size_t> target = name.ok() ? remote_.board.Find(remote_.member, *name) : std::nullopt;
    if (!target || *target == remote_.member) return Send(answer);
    const auto answered = std::make_shared<std::atomic<bool>>(false);
    const auto send = [answered, &cluster = remote_.cluster, &board = remote_.board, target = *target, number = number_,
                       answer = std::move(answer)](const fleet::ReadAnswer& read) mutable {
      if (!read.status.ok()) answer["error"] = read.status.message();
      if (read.status.code() == Code::kCancelled) answer["stopped"] = true;
      if (read.status.code() == Code::kUnavailable) answer["because"] = board.WhyUnread(target);
      *answered = true;
      cluster.Send(number, TextOfJson(answer));
    };
    remote_.board.Read(remote_.member, *target, send);
    if (*answered) return;
    json waits;
    waits["waits"] = true;
    waits["attempt"] = attempt_;
    Send(waits);
  }

  bool WaitsForLock(const std::string& why) {
    locked_ = why;
    if (remote_.board.stopped()) return false;
    // The lock may be that of the worker before, until that is known to be dead.
    const bool of_the_dead = attempt_ > 1 && Board::Clock::now() - begun_again_ < kLockOfTheDeadMax;
    const bool waits = of_the_dead || remote_.when_locked == WhenLocked::kWait;
    if (waits && !told_of_lock_) {
      remote_.screen.Say(remote_.member, "another process holds the stack; waiting until it is free\n");
    }
    told_of_lock_ = told_of_lock_ || waits;
    return waits;
  }

  std::string WhyNotBegin(const json& begin) {
    locked_.clear();
    const std::string store = TextOf(begin, "store"), own = MaskUrls(one_.store_url);
    if (store != own && own.find("://") != std::string::npos && !one_.project.backend_url.starts_with("file://")) {
      return "the worker keeps state in " + store + ", and this command in " + own +
             "; start workers with the same PULUMI_BACKEND_URL";
    }
    // After the first attempt, the record may be that of an earlier worker of this operation.
    const bool changed =
        attempt_ <= 1 && !remote_.recorded_at.empty() && remote_.recorded_at != TextOf(begin, "recorded");
    if (!changed) return "";
    return "another process changed the stack after its preview; nothing was done, run the command again";
  }

  void Conclude(const json& over) {
    if (!refused_.empty()) return EndAs(FleetPhase::kFailed, refused_ + OnWorker(), &result_);
    if (!ended_) {
      const bool stopped = BoolOf(over, "stopped");
      EndAs(stopped ? FleetPhase::kStopped : FleetPhase::kFailed, stopped ? "" : TextOf(over, "why") + OnWorker(),
            &result_);
      return;
    }
    if (result_.outcome.phase != FleetPhase::kFailed) return;
    const std::string why = result_.outcome.why;
    const bool is_locked = !locked_.empty() && locked_ == why;
    if (is_locked && remote_.when_locked == WhenLocked::kSkip) {
      return EndAs(FleetPhase::kSkipped, "another process holds the stack", &result_);
    }
    if (remote_.board.stopped() && is_locked) return EndAs(FleetPhase::kStopped, "", &result_);
    if (!result_.awaits) result_.outcome.why += OnWorker();
  }

  std::string OnWorker() const { return worker_.empty() ? "" : " (on " + worker_ + ")"; }

  void Send(const json& message) { remote_.cluster.Send(number_, TextOfJson(message)); }

  void EndDisplay() {
    if (display_) display_->Finish(kDisplayLimit);
    display_.reset();
  }

  using Board = fleet::Board;

  const RemoteMember& remote_;
  const FleetMember& one_;
  MemberResult& result_;
  int number_ = 0;
  int64_t attempt_ = 0;
  std::string worker_;
  std::string refused_;  // why it may not begin
  std::string locked_;   // what was said of the lock last
  bool told_of_lock_ = false, ended_ = false;
  Board::Clock::time_point begun_again_{};
  std::unique_ptr<SinkQueue> display_;
};

}  // namespace

void RunRemotely(const RemoteMember& remote, MemberResult* result) { RemoteRun(remote, result).Run(); }

}  // namespace kingpost
