// SPDX-License-Identifier: Apache-2.0
#include "simulation/explorer.h"

#include "simulation/kept_journals.h"

namespace kingpost::simulation {

namespace {

constexpr int kNestedOneIn = 40;
constexpr int kRivalOneIn = 16;

const char* NameOf(CrashKind kind) { return kind == CrashKind::kKill ? "kill" : "power cut"; }

std::string Join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n    " + line;
  return text;
}

void Count(const Json& act, Tally* tally) {
  ++tally->acts;
  for (const char* key : {"cancelAt", "terminateAt", "diskFailsAt", "takenAt", "takenAtCall", "clockJumpsAt"}) {
    if (act.contains(key)) ++tally->faults[key];
  }
  for (const auto& [call, fault] : scenarios::Mapping(act, "faults").items()) {
    std::string kind = "error";
    for (const char* word : {"hangs", "dies", "partial", "answer"}) {
      if (fault.is_object() && fault.contains(word)) kind = word;
    }
    ++tally->faults[kind];
  }
}

class Explorer {
 public:
  Explorer(const Json& story, Tally* tally) : story_(story), tally_(*tally) {}

  Failure Run() {
    reality_.disk.canary = kCanary;
    for (size_t i = 0; i < story_["acts"].size() && failure_.what.empty(); ++i) PlayAct(static_cast<int>(i));
    if (failure_.what.empty() && !reality_.disk.leak().empty()) {
      failure_.what = "secret: written in clear:\n" + reality_.disk.leak();
    }
    return failure_;
  }

 private:
  void PlayAct(int number) {
    const Json& act = story_["acts"][static_cast<size_t>(number)];
    act_ = number;
    doing_ = DoingFromJson(act);
    Count(act, &tally_);
    for (const auto& [call, fault] : doing_.faults.items()) {
      const bool in_doubt = fault.is_object() && (fault.value("dies", false) || fault.value("hangs", false));
      if (in_doubt && call.rfind("delete ", 0) == 0) doubtful_.insert(call.substr(7));
    }
    std::vector<Moment> moments;
    const Done done = Do(&reality_, doing_, &moments);
    if (!done.broken.empty()) return Fail("broken: " + done.broken, Json());
    tally_.taken += done.taken ? 1 : 0;
    lock_left_ = done.unsaved;
    doubtful_.insert(done.deletes.begin(), done.deletes.end());
    BuryProcesses(&reality_);
    const Json only = scenarios::Mapping(story_, "crash");
    if (!only.empty() && only["act"] != number) return;
    if (number < story_.value("exploreFrom", 0)) return;
    for (size_t i = 0; i < moments.size(); ++i) {
      if (!only.empty() && only["moment"] != i) continue;
      const unsigned first = only.value("seed", static_cast<unsigned>(doing_.order * 1000 + i));
      CrashAt(moments[i], i, first, only.empty() ? story_.value("tries", 1u) : 1);
    }
    // An act that was not broken off ends like one that was killed after its last breath.
    if (failure_.what.empty() && only.empty()) {
      Moment end;
      end.reality = reality_;
      end.acknowledged = done.acknowledged;
      end.deletes = done.deletes;
      end.where = "the end";
      Crash(end, {{"act", number}, {"moment", moments.size()}, {"kind", "kill"}, {"seed", 0}}, false);
    }
  }

  void CrashAt(const Moment& moment, size_t number, unsigned first_seed, unsigned tries) {
    for (unsigned seed = first_seed; seed < first_seed + tries && failure_.what.empty(); ++seed) {
      const CrashKind kind = seed % 3 == 0 ? CrashKind::kKill : CrashKind::kPowerCut;
      Crash(moment, {{"act", act_}, {"moment", number}, {"kind", NameOf(kind)}, {"seed", seed}}, false);
    }
  }

  void Crash(const Moment& moment, const Json& crash, bool nested) {
    const unsigned seed = crash["seed"];
    std::mt19937 random(seed);
    ++tally_.moments;
    ++(crash["kind"] == "kill" ? tally_.kills : tally_.cuts);
    if (nested) ++tally_.nested;
    if (seed % kRivalOneIn == 0) MeetRival(moment, crash);
    Reality reality = moment.reality;
    reality.disk =
        moment.reality.disk.AfterCrash(crash["kind"] == "kill" ? CrashKind::kKill : CrashKind::kPowerCut, random);
    BuryProcesses(&reality);
    std::vector<Moment> moments;
    const bool deeper = !nested && seed % kNestedOneIn == 0;
    Doing recover;
    recover.run = "recover";
    Done recovered = Do(&reality, recover, deeper ? &moments : nullptr);
    const std::string where = " (after a " + crash["kind"].get<std::string>() + " at: " + moment.where + ")";
    if (recovered.locked) return Fail("locked: " + recovered.status.message() + where, crash);
    if (!recovered.status.ok()) return Fail("refused: " + recovered.status.message() + where, crash);
    if (!recovered.integrity.ok()) return Fail("unsound: " + recovered.integrity.message() + where, crash);
    if (!KeptJournals(reality.disk).empty()) {
      ++tally_.merges;
      recover.run = "merge";
      recovered = Do(&reality, recover, nullptr);
      if (!recovered.status.ok()) return Fail("refused: the merge: " + recovered.status.message() + where, crash);
    }
    Knowledge knowledge{moment.acknowledged, doubtful_};
    knowledge.doubtful.insert(moment.deletes.begin(), moment.deletes.end());
    const std::string wrong = LookAtRecord(*recovered.found, reality.cloud, knowledge);
    if (!wrong.empty()) return Fail(wrong + where, crash);
    RunAgain(*recovered.found, std::move(reality), where, crash, knowledge.doubtful);
    for (Moment& inner : moments) {
      if (!failure_.what.empty()) return;
      inner.acknowledged = moment.acknowledged;
      inner.deletes = moment.deletes;
      inner.where = moment.where + ", then, recovering, " + inner.where;
      Json again = crash;
      again["seed"] = seed + 1;
      Crash(inner, again, true);
    }
  }

  void RunAgain(const Snapshot& found, Reality reality, const std::string& where, const Json& crash,
                const std::set<std::string>& doubtful) {
    if (!seen_.insert(std::to_string(act_) + Fingerprint(found, reality.cloud)).second) return;
    ++tally_.runs_again;
    Doing again;
    again.run = doing_.run;
    again.program = doing_.program;
    again.order = doing_.order;
    for (const char* time : {"second", "third"}) {
      const Done done = Do(&reality, again, nullptr);
      const std::string run = std::string("the ") + time + " run" + where + ": ";
      if (!done.broken.empty()) return Fail("broken: " + run + done.broken, crash);
      if (!done.status.ok()) return Fail("stays broken: " + run + done.status.message() + Join(done.errors), crash);
      if (done.changed && time[0] == 't') return Fail("restless: " + run + "it has something to do", crash);
      const std::string wrong = LookAtRecord(*done.left, reality.cloud, {{}, doubtful});
      if (!wrong.empty()) return Fail(wrong + ", after " + run, crash);
    }
  }

  // Another command, started while the first one lives, leaves it alone. (A lock that was left behind is remembered by
  // this process, also in the moments before.)
  void MeetRival(const Moment& moment, const Json& crash) {
    if (!moment.lock_held || lock_left_) return;
    ++tally_.rivals;
    Reality reality = moment.reality;
    Doing recover;
    recover.run = "recover";
    const Done met = Do(&reality, recover, nullptr);
    if (!met.locked) Fail("unlocked: a second command got in at: " + moment.where, crash);
  }

  void Fail(const std::string& what, const Json& crash) {
    if (failure_.what.empty()) failure_ = {what, crash};
  }

  const Json& story_;
  Tally& tally_;
  Reality reality_;
  Doing doing_;
  int act_ = 0;
  bool lock_left_ = false;
  std::set<std::string> doubtful_;
  std::set<std::string> seen_;
  Failure failure_;
};

}  // namespace

Failure Explore(const Json& story, Tally* tally) { return Explorer(story, tally).Run(); }

}  // namespace kingpost::simulation
