// SPDX-License-Identifier: Apache-2.0
// Checks the table of a run: what each transition records, under which names, and which transitions are refused.
#include "decisions/rows.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::rows_test {

using namespace plan_test;

using decisions::Because;
using decisions::RowOutcome;
using decisions::Rows;
using decisions::Rule;

const Urn kA = UrnOf("a"), kB = UrnOf("b");

StatePtr OldSide(const std::string& name) {
  State state = StateOf(name);
  state.pending_delete = true;
  state.id = name + "-old";
  return Share(std::move(state));
}

Rows RowsOf(std::vector<StatePtr> base) {
  Rows rows;
  rows.SetBase(std::move(base));
  return rows;
}

// True if `f` aborts the process, as a failed assertion does.
template <class F>
bool Aborts(const F& f) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGABRT, SIG_DFL);
    close(STDERR_FILENO);
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

TEST_CASE("the base is found by URN, with its pending deletes") {
  const StatePtr live = Share(StateOf("a")), old_side = OldSide("a");
  const Rows rows = RowsOf({old_side, live});
  CHECK(rows.Old(kA) == live);
  CHECK(rows.AllOld(kA) == std::vector<StatePtr>{old_side, live});
  CHECK(rows.Old(kB) == nullptr);
  CHECK(rows.WaitsForDelete(old_side));
  CHECK_FALSE(rows.WaitsForDelete(live));
  CHECK(rows.OldProvider({kA, "a-old"}) == old_side);
  CHECK_FALSE(rows.HasStep(kA));
  CHECK_FALSE(rows.IsKnown(kA));
}

TEST_CASE("a name is claimed once") {
  Rows rows = RowsOf({});
  CHECK(rows.Claim(kA));
  CHECK_FALSE(rows.Claim(kA));
  CHECK(rows.IsKnown(kA));
}

TEST_CASE("a renamed resource is one resource under both names") {
  const StatePtr recorded = Share(StateOf("b"));
  Rows rows = RowsOf({OldSide("a"), recorded});
  REQUIRE(rows.Claim(kA));
  rows.Continue(kA, kB);
  CHECK(rows.CurrentUrn(kB) == kA);
  CHECK(rows.IsRenamed(kB));
  CHECK_FALSE(rows.IsRenamed(kA));
  CHECK(rows.Old(kB) == recorded);
  CHECK(rows.Old(kA) == nullptr);
  CHECK(rows.AllOld(kA).size() == 1);
  rows.Decide(kA, RowOutcome::kUpdated, Because(Rule::kInputsChanged));
  CHECK(rows.HasStep(kB));
  CHECK(rows.IsOperatedOn(kB));
  auto updated = StateOf("a");
  rows.Publish(Share(updated), false);
  CHECK(rows.Now(kB) == rows.Now(kA));
  CHECK(rows.Published().size() == 1);
}

TEST_CASE("views and those that name a resource follow it to its new name") {
  State view = StateOf("v"), with = StateOf("w");
  view.view_of = kB;
  with.deleted_with = kB;
  Rows rows = RowsOf({Share(StateOf("b")), Share(view), Share(with)});
  rows.Claim(kA);
  rows.Continue(kA, kB);
  CHECK(rows.OldViews(kA).size() == 1);
  CHECK(rows.NamedBy(kA).size() == 1);
}

TEST_CASE("a resource that is published twice has the state published last") {
  Rows rows = RowsOf({});
  State first = StateOf("a"), last = StateOf("a");
  last.id = "last";
  rows.Publish(Share(first), true);
  rows.Publish(Share(last), false);
  REQUIRE(rows.Published().size() == 1);
  CHECK(rows.Published()[0]->now()->id == "last");
  CHECK(rows.Registered(kA)->id == "last");
  rows.ForgetPublished();
  CHECK(rows.Published().empty());
  CHECK(rows.Now(kA) == nullptr);
}

TEST_CASE("the table says nothing of resources that it does not know") {
  const Rows rows = RowsOf({});
  const StatePtr stranger = Share(StateOf("s"));
  CHECK(rows.RecordedStateOf(stranger) == nullptr);
  CHECK_FALSE(rows.IsInDoubt(stranger));
  CHECK_FALSE(rows.IsDeletedFirst(stranger));
  CHECK(rows.Original(stranger) == stranger);
  CHECK(rows.AllOld(stranger->urn).empty());
  CHECK(rows.OldViews(stranger->urn).empty());
  CHECK(rows.NamedBy(stranger->urn).empty());
  CHECK(rows.CurrentUrn(stranger->urn) == stranger->urn);
}

TEST_CASE("the first of two registrations that claim the same former name gets it") {
  Rows rows = RowsOf({Share(StateOf("b"))});
  rows.Claim(kA);
  rows.Continue(kA, kB);
  const Urn other = UrnOf("c");
  rows.Claim(other);
  rows.Continue(other, kB);
  CHECK(rows.CurrentUrn(kB) == kA);
  CHECK(rows.Find(other)->former().empty());
}

TEST_CASE("a kept resource is known and unchanged, and cannot change any more") {
  Rows rows = RowsOf({Share(StateOf("a"))});
  rows.Keep(kA, Because(Rule::kNotTargeted));
  CHECK(rows.IsKnown(kA));
  CHECK(rows.IsUnchanged(kA));
  CHECK(rows.IsOperatedOn(kA));
  CHECK(rows.WhyDecided(kA)->rule == Rule::kNotTargeted);
}

TEST_CASE("a refreshed state stands for its recorded one, and a missing resource is gone") {
  const StatePtr recorded = Share(StateOf("a"));
  Rows rows = RowsOf({recorded});
  rows.BeginRefresh(kA);
  CHECK(rows.IsBeingRefreshed(kA));
  CHECK(rows.IsOperatedOn(kA));
  CHECK_FALSE(rows.HasStep(kA));
  const StatePtr found = Share(StateOf("a"));
  rows.EndRefresh(recorded, found);
  CHECK(rows.Original(found) == recorded);
  rows.MarkPendingDelete(found);
  CHECK(rows.WaitsForDelete(recorded));
  Rows gone = RowsOf({recorded});
  gone.EndRefresh(recorded, nullptr);
  CHECK(gone.RecordedStateOf(recorded)->is_gone());
}

TEST_CASE("a condemned resource counts as deleted, unless it stays") {
  const StatePtr recorded = Share(StateOf("a"));
  Rows rows = RowsOf({recorded});
  rows.MarkDeletedFirst(recorded, {"zone"}, Because(Rule::kProviderCondemned, {}, kB, Because(Rule::kForced)));
  CHECK(rows.IsDeletedFirst(recorded));
  CHECK(rows.IsDeleted(kA));
  CHECK(rows.HasStep(kA));
  CHECK_FALSE(rows.IsOperatedOn(kA));
  CHECK(rows.RecordedStateOf(recorded)->keys() == std::vector<std::string>{"zone"});
  rows.UndoDeletedFirst(recorded);
  CHECK_FALSE(rows.IsDeletedFirst(recorded));
  CHECK_FALSE(rows.HasStep(kA));
}

TEST_CASE("a deleted resource has a step, unless it is spared") {
  Rows rows = RowsOf({Share(StateOf("a"))});
  rows.Delete(kA);
  CHECK(rows.IsDeleted(kA));
  CHECK(rows.HasStep(kA));
  rows.UndoDelete(kA);
  CHECK_FALSE(rows.IsDeleted(kA));
  CHECK_FALSE(rows.HasStep(kA));
}

TEST_CASE("the resources that name another in deletedWith or replaceWith are listed until they are handled") {
  State with = StateOf("b");
  with.deleted_with = kA;
  with.replace_with = {kA};
  Rows rows = RowsOf({Share(StateOf("a")), Share(with)});
  CHECK(rows.NamedBy(kA).size() == 1);
  rows.Decide(kB, RowOutcome::kUnchanged, Because(Rule::kInputsEqual));
  CHECK(rows.NamedBy(kA).empty());
}

TEST_CASE("a new base replaces the old one, and keeps its deletes in doubt") {
  State named = StateOf("b");
  named.deleted_with = kA;
  const StatePtr stays = Share(StateOf("a")), goes = Share(named), sure = Share(StateOf("c"));
  Snapshot recorded;
  recorded.resources = {stays, goes, sure};
  PendingOperation open;
  open.resource = stays;
  open.type = OperationType::kDeleting;
  recorded.pending_operations = {open};
  Rows rows = RowsOf({stays, goes, sure});
  rows.DoubtDeletes(recorded);
  REQUIRE(rows.IsInDoubt(stays));
  rows.SetBase({stays, sure});
  CHECK(rows.NamedBy(kA).empty());
  CHECK(rows.IsInDoubt(stays));
  CHECK_FALSE(rows.IsInDoubt(sure));
  CHECK(rows.Old(kB) == nullptr);
  CHECK(rows.RecordedStateOf(goes) == nullptr);
}

TEST_CASE("the step that awaits outputs is given once") {
  Rows rows = RowsOf({});
  const decisions::StepPtr step = decisions::Create(std::make_shared<State>(StateOf("a")));
  rows.AwaitOutputs(step);
  CHECK(rows.TakeAwaiting(kA) == step);
  CHECK(rows.TakeAwaiting(kA) == nullptr);
}

TEST_CASE("illegal transitions end the process") {
  Rows rows = RowsOf({Share(StateOf("a")), Share(StateOf("b"))});
  const decisions::ReasonPtr because = Because(Rule::kNew);
  CHECK(Aborts([&] { rows.Decide(kA, RowOutcome::kUndecided, because); }));
  CHECK(Aborts([&] {
    rows.Decide(kA, RowOutcome::kUpdated, because);
    rows.Decide(kA, RowOutcome::kCreated, because);
  }));
  CHECK(Aborts([&] {
    rows.Decide(kA, RowOutcome::kReplaced, because);
    rows.Keep(kA, because);
  }));
  CHECK(Aborts([&] {
    rows.MarkDeletedFirst(rows.Old(kA), {}, because);
    rows.MarkDeletedFirst(rows.Old(kA), {}, because);
  }));
  CHECK(Aborts([&] {
    rows.Claim(kA);
    rows.Continue(kA, kB);  // it is recorded under its own name
  }));
  CHECK_FALSE(Aborts([&] { rows.Decide(kA, RowOutcome::kUpdated, because); }));
}

}  // namespace kingpost::rows_test
