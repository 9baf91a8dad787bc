# SPDX-License-Identifier: Apache-2.0
"""Each rule for differential runs accepts the differences that it describes, and no others."""

import json

import pytest

from harness.differential_rules import Case, main, rule_of

P, A, B = "urn:pulumi:s::p::pulumi:providers:pkg::p", "urn:pulumi:s::p::pkg:m:T::a", "urn:pulumi:s::p::pkg:m:T::b"
UNKNOWN = f"BAIL: unknown provider '{P}::p-1' for resource {A}"
UNREGISTERED = f"provider {P}::p-1 for resource {A} has not been registered yet, this is due to a change of providers " \
    "mixed with --target. Change your program back to the original providers"


def row(urn: str, **more) -> dict:
    return {"Name": urn.rsplit("::", 1)[1], "Type": urn.split("::")[2], "ID": "", "Custom": True, "Dependencies": [],
            "PropertyDependencies": {}, "DeletedWith": "", "PendingReplacement": False} | more


@pytest.fixture
def rule(tmp_path):
    """The rule that a case falls under; orders of steps tell the steps of each resource."""
    def found(differences, rows=(), operation="plan.update", program=False, base=(), registered=(), real=None, dut=None,
              targets=(), **extra):
        fixture = {"Snapshot": {"Resources": list(rows)}, "Program": {"ResourceRegistrations": list(registered)},
                   "Plan": {"Operation": operation, "RefreshProgram": program, "TargetURNs": list(targets)},
                   "Extra": {"Base": list(base), "ExcludeDependents": False, "TargetDependents": False} | extra}
        (tmp_path / "fixture.json").write_text(json.dumps(fixture))
        for name, side in (("real", real or {}), ("dut", dut or {})):
            steps = {}
            for step in side.get("order", []):
                op, _, urn = step.partition(" ")
                steps.setdefault(urn, []).append(op)
            told = {"order": [], "failed": {}, "steps": steps, "ended": {}, "error": "", "state": []} | side
            (tmp_path / f"{name}.json").write_text(json.dumps(told))
        return rule_of(Case(tmp_path, differences))
    return found


def test_a_read_without_provider_is_the_last_that_the_reference_does(rule):
    def found(error=UNKNOWN, last=f"refresh {A}", beside=(), after=(), ours=None):
        order = [f"same {P}", last, *beside]
        return rule(["ends with success, want failure"], operation="plan.refreshV2", program=True,
                    real={"order": [*order, *after], "failed": {A: [last.split()[0]]}, "error": error},
                    dut={"order": [*order, f"same {B}"], "failed": ours or {}})
    assert found() == found(last=f"read {A}") == "peer_lacks_a_provider"
    assert found(beside=[f"refresh {B}"]) == "peer_lacks_a_provider"
    assert not found(beside=[f"same {B}"])
    assert not found(error="BAIL: another reason")
    assert not found(last=f"update {A}")
    assert not found(after=[f"refresh {B}"])
    assert not found(ours={A: ["refresh"]})


def test_a_deleted_resource_is_not_deleted_again(rule):
    waits = [row(A, PendingReplacement=True), row(B)]
    known = [f"state: {A} (id a-1): pendingReplacement is true, want null"]
    assert rule(known, waits) == "gone_is_not_deleted_again"
    assert not rule(known, [row(A), row(B)])
    assert not rule([*known, f"state: {A} (id a-1): inputs is null, want []"], waits)
    assert not rule([f"steps of {A}: [same remove-pending-replace], want [same delete]"], waits)


def test_a_deleted_resource_needs_no_provider(rule):
    def found(waits=True, theirs=UNREGISTERED, ours=""):
        return rule(["ends with success, want failure"], [row(A, PendingReplacement=waits)],
                    real={"error": theirs}, dut={"error": ours})
    assert found() == "gone_needs_no_provider"
    assert found(waits=False) == "left_out_keeps_its_provider"
    assert not found(theirs="another reason")
    assert not found(ours=UNREGISTERED)


def test_a_provider_that_a_new_component_brings_is_left_out_with_it(rule):
    def found(theirs="BAIL: untargeted create", parent=B, more=(), recorded=()):
        begun = [f"same {B}"]
        return rule(["ends with success, want failure"], [row(P, Parent=parent)],
                    real={"order": [*begun, *more], "error": theirs},
                    dut={"order": [*begun, f"same {P}"], "state": [{"urn": urn} for urn in recorded]})
    assert found() == "left_out_keeps_its_provider"
    assert not found(theirs="another reason")
    assert not found(parent="")
    assert not found(more=[f"create {P}"])
    assert not found(recorded=[B])


def test_what_depends_on_a_resource_that_is_not_made_is_not_read(rule):
    def found(operation="plan.destroyV2", recorded=(), op="read", needed=B, dut=(), targets=()):
        reads = row(A, PropertyDependencies={"p": [needed]})
        new = row(B, PropertyDependencies=None)
        return rule(["ends with success, want failure"], list(recorded), operation=operation, registered=[new, reads],
                    targets=targets, real={"order": [f"same {B}", f"{op} {A}"]},
                    dut={"order": [f"same {B}", f"delete {P}", *dut]})
    assert found() == found("plan.update", targets=[P]) == "not_read_without_its_dependencies"
    assert not found("plan.update", targets=[B])
    assert not found(operation="plan.update")
    assert not found(recorded=[row(B)])
    assert not found(op="same")
    assert not found(needed=P)
    assert not found(dut=[f"read {A}"])


def test_what_went_for_the_sake_of_another_comes_back_as_the_program_says(rule):
    def found(targets=(B,), ours=("delete-replaced", "replace", "create-replacement"), text=f"state: {A} (id a-2): inputs is {{}}"):
        order = [f"{op} {A}" for op in ("delete-replaced", "replace", "create-replacement")]
        return rule([text], real={"order": order}, dut={"order": [f"{op} {A}" for op in ours]}, targets=targets)
    assert found() == found(text=f"state: {A} (id a-2): outputs is null") == "made_again_as_the_program_says"
    assert not found(targets=())
    assert not found(targets=(A, B))
    assert not found(ours=["update"])
    assert not found(text=f"state: {A} (id a-2): provider is null")
    assert not found(text=f"state: {B} (id b-2): inputs is {{}}")


def test_what_needs_the_failed_is_skipped(rule):
    def found(on=True, needs=B, ours=(), failed=B, about=A):
        begun = [f"update {B}"]
        return rule([f"steps of {about}: [], want [create]"], registered=[row(B), row(A, DeletedWith=needs)], ContinueOnError=on,
                    real={"order": [*begun, f"create {A}"], "failed": {failed: ["update"], A: ["create"]}},
                    dut={"order": [*begun, *ours], "failed": {B: ["update"]}})
    assert found() == "skipped_with_what_failed"
    assert not found(on=False)
    assert not found(needs=P)
    assert not found(ours=[f"update {A}"])
    assert not found(failed=P)
    assert not found(about=B)


def test_twins_of_a_provider_are_kept_together(rule):
    def found(ids=("p-1", "p-1"), failed=None, about=P):
        return rule([f"steps of {about} (to delete): [replace], want [delete-replaced replace]",
                     f"state: {about} (id p-1) to delete is there 2 times, want 1"],
                    [row(P, ID=ids[0]), row(P, ID=ids[1]), row(A, ID="a-1")],
                    dut={"failed": {A: ["update"]} if failed is None else failed})
    assert found() == "twins_are_kept_together"
    assert not found(ids=("p-1", "p-2"))
    assert not found(failed={})
    assert not found(about=A)


def test_orphans_of_what_a_refresh_did_not_find_have_the_nearest_parent(rule):
    def found(steps=(f"refresh {A}",), there=(), what="parent", want="null", recorded=A, above=P):
        ours = {"order": list(steps), "state": [{"urn": urn} for urn in there]}
        rows = [row(P, Parent=""), row(A, Parent=above), row(B, Parent=recorded)]
        return rule([f'state: {B} (id b-1): {what} is "{P}", want {want}'], rows, real=ours, dut=ours)
    assert found() == "orphans_have_the_nearest_parent"
    assert found(steps=[f"refresh {A}", f"create {A}"]) == "orphans_have_the_nearest_parent"
    assert found(steps=[f"refresh {A}", f"create {A}"], there=[A]) == "orphans_have_the_nearest_parent"
    assert not found(there=[A])
    assert not found(steps=[f"delete {A}"])
    assert not found(steps=[f"refresh {A}", f"delete {A}"])
    assert not found(what="provider")
    assert not found(want=f'"{A}"')
    assert not found(recorded="")
    assert not found(above="")


def test_providers_that_nothing_needs_go_after_a_failed_read(rule):
    def found(operation="plan.destroyV2", failed=None, left=P, more=()):
        failed = {A: ["read"]} if failed is None else failed
        return rule([f"steps of {left}: [create delete], want [create]", *more], operation=operation,
                    real={"order": [f"create {left}"], "failed": failed},
                    dut={"order": [f"create {left}", f"delete {left}"], "failed": failed})
    assert found() == "not_kept_for_a_failed_read"
    assert not found(operation="plan.destroy")
    assert not found(failed={A: ["delete"]})
    assert not found(left=B)
    assert not found(more=[f"steps of {B}: [delete], want []"])


def test_a_taint_waits_for_its_comparison(rule):
    def found(program=True, tainted=True, ours="create-replacement", theirs="update"):
        return rule([f"steps of {A}: [{ours}], want [{theirs}]"], [row(A)], program=program, base=[{"Taint": tainted}],
                    real={"order": [f"{theirs} {A}"]}, dut={"order": [f"{ours} {A}"]})
    assert found() == "moved_to_another_provider"
    assert not found(program=False)
    assert not found(tainted=False)
    assert not found(ours="delete")
    assert not found(theirs="create-replacement", ours="same")


def test_deletes_beside_what_is_excluded_may_come_before_one_that_fails(rule):
    def found(more=f"delete {B}", exclude=(P,), operation="plan.destroyV2", last=f"delete {A}", theirs=(), goes_on=False):
        op, urn = last.split(" ")
        return rule([f"steps of {B}: [delete], want []"], operation=operation, Exclude=list(exclude), ContinueOnError=goes_on,
                    real={"order": [f"same {P}", *theirs, last], "failed": {urn: [op]}},
                    dut={"order": [f"same {P}", more, last], "failed": {urn: [op]}})
    assert found() == "deletes_beside_what_is_excluded"
    assert not found(more=f"update {B}")
    assert not found(exclude=())
    assert not found(operation="plan.destroy")
    assert not found(last=f"create {A}")
    assert not found(theirs=[f"delete {P}"])
    assert not found(goes_on=True)


def test_the_deleted_with_of_an_excluded_resource_stays_even_if_protected(rule):
    def found(exclude=(A,), stays=B, more=()):
        return rule(["ends with success, want failure", f"steps of {B}: [create], want [create delete]", *more],
                    operation="plan.destroyV2", Exclude=list(exclude), ContinueOnError=False,
                    real={"error": f'resource "{B}" cannot be deleted because it is protected', "order": [f"create {B}"]},
                    dut={"state": [{"urn": A, "deletedWith": stays}], "order": [f"create {B}"]})
    assert found() == "deletes_beside_what_is_excluded"
    assert not found(exclude=())
    assert not found(stays=None)
    assert not found(more=[f"steps of {A}: [same], want [same delete]"])


def test_of_several_protected_resources_that_the_reference_wants_to_delete_one_is_needed(rule):
    def found(protected=True):
        return rule([f"steps of {B}: [create], want [create delete]", f"failed steps of {B}: [], want [delete]"],
                    operation="plan.destroyV2", Exclude=[A], ContinueOnError=True,
                    real={"error": f'resource "{P}" cannot be deleted because it is protected', "order": [f"create {B}"],
                          "failed": {P: ["delete"], B: ["delete"]}},
                    dut={"state": [{"urn": A, "deletedWith": B}, {"urn": B, "protect": protected}], "order": [f"create {B}"]})
    assert found() == "deletes_beside_what_is_excluded"
    assert not found(protected=False)


def test_the_last_read_decides_about_the_next(rule):
    def found(program=True, more=()):
        return rule([f"state: {A} (id a): refreshBeforeUpdate is null, want true", *more], program=program)
    assert found() == "reads_decide_about_reads"
    assert not found(program=False)
    assert not found(more=[f"state: {A} (id a): protect is null, want true"])


def test_a_taint_on_a_protected_resource_refuses_the_replacement(rule):
    refusal = f'unable to replace resource "{A}" as it is currently marked for protection. To unprotect'

    def found(tainted=True, error=refusal, theirs="update"):
        return rule(["ends with failure, want success"], [row(A)], program=True, base=[{"Taint": tainted}],
                    real={"order": [f"refresh {A}", f"{theirs} {A}"]}, dut={"order": [f"refresh {A}"], "error": error})
    assert found() == "moved_to_another_provider"
    assert not found(tainted=False)
    assert not found(error="unable to read")
    assert not found(theirs="delete")


def test_a_destroy_spares_what_it_excludes_by_an_old_name(rule):
    def found(operation="plan.destroyV2", excluded=A, ours=("same",), more=()):
        moved = row(B, Aliases=[A])
        return rule([f"steps of {B}: [same], want [same delete]", *more], operation=operation, registered=[moved],
                    Exclude=[excluded], real={"steps": {B: ["same", "delete"]}}, dut={"steps": {B: list(ours)}})
    assert found() == "destroyed_by_its_old_name"
    assert not found(operation="plan.destroy")
    assert not found(excluded=P)
    assert not found(ours=["update"])
    assert not found(more=[f"steps of {P}: [], want [delete]"])


def test_what_is_deleted_with_another_goes_before_it(rule):
    def found(owner=B, failed=(B,), ours="delete-replaced", more=()):
        fails = {urn: ["delete-replaced"] for urn in failed}
        return rule([f"steps of {A}: [{ours}], want []", *more], [row(A, DeletedWith=owner), row(B)],
                    real={"order": [f"delete-replaced {B}"], "failed": fails},
                    dut={"order": [f"{ours} {A}", f"delete-replaced {B}"], "failed": fails})
    assert found() == "deleted_with_goes_first"
    assert not found(owner=P)
    assert not found(failed=())
    assert not found(ours="delete")
    assert not found(more=[f"state: {P} (id p-1) is there 1 times, want 0"])


def test_what_had_to_go_is_known_by_its_new_name(rule):
    def found(error=f"BAIL: diff failure for {B}", alias=A, went="delete-replaced", theirs=(), ours="replace"):
        return rule([f"steps of {B}: [replace create-replacement], want []"], [row(A, Parent="")],
                    registered=[row(B, Aliases=[alias])],
                    real={"order": [f"{went} {A}", *theirs], "error": error},
                    dut={"order": [f"{went} {A}", f"{ours} {B}", f"create-replacement {B}"]})
    assert found() == "known_by_its_new_name"
    assert not found(error="BAIL: another reason")
    assert not found(alias=P)
    assert not found(went="delete")
    assert not found(theirs=[f"same {P}"])
    assert not found(theirs=[f"create-replacement {B}"])
    assert not found(ours="update")


def test_what_had_to_go_and_has_another_name_now_is_made_again_beside_the_targets(rule):
    def found(theirs=f"same {A}", parent=P, about=P, alias=A):
        return rule([f"steps of {B}: [replace create-replacement], want []", f"steps of {about}: [delete], want [same]"],
                    [row(P, Parent=""), row(A, Parent=parent)], registered=[row(B, Aliases=[alias])], targets=[P],
                    real={"order": [f"delete-replaced {A}", theirs]},
                    dut={"order": [f"delete-replaced {A}", f"replace {B}", f"create-replacement {B}"]})
    assert found() == "known_by_its_new_name"
    assert not found(theirs=f"update {A}")
    assert not found(parent="")
    assert not found(about="urn:pulumi:s::p::pkg:m:T::c")
    assert not found(alias=P)


def test_a_provider_goes_after_what_it_serves(rule):
    def found(theirs=("delete-replaced",), ours=("delete-replaced",)):
        return rule(["ends with success, want failure"], real={"error": UNKNOWN, "ended": {P: list(theirs)}},
                    dut={"ended": {A: list(ours)}})
    assert found() == "providers_go_last"
    assert not found(theirs=["same"])
    assert not found(ours=[])


def test_the_share_of_cases_that_have_a_rule_is_told(tmp_path, rule, capsys):
    assert rule([f"steps of {A}: [create-replacement], want [update]"], [row(A)], program=True, base=[{"Taint": True}],
                real={"order": [f"update {A}"]}, dut={"order": [f"create-replacement {A}"]}) == "moved_to_another_provider"
    case = tmp_path / "seed-1"
    case.mkdir()
    for name in ("fixture.json", "real.json", "dut.json"):
        (tmp_path / name).rename(case / name)
    results = tmp_path / "results.json"
    results.write_text(json.dumps([{"seed": 1, "result": "DIFF", "differences": ["steps"]}, {"seed": 2, "result": "EQUAL"}]))
    assert main(str(results), str(tmp_path)) == 0
    assert "50.0 % of 2 cases have a rule" in capsys.readouterr().out


def test_a_refresh_with_the_program_tells_drift_towards_the_program(rule):
    drift = f"ends of steps of {A}: [update], want [same]"
    lost = f"state: {B} (id b-1): dependencies is null, want []"
    assert rule([drift], operation="plan.refreshV2") == "compared_with_the_program"
    assert rule([drift, lost], operation="plan.refreshV2") == "references_lost_in_refreshes"
    assert not rule([drift], operation="plan.refresh")
    assert not rule([drift.replace("[same]", "[delete]")], operation="plan.refreshV2")
    assert not rule([drift, f"state: {B} (id b-1): inputs is null, want []"], operation="plan.refreshV2")
