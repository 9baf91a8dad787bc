// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/member_command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "base/json_access.h"
#include "base/url_masking.h"
#include "cli/fleet/member_result.h"
#include "cli/operations/missing_packages.h"
#include "cli/operations/operation.h"
#include "cli/packages/process_host.h"
#include "cli/session/exit_code.h"
#include "cli/session/signals.h"
#include "console/display/event_log.h"
#include "console/display/output.h"
#include "kingpost/stack_locked.h"
#include "operation/other_stacks.h"

namespace kingpost {

namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kBetweenLooks{500};  // between looks at whether the stack is free

std::string LineOf(const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"; }

// Questions and their answers. Any thread.
class Conversation {
 public:
  using OnAnswer = std::function<void(const json& answer)>;

  // The thread that reads is left behind: this process ends before its input does.
  Conversation() {
    std::thread([this] { Read(); }).detach();
  }

  void Write(const std::string& line) {
    const std::lock_guard<std::mutex> lock(writing_);
    output_.Write(line);
  }

  // `on_answer` is called on the thread that reads, once; with an "error" if there will be no answer.
  void Ask(json question, const OnAnswer& on_answer) {
    bool closed = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closed = closed_;
      if (!closed) {
        question["ask"] = ++last_;
        open_[last_] = on_answer;
      }
    }
    closed ? on_answer(NoAnswer()) : Write(LineOf(question));
  }

  json AskAndWait(json question) {
    std::promise<json> promise;
    std::future<json> answered = promise.get_future();
    Ask(std::move(question), [&promise](const json& answer) { promise.set_value(answer); });
    return answered.get();
  }

 private:
  static json NoAnswer() { return {{"error", "the fleet was stopped before it could answer"}, {"stopped", true}}; }

  void Read() {
    std::string text;
    char bytes[4096];
    while (true) {
      const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      text.append(bytes, static_cast<size_t>(count));
      size_t begin = 0;
      for (size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        Take(ParseJson(text.substr(begin, end - begin)));
      }
      text.erase(0, begin);
    }
    // Nobody is left who coordinates: as after a Ctrl-C.
    (void)::kill(::getpid(), SIGINT);
    std::map<int64_t, OnAnswer> open;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
      open.swap(open_);
    }
    for (const auto& [number, on_answer] : open) on_answer(NoAnswer());
  }

  void Take(const json& answer) {
    OnAnswer on_answer;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = open_.find(IntegerOf(answer, "answer"));
      if (found == open_.end()) return;
      on_answer = std::move(found->second);
      open_.erase(found);
    }
    on_answer(answer);
  }

  std::mutex writing_;
  Output output_{STDOUT_FILENO};
  std::mutex mutex_;
  int64_t last_ = 0;
  bool closed_ = false;
  std::map<int64_t, OnAnswer> open_;
};

// Reads other stacks from the store. Each read first waits until the coordinator says that no member will still change
// that stack.
class AskedReads {
 public:
  // Sets *unanswered when a read gets no answer, because the other member did not succeed or the fleet was stopped.
  AskedReads(Loop& loop, OtherStacks& others, Conversation& conversation, std::string project,
             std::optional<UnansweredRead>* unanswered)
      : loop_(loop),
        others_(others),
        conversation_(conversation),
        project_(std::move(project)),
        unanswered_(unanswered) {}

  Task<OtherStacks::Loaded> Load(std::string typed, StackPart part) {
    const Result<StackName> name = StackName::Parse(typed, project_);
    if (!name.ok()) co_return name.status();
    Completion<Answer> answered(loop_);
    json question;
    question["read"] = name->str();
    conversation_.Ask(std::move(question), [answered](const json& answer) {
      answered.Set({TextOf(answer, "error"), TextOf(answer, "because"), BoolOf(answer, "stopped")});
    });
    const Answer answer = co_await answered;
    if (answer.stopped || !answer.because.empty()) *unanswered_ = UnansweredRead{answer.because};
    if (!answer.error.empty()) co_return Status(Code::kFailedPrecondition, answer.error);
    auto loading = others_.Load(std::move(typed), part);
    co_return co_await std::move(loading);
  }

 private:
  struct Answer {
    std::string error, because;
    bool stopped = false;
  };

  Loop& loop_;
  OtherStacks& others_;
  Conversation& conversation_;
  const std::string project_;
  std::optional<UnansweredRead>* const unanswered_;
};

class MemberRun {
 public:
  // The conversation is never destroyed: a thread reads for it to the end of the process.
  MemberRun(Session& session, const OperationFlags& flags)
      : session_(session), flags_(flags), conversation_(*new Conversation()) {}

  Status Run() {
    MemberResult result;
    Work(&result);
    conversation_.Write("{\"ended\":" + WriteMemberResult(result) + "}\n");
    const FleetPhase phase = result.outcome.phase;
    if (phase == FleetPhase::kUpdated || phase == FleetPhase::kUnchanged) return Status::Ok();
    const ExitCode code = result.terminated ? ExitCode::kCancelled
                          : result.awaits   ? ExitCode::kAwaiting
                                            : ExitCode::kFailed;
    return Fail(code, "", Code::kBail);
  }

 private:
  void Work(MemberResult* result) {
    for (const Status& checked : {RequireOwnVersion(session_), CheckOperationFlags(flags_)}) {
      if (!checked.ok()) return EndAs(FleetPhase::kFailed, checked.message(), result);
    }
    if (flags_.kind == OperationKind::kUpdate || flags_.run_program) {
      if (const Status offered = OfferToInstall(session_); !offered.ok())
        return EndAs(FleetPhase::kFailed, offered.message(), result);
    }
    Result<std::shared_ptr<ProcessSupervisor>> supervisor = StartSupervisor();
    if (!supervisor.ok()) return EndAs(FleetPhase::kFailed, supervisor.status().message(), result);
    Result<OperationSetup> setup = SetUp();
    if (!setup.ok()) return EndAs(FleetPhase::kFailed, setup.status().message(), result);
    if (!MayBegin(&*setup, result)) return;
    SharedRun run;
    run.supervisor = *supervisor;
    run.display = [this](const OperationSetup& of, bool) {
      return NewEventStream(of.masking, [this](std::string_view text) { conversation_.Write(std::string(text)); });
    };
    run.signal_scope = [](const std::shared_ptr<Cancellation>& cancellation) -> std::shared_ptr<void> {
      return std::make_shared<OperationSignals>(*cancellation, true);
    };
    // A destroy changes no outputs, and goes the other way round: it reads as a single one does.
    if (flags_.kind != OperationKind::kDestroy) {
      run.references = [this](Loop& loop, OtherStacks& others) { return References(loop, others); };
    }
    setup->shared = &run;
    ChangeMember(
        session_, flags_, &*setup, [this] { return unanswered_; }, result);
  }

  SharedRun::References References(Loop& loop, OtherStacks& others) {
    const Result<const Project*> project = session_.project();
    const auto reads =
        std::make_shared<AskedReads>(loop, others, conversation_, project.ok() ? (*project)->name : "", &unanswered_);
    return [reads](std::string stack, StackPart part) { return reads->Load(std::move(stack), part); };
  }

  // Tries again as long as another process holds the lock and the coordinator answers that the member shall wait.
  Result<OperationSetup> SetUp() {
    while (true) {
      Result<OperationSetup> setup = SetUpOperation(session_, flags_);
      if (setup.ok() || !setup.status().detail<StackLocked>()) return setup;
      json question;
      question["locked"] = setup.status().message();
      if (!BoolOf(conversation_.AskAndWait(std::move(question)), "wait")) return setup;
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }

  // Reports the recorded state to the coordinator, which answers whether the operation may begin, and with which plan.
  bool MayBegin(OperationSetup* setup, MemberResult* result) {
    json found;
    found["recorded"] = setup->base->manifest.time;
    const Result<std::string> url = session_.ChosenUrl();
    found["store"] = url.ok() ? MaskUrls(*url) : "";
    json question;
    question["begin"] = std::move(found);
    const json answer = conversation_.AskAndWait(std::move(question));
    if (!BoolOf(answer, "go")) {
      EndAs(FleetPhase::kStopped, "", result);
      return false;
    }
    if (const std::string plan = TextOf(answer, "plan"); !plan.empty()) setup->options.plan_json = plan;
    return true;
  }

  Session& session_;
  const OperationFlags& flags_;
  Conversation& conversation_;
  std::optional<UnansweredRead> unanswered_;  // only the thread of the operation uses it
};

// Flags that concern only the coordinating process, that reach the member in another way, or that --all refuses.
constexpr const char* kFlagsOfFleets[] = {
    // The coordinator asks, previews and plans.
    "--yes", "--skip-preview", "--preview-only", "--expect-no-changes", "--plan", "--save-plan", "--strict",
    // The coordinator shows the events of all stacks.
    "--json", "--output", "--diff", "--explain", "--timings", "--urns", "--show-secrets", "--show-config",
    "--show-replacement-steps", "--show-sames", "--show-reads", "--show-policy-remediations",
    "--show-policy-exceptions", "--show-full-output", "--suppress-outputs", "--suppress-progress",
    "--suppress-permalink",
    // --all refuses these.
    "--config-file", "--client", "--event-log", "--attach-debugger", "--import-file", "--import-pending-creates",
    "--override-env"};
// Flags with paths, which are relative to the coordinator's folder. A value that is no path is a name.
constexpr const char* kFlagsWithPaths[] = {"--policy-pack", "--policy-pack-config"};

bool IsAmong(const std::string& flag, const char* const* begin, const char* const* end) {
  return std::find(begin, end, flag) != end;
}

// "--policy-pack=/here/pack" of "--policy-pack=pack".
std::string WithAbsolutePath(const std::string& argument) {
  const size_t value = argument.find('=') + 1;
  std::error_code error;
  const std::filesystem::path path = argument.substr(value);
  if (!std::filesystem::exists(path, error)) return argument;
  return argument.substr(0, value) + std::filesystem::absolute(path, error).string();
}

}  // namespace

Status RunAsMember(Session& session, const OperationFlags& flags) { return MemberRun(session, flags).Run(); }

std::vector<std::string> FleetFlagNames() { return {std::begin(kFlagsOfFleets), std::end(kFlagsOfFleets)}; }

std::vector<std::string> MemberArguments(const OperationFlags& flags) {
  std::vector<std::string> arguments = {"--as-member", "--yes", "--skip-preview", "--non-interactive", "--color=never"};
  OperationFlags values;
  values.kind = flags.kind;
  values.is_preview_command = flags.is_preview_command;
  Flags declared("", "");
  DeclareOperationFlags(&declared, &values);
  values = flags;
  for (const Flags::WrittenFlag& written : declared.WriteArguments()) {
    if (IsAmong(written.flag, std::begin(kFlagsOfFleets), std::end(kFlagsOfFleets))) continue;
    const bool is_path = IsAmong(written.flag, std::begin(kFlagsWithPaths), std::end(kFlagsWithPaths));
    for (const std::string& argument : written.arguments) {
      arguments.push_back(is_path ? WithAbsolutePath(argument) : argument);
    }
  }
  return arguments;
}

}  // namespace kingpost
