// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/fleet_command.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/command_name.h"
#include "base/os.h"
#include "base/url_masking.h"
#include "cli/fleet/cluster.h"
#include "cli/fleet/fleet_run.h"
#include "cli/fleet/fleet_timings.h"
#include "cli/metadata/git_repository.h"
#include "cli/operations/missing_packages.h"
#include "cli/operations/operation.h"
#include "cli/packages/process_host.h"
#include "cli/session/exit_code.h"
#include "console/display/output.h"
#include "console/prompt/ask.h"
#include "kingpost/operation_word.h"
#include "runtimes/program_forks.h"
#include "workspace/stack_config.h"

namespace kingpost {

namespace {

FleetFormat FleetFormatOf(const OperationFlags& flags) {
  if (flags.json) return FleetFormat::kJsonEvents;
  if (flags.output == "json") return FleetFormat::kJson;
  if (flags.output == "markdown") return FleetFormat::kMarkdown;
  return flags.diff ? FleetFormat::kDiff : FleetFormat::kText;
}

bool OnlyPreviews(const OperationFlags& flags) { return flags.is_preview_command || flags.preview_only; }

bool AsksAboutFleet(const OperationFlags& flags) {
  return !OnlyPreviews(flags) && !flags.yes && !flags.skip_preview && !IsTrueVariable("PULUMI_SKIP_CONFIRMATIONS");
}

Status CheckFleetConfirmable(const Session& session, const OperationFlags& flags) {
  if (!AsksAboutFleet(flags) || session.interactive()) return Status::Ok();
  return UsageError("--yes or --skip-preview must be passed in to proceed when running in non-interactive mode");
}

Status CheckPlans(const Fleet& fleet, const OperationFlags& flags) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!flags.save_plan_file.empty()) {
    fs::create_directories(flags.save_plan_file, error);
    if (error)
      return UsageError("--save-plan " + flags.save_plan_file + ": the folder cannot be made: " + error.message());
  }
  if (flags.plan_file.empty()) return Status::Ok();
  if (!fs::is_directory(flags.plan_file, error)) {
    return UsageError("--plan " + flags.plan_file + ": with --all it is the folder that " +
                      QuotedCommand("preview --all --save-plan FOLDER") + " has filled");
  }
  for (const FleetMember& member : fleet.members) {
    const std::string file = PlanFile(flags.plan_file, member);
    if (!fs::exists(file, error)) {
      return UsageError("there is no plan for " + member.name + " in " + flags.plan_file +
                        "; save plans of the same stacks again");
    }
  }
  return Status::Ok();
}

// Packages that programs lack are installed before anything is shown, one project after the other.
Status InstallMissing(const Session& session, const Fleet& fleet, const OperationFlags& flags) {
  if (flags.kind != OperationKind::kUpdate && !flags.run_program) return Status::Ok();
  for (const FleetMember& member : fleet.members) {
    if (MissingPackages(member.project).empty()) continue;
    SessionContext surroundings;
    surroundings.folder = member.folder;
    surroundings.store = member.store;
    surroundings.say = [&member](const std::string& text) { Output(STDERR_FILENO).Write(member.name + ": " + text); };
    Session inside(session.globals(), std::move(surroundings));
    if (const Status offered = OfferToInstall(inside); !offered.ok()) return offered.Wrap(member.name);
  }
  return Status::Ok();
}

// A stack whose settings name a key service needs none.
bool NeedsPassphrase(const FleetMember& member) {
  const Result<StackConfig> settings =
      StackConfig::Load(member.project.StackConfigFile(member.stack.name), member.project.name);
  return !settings.ok() || settings->encrypted_key().empty();
}

// Threads cannot ask beside a screen: who has to be asked is asked before.
Result<std::shared_ptr<PassphraseSource>> PassphraseFor(Session& session, const Fleet& fleet) {
  const std::shared_ptr<PassphraseSource> own = session.passphrase();
  const bool needed = std::any_of(fleet.members.begin(), fleet.members.end(), NeedsPassphrase);
  if (!own->interactive() || !needed) return own;
  Result<std::string> answer = own->Read("Enter the passphrase of these stacks");
  if (!answer.ok()) return answer.status();
  return FixedPassphrase(*std::move(answer));
}

enum class FleetAnswer { kYes, kNo };

size_t CountPhase(const std::vector<MemberResult>& results, FleetPhase phase) {
  return static_cast<size_t>(std::count_if(results.begin(), results.end(),
                                           [phase](const MemberResult& one) { return one.outcome.phase == phase; }));
}

std::string DetailsOf(const Fleet& fleet, const std::vector<MemberResult>& previews, const Painter& painter) {
  std::string text;
  for (size_t i = 0; i < previews.size(); ++i) {
    if (previews[i].details.empty()) continue;
    text += painter.Bold(fleet.members[i].name) + "\n" + previews[i].details + "\n";
  }
  return text.empty() ? "  no changes\n" : text;
}

FleetAnswer AskAboutFleet(Session& session, const Fleet& fleet, const OperationFlags& flags,
                          const std::vector<MemberResult>& previews) {
  const size_t changed = CountPhase(previews, FleetPhase::kUpdated);
  std::string question = "Do you want to perform this " + OperationWord(flags.kind) + " of " + std::to_string(changed) +
                         (changed == 1 ? " stack?" : " stacks?");
  if (changed == 0) question = "Do you want to perform this " + OperationWord(flags.kind) + "? No stack would change.";
  const size_t left = CountPhase(previews, FleetPhase::kFailed) + CountPhase(previews, FleetPhase::kSkipped);
  if (left > 0) {
    question += "\n" + std::to_string(left) + (left == 1 ? " stack that was" : " stacks that were") +
                " not previewed well " + (left == 1 ? "is" : "are") + " left out.";
  }
  const std::vector<MenuItem> items = {{"yes", ""}, {"no", ""}, {"details", "every change of every stack"}};
  while (true) {
    const std::optional<size_t> chosen = Choose(session.painter(), question, items, 1);
    if (!chosen || *chosen == 1) return FleetAnswer::kNo;
    if (*chosen == 0) return FleetAnswer::kYes;
    ShowInPager(session.painter(), DetailsOf(fleet, previews, session.painter()));
  }
}

// Returns the status for the exit code. The screen has shown everything else.
Status ConcludeFleet(const OperationFlags& flags, const std::vector<MemberResult>& results, bool preview) {
  const bool terminated = std::any_of(results.begin(), results.end(), [](const auto& one) { return one.terminated; });
  const std::string word = preview ? "preview" : OperationWord(flags.kind);
  if (terminated) return Fail(ExitCode::kCancelled, word + " stopped; operations in flight are pending");
  if (CountPhase(results, FleetPhase::kStopped) > 0) return Fail(ExitCode::kFailed, word + " canceled");
  const size_t failed = CountPhase(results, FleetPhase::kFailed), skipped = CountPhase(results, FleetPhase::kSkipped);
  const size_t awaiting = static_cast<size_t>(
      std::count_if(results.begin(), results.end(), [](const MemberResult& one) { return one.awaits; }));
  if (failed > 0 && failed == awaiting) return Fail(ExitCode::kAwaiting, "", Code::kUnavailable);
  if (failed + skipped > 0) {
    std::string what = failed > 0 ? std::to_string(failed) + (failed == 1 ? " stack failed" : " stacks failed") : "";
    if (skipped > 0)
      what += (what.empty() ? "" : ", ") + std::to_string(skipped) + (skipped == 1 ? " was skipped" : " were skipped");
    return Fail(ExitCode::kFailed, what + "; the same command goes on from there");
  }
  const bool changed = std::any_of(results.begin(), results.end(), [](const auto& one) { return one.has_changes; });
  if (flags.expect_no_changes && changed) {
    return Fail(ExitCode::kHasChanges,
                std::string("no changes were expected but changes ") + (preview ? "were proposed" : "occurred"));
  }
  return Status::Ok();
}

class FleetCommand {
 public:
  FleetCommand(Session& session, const OperationFlags& operation, const FleetFlags& flags)
      : session_(session), operation_(operation), flags_(flags) {}

  Status Run() {
    Result<std::shared_ptr<ProcessSupervisor>> supervisor = StartSupervisor();
    if (!supervisor.ok()) return supervisor.status();
    shared_.supervisor = std::move(*supervisor);
    shared_.git = std::make_shared<GitRepositories>();
    shared_.forks = std::make_shared<ProgramForks>(shared_.supervisor);
    if (const Status prepared = Prepare(); !prepared.ok()) return prepared;
    if (fleet_.members.empty()) {
      session_.Note("none of these stacks has changed since " + flags_.changed_since);
      return Status::Ok();
    }
    std::vector<MemberResult> previews;
    if (!operation_.skip_preview) {
      if (const Status previewed = Preview(&previews); !previewed.ok() || OnlyPreviews(operation_)) return previewed;
    }
    FleetPass pass;
    pass.format = FleetFormatOf(operation_);
    pass.before = previews.empty() ? nullptr : &previews;
    const std::vector<MemberResult> results = RunPass(session_, fleet_, operation_, flags_, shared_, pass);
    PrintTimings(results, false);
    return ConcludeFleet(operation_, results, false);
  }

 private:
  Status Prepare() {
    Result<Fleet> fleet = OpenFleet(session_, flags_, operation_.stack);
    if (!fleet.ok()) return fleet.status();
    fleet_ = std::move(*fleet);
    if (const Status selected = SelectMembers(flags_, &fleet_); !selected.ok()) return selected;
    if (const Status ordered = CheckOrder(fleet_); !ordered.ok()) return ordered;
    if (const Status targets = CheckTargets(fleet_, operation_); !targets.ok()) return targets;
    if (const Status plans = CheckPlans(fleet_, operation_); !plans.ok()) return plans;
    if (const Status connected = Connect(); !connected.ok()) return connected;
    if (const Status installed = InstallMissing(session_, fleet_, operation_); !installed.ok()) return installed;
    Result<std::shared_ptr<PassphraseSource>> passphrase = PassphraseFor(session_, fleet_);
    if (!passphrase.ok()) return passphrase.status();
    shared_.passphrase = std::move(*passphrase);
    return Status::Ok();
  }

  // Before anything is shown: whether the workers are there, and have what they need.
  Status Connect() {
    if (flags_.on.empty() || fleet_.members.empty()) return Status::Ok();
    std::vector<std::string> folders;
    for (const FleetMember& member : fleet_.members) folders.push_back(member.folder);
    Result<std::shared_ptr<Cluster>> cluster = Cluster::Connect(shared_.supervisor, flags_.on, folders);
    if (!cluster.ok()) return cluster.status();
    shared_.cluster = *std::move(cluster);
    for (const FleetMember& member : fleet_.members) {
      const std::string& url = member.store_url;
      const bool is_folder = url.starts_with("file://");
      if ((is_folder && shared_.cluster->is_local()) || (!is_folder && url.find("://") != std::string::npos)) continue;
      return UsageError(member.name + " keeps its state in " + MaskUrls(url) + ", which workers on other machines " +
                        "do not share, or cannot lock; keep it in a bucket or in PostgreSQL, see '" +
                        QuotedCommand("state migrate") + "'");
    }
    return Status::Ok();
  }

  // And the question. A Bail means that the user said no.
  Status Preview(std::vector<MemberResult>* previews) {
    const bool alone = OnlyPreviews(operation_);
    FleetPass pass;
    pass.preview = true;
    pass.want_details = AsksAboutFleet(operation_);
    pass.format = FleetFormatOf(operation_);
    // A program that reads one report wants that of the operation, if there is one.
    const bool one_report = !alone && pass.format != FleetFormat::kText && pass.format != FleetFormat::kDiff;
    if (one_report) pass.reports = [this](const auto& results) { return EndsWithPreview(results); };
    *previews = RunPass(session_, fleet_, operation_, flags_, shared_, pass);
    PrintTimings(*previews, true);
    const Status concluded = ConcludeFleet(operation_, *previews, true);
    if (alone) return concluded;
    if (EndsWithPreview(*previews)) return concluded;
    if (!AsksAboutFleet(operation_) || AskAboutFleet(session_, fleet_, operation_, *previews) == FleetAnswer::kYes)
      return Status::Ok();
    session_.Say("confirmation declined, not proceeding with the " + OperationWord(operation_.kind) + "\n");
    return Fail(ExitCode::kFailed, "", Code::kBail);
  }

  bool EndsWithPreview(const std::vector<MemberResult>& previews) const {
    if (CountPhase(previews, FleetPhase::kStopped) > 0) return true;
    if (flags_.fail_fast && CountPhase(previews, FleetPhase::kFailed) > 0) return true;
    return CountPhase(previews, FleetPhase::kUpdated) + CountPhase(previews, FleetPhase::kUnchanged) == 0;
  }

  void PrintTimings(const std::vector<MemberResult>& results, bool preview) const {
    if (operation_.timings.empty()) return;
    const std::string text = FleetTimingsText(fleet_, results, preview ? "preview" : OperationWord(operation_.kind));
    if (operation_.for_programs() || operation_.output == "markdown") {
      Output(STDERR_FILENO).Write(text);
    } else {
      session_.Say(text);
    }
  }

  Session& session_;
  const OperationFlags& operation_;
  const FleetFlags& flags_;
  FleetShared shared_;
  Fleet fleet_;
};

}  // namespace

Status RunFleetCommand(Session& session, const OperationFlags& operation, const FleetFlags& flags) {
  if (const Status checked = CheckFleetOperation(operation, flags); !checked.ok()) return checked;
  if (const Status checked = CheckOperationFlags(operation); !checked.ok()) return checked;
  if (const Status confirmable = CheckFleetConfirmable(session, operation); !confirmable.ok()) return confirmable;
  return FleetCommand(session, operation, flags).Run();
}

}  // namespace kingpost
