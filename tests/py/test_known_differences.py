# SPDX-License-Identifier: Apache-2.0
"""Each rule for random stories accepts the differences that it describes, and no others."""

import copy
import json

from harness import known_differences
from harness.known_differences import set_aside
from harness.random_acts import Act

A, B = (f"urn:pulumi:dev::random::things:index:Thing::{name}" for name in "ab")


def side(**told) -> dict:
    """The result of an act: two resources, of which a is new."""
    rows = {A: {"urn": A, "id": "a-1"}, B: {"urn": B, "id": "b-1"}}
    return {"code": 255, "calls": {A: ["create a"], B: ["diff b"]}, "world": {"a-1": {}, "b-1": {}}, "crashed": False,
            "steps": {A: ["create"], B: ["update"]}, "ended": {A: ["create"]}, "failed": [B],
            "errors": [[B, "error", "update of b was told to fail"]], "summary": {"create": 1},
            "state": {"version": 3, "deployment": {"resources": rows}}} | copy.deepcopy(told)


def behind() -> dict:
    """The same result of a run that stopped before a."""
    told = side(calls={B: ["diff b"]}, world={"b-1": {}}, steps={B: ["update"]}, ended={}, summary={})
    del told["state"]["deployment"]["resources"][A]
    return told


def act(verb="up", *args, serial=False, **more) -> Act:
    return Act(verb, {"serial": serial, "resources": [], "exports": {}}, list(args), **more)


def left(act: Act, ours: dict, peers: dict) -> tuple[list[str], bool]:
    """The rules that were used, and whether both sides are equal after them."""
    found = set_aside(act, ours, peers)
    return found, ours == peers


def test_the_reason_of_a_step_is_more_and_nothing_else_of_the_step_is():
    said = {"rule": "new", "said": "it is new in the program"}
    told = {"resourcePreEvent create a": [{"metadata": {"op": "create", "urn": A}}]}
    reasons = {"resourcePreEvent create a": [{"metadata": {"op": "create", "urn": A, "because": said}}]}
    assert left(act(), side(text=reasons, code=0), side(text=told, code=0))[1]
    more = {"resourcePreEvent create a": [{"metadata": {"op": "create", "urn": A, "since": said}}]}
    assert not left(act(), side(text=more, code=0), side(text=told, code=0))[1]
    property_called_so = {"resourcePreEvent create a": [{"metadata": {"op": "create", "urn": A, "new": {"because": 1}}}]}
    assert not left(act(), side(text=property_called_so, code=0), side(text=told, code=0))[1]


def test_a_refresh_keeps_what_a_read_replaced():
    def told(old_side, version):
        outcome = side(code=0, failed=[], errors=[])
        outcome["state"]["version"] = version
        outcome["state"]["deployment"]["resources"][A] |= {"external": True}
        if old_side:
            outcome["state"]["deployment"]["resources"][A + " old"] = {"urn": A, "id": "a-0", "delete": True} | old_side
        return outcome
    found, equal = left(act("refresh", "--run-program"), told({"replaceWith": [B]}, 4), told(None, 3))
    assert equal and "replaced by a read" in found
    assert not left(act("refresh"), told({"delete": False}, 4), told(None, 3))[1]
    assert not left(act("refresh"), told(None, 4), told(None, 3))[1]


def test_an_import_records_the_properties_that_its_file_chooses():
    def told(**inputs):
        outcome = side(code=0, failed=[], errors=[], calls={A: ["check " + str(inputs)]})
        outcome["state"]["deployment"]["resources"][A]["inputs"] = inputs
        return outcome
    chosen = act("import", files={"import.json": {"resources": [{"properties": ["x"]}]}})
    assert left(chosen, told(x=1), told(x=1, y=2)) == (["chosen properties"], True)
    assert not left(chosen, told(x=2), told(x=1, y=2))[1]
    assert not left(act("import", files={"import.json": {"resources": [{}]}}), told(x=1), told(x=1, y=2))[1]


def test_an_interrupted_create_is_adopted():
    def told(*urns):
        outcome = side(code=0)
        rows = outcome["state"]["deployment"]["resources"]
        outcome["state"]["deployment"]["resources"] = {urn: rows[urn] for urn in urns}
        return outcome
    adopting = act("refresh", "--import-pending-creates", A, "--import-pending-creates", "a-1")
    assert "adopts pending creates" in left(adopting, told(A, B), told(B))[0]
    assert "adopts pending creates" not in left(adopting, told(A, B), told(A))[0]
    assert "adopts pending creates" not in left(act("refresh"), told(A, B), told(B))[0]


def test_a_warning_of_what_is_not_pending_is_no_difference():
    warning = ["", "warning", f'"{A}" did not correspond to a pending create']
    adopting = act("refresh", "--import-pending-creates", A, "--import-pending-creates", "a-1")
    assert left(adopting, side(code=0, errors=[warning]), side(code=0, errors=[]))[1]
    assert not left(adopting, side(code=0, errors=[["", "warning", "another"]]), side(code=0, errors=[]))[1]
    assert not left(act("refresh"), side(code=0, errors=[warning]), side(code=0, errors=[]))[1]


def test_a_provider_moves_with_its_parent():
    provider = "urn:pulumi:dev::random::pulumi:providers:things::p"
    text = f"error: failed to verify integrity of source snapshot: child resource {provider} refers to missing parent {A}"

    def found(line=text, code=1):
        return left(act("state", "move"), *(side(code=c, said=s, other={"deployment": {"resources": {}}}) for c, s in ((0, []), (code, [line]))))[0]
    assert "providers move with their parents" in found()
    assert "providers move with their parents" not in found(line=text.replace("pulumi:providers:things", "things:index:Thing"))
    assert "providers move with their parents" not in found(code=0)


def test_only_a_new_secret_is_hidden_on_both_sides():
    def told(old, new):
        return {"resourcePreEvent update a": [{"metadata": {"op": "update", "old": {"inputs": old}, "new": {"inputs": new}}}]}
    ours = told({"deep": {"word": "[secret]"}, "size": 1}, {"deep": {"word": "[secret]"}, "size": 1})
    peers = told({"deep": {"word": "hush"}, "size": 1}, {"deep": {"word": "[secret]"}, "size": 1})
    assert left(act(), side(text=ours, code=0), side(text=peers, code=0))[1]
    plain_on_both = told({"deep": {"word": "hush"}, "size": 1}, {"deep": {"word": "hush"}, "size": 1})
    assert not left(act(), side(text=ours, code=0), side(text=plain_on_both, code=0))[1]
    other_size = told({"deep": {"word": "hush"}, "size": 2}, {"deep": {"word": "[secret]"}, "size": 1})
    assert not left(act(), side(text=ours, code=0), side(text=other_size, code=0))[1]


def test_progress_beside_a_failure_is_chance():
    for told in (act(), act("destroy", serial=True), act("refresh", serial=True)):
        assert left(told, side(), behind()) == (["failed side by side"], True)
        assert left(told, behind(), side()) == (["failed side by side"], True)


def test_one_step_at_a_time_is_no_chance():
    for told in (act(serial=True), act("destroy", "--parallel", "1", serial=True), act("up", "--continue-on-error")):
        found, alike = left(told, side(), behind())
        assert "failed side by side" not in found and not alike


def test_success_is_no_chance():
    assert left(act(), side(code=0), behind() | {"code": 0}) == ([], False)
    assert left(act(), side(), behind() | {"code": 0}) == ([], False)


def test_beside_a_failure_all_others_are_compared():
    differ = {"errors": [[B, "error", "another text"]], "failed": [], "steps": {B: ["same"]},
              "calls": {B: ["diff b", "update b"], A: []}, "world": {"b-1": {"value": "another"}}}
    for key, value in differ.items():
        assert not left(act(), side(), behind() | {key: value})[1], key
    other_row = behind()
    other_row["state"]["deployment"]["resources"][B]["id"] = "b-2"
    assert not left(act(), side(), other_row)[1]


def test_beside_a_failure_other_steps_of_one_resource_are_no_chance():
    assert not left(act(), side(), side(steps={A: ["create-replacement"], B: ["update"]}))[1]
    assert not left(act(), side(), side(steps={A: ["create", "delete"], B: ["update"]}, calls={A: [], B: ["diff b"]}))[1]


def test_beside_a_failure_the_earlier_calls_may_stand_anywhere():
    def told(*calls, steps):
        return side(calls={A: list(calls), B: ["diff b"]}, steps={A: steps, B: ["update"]})
    whole = told("check", "read 1", "diff 1", "update 1", steps=["refresh", "update"])
    assert left(act(), copy.deepcopy(whole), told("read 1", "diff 1", steps=["refresh"]))[1]
    assert not left(act(), copy.deepcopy(whole), told("diff 1", "read 1", steps=["refresh"]))[1]
    assert not left(act(), whole, told("read 2", steps=["refresh"]))[1]


def test_planned_steps_beside_a_failure_are_not_listed():
    unseen = [A, "error", f"expected resource operations for {A} but none were seen"]
    own, summed_up = [B, "error", "update of b was told to fail"], ["", "error", "update failed"]

    def found(told, theirs, ours=(own, summed_up)):
        return left(told, side(errors=list(ours)), side(errors=list(theirs)))
    planned = act("up", "--plan", "plan.json", serial=True)
    assert found(planned, [own, unseen])[1]
    assert not found(act(serial=True), [own, unseen])[1]
    assert not found(planned, [unseen])[1]
    assert not found(planned, [own, [B, *unseen[1:]]])[1]
    assert not found(planned, [own, unseen], [summed_up])[1]


def test_rules_are_named_once():
    names = [*known_differences.ADJUSTMENTS, *known_differences.WHOLE_ACTS, *known_differences.CHANCE]
    assert len(names) == len(set(names))


SECRET = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": "better than one"}
REMEDIATION = {"name": "r", "kind": "remediation", "level": 0, "word": "one"}


def remediated(sent="better than one", recorded="better than one", **more) -> dict:
    """A resource whose value a policy has remediated."""
    rows = {A: {"urn": A, "id": "a-1", "inputs": {"value": recorded}}}
    return side(code=0, failed=[], errors=[], steps={A: ["create"]}, ended={A: ["create"]}, world={},
                calls={A: [f'create {json.dumps({"properties": {"value": sent}})}']},
                state={"version": 3, "deployment": {"resources": rows}}) | more


def test_a_remediated_value_may_still_be_a_secret():
    told = act(rules=[REMEDIATION])
    assert left(told, remediated(SECRET, {"secret": "<ciphertext>"}), remediated()) == (["remediated secrets"], True)


def test_a_providers_copy_of_a_remediated_value_may_be_a_secret():
    told = act(rules=[REMEDIATION])
    added = {**SECRET, "value": "remediated"}
    ours = remediated(SECRET, {"secret": "<ciphertext>"}, world={"a-1": {"value": SECRET, "more": added}})
    peers = remediated(world={"a-1": {"value": "better than one", "more": "remediated"}})
    assert left(told, copy.deepcopy(ours), copy.deepcopy(peers)) == (["remediated secrets"], True)
    peers["world"]["a-1"]["more"] = "other"
    assert not left(told, ours, peers)[1]


def test_a_hook_may_see_a_remediated_value_as_a_secret():
    def told(value):
        return remediated(hooks={A: [json.dumps({"hook": "h", "new_inputs": {"value": value}}, sort_keys=True)]})
    rules = act(rules=[REMEDIATION])
    assert left(rules, told("Output"), told({"deep": ["one", "better than one"]}))[1]
    assert not left(rules, told("Output"), told({"deep": ["one"]}))[1]
    assert left(rules, told("Output"), told("remediated"))[1] and not left(rules, told("Output"), told("hush"))[1]
    assert not left(rules, told("one"), told("better than one"))[1]


def test_other_values_lose_no_secrecy():
    ours = remediated(SECRET, {"secret": "<ciphertext>"})
    assert not left(act(), copy.deepcopy(ours), remediated())[1]  # without a remediation
    told = act(rules=[REMEDIATION])
    assert not left(told, remediated(), copy.deepcopy(ours))[1]  # the peer keeps what we do not
    assert not left(told, copy.deepcopy(ours), remediated("one"))[1]
    assert not left(told, copy.deepcopy(ours), remediated(recorded="one"))[1]
    assert not left(told, remediated({**SECRET, "value": "better than two"}, {"secret": "<ciphertext>"}), remediated())[1]
    assert not left(told, copy.deepcopy(ours), remediated(steps={A: ["update"]}))[1]


def refusal(*said, code=255) -> dict:
    return side(code=code, said=list(said), steps={}, calls={}, errors=[], other={"deployment": {"resources": {}}})


def test_a_refusal_may_be_told_in_other_words():
    reason = "resource x refers to unknown provider y"
    told = [f"error: state file contains errors: {reason}; rerun with --force to proceed anyway"]
    peers = ["error: 2 errors occurred:", f"1) state file contains errors: {reason}"]
    for verb in ("state", "stack"):
        assert left(act(verb), refusal(*told), refusal(*peers))[1]
        assert not left(act(verb), refusal(*told, "and more"), refusal(*peers))[1]
        assert not left(act(verb), refusal(*told), refusal("error: another reason"))[1]
        assert not left(act(verb), refusal(*told), refusal(*peers, code=1))[1]
        assert not left(act(verb), refusal(*told, code=0), refusal(*peers, code=0))[1]
        other_state = refusal(*peers)
        other_state["state"]["deployment"]["resources"][B]["id"] = "b-2"
        assert not left(act(verb), refusal(*told), other_state)[1]
    assert not left(act("up"), refusal(*told), refusal(*peers))[1]


BROKEN = "Error:             snapshot integrity failure; refusing to use it: duplicate resource x"


def test_a_broken_state_is_told_of_first():
    missing = refusal('error: No such resource "x" exists in the current state')
    assert left(act("state"), copy.deepcopy(missing), refusal(BROKEN))[1]
    assert not left(act("state"), copy.deepcopy(missing), refusal("error: another reason"))[1]
    assert not left(act("state"), refusal("it is protected"), refusal(BROKEN))[1]  # which is no error


def test_edits_name_twice_what_a_resource_is_replaced_with():
    def told(*names: str) -> dict:
        edited = refusal(code=0)
        edited["state"]["deployment"]["resources"][A]["replaceWith"] = list(names)
        return edited
    assert left(act("state"), told(B), told(B, B)) == (["twice replaced with"], True)
    assert left(act("state"), told(B, B), told(B, B)) == ([], True)
    assert not left(act("state"), told(B), told(A, B))[1]
    assert not left(act("refresh"), told(B), told(B, B))[1]


def test_a_broken_state_may_be_mended_or_forced():
    forced = act("state", "delete", "x", "--force")
    ours = refusal("warning: state file contains errors: duplicate resource x", code=0)
    assert left(forced, copy.deepcopy(ours), refusal(BROKEN, code=1)) == (["edits of broken states"], True)
    assert left(act("state", "delete", "x"), refusal("Resource deleted", code=0), refusal(BROKEN, code=1))[1]
    assert not left(act("state", "delete", "x"), copy.deepcopy(ours), refusal(BROKEN, code=1))[1]
    assert not left(forced, copy.deepcopy(ours), refusal("error: another reason", code=1))[1]


def test_a_forced_import_may_be_marked():
    def noted(**metadata) -> dict:
        told = refusal("done", code=0)
        told["state"]["deployment"] |= {"metadata": metadata} if metadata else {}
        return told
    forced = act("stack", "import", "--force")
    assert left(forced, noted(integrity_error={}, more=1), noted(more=1)) == ([], False)  # it says nothing
    assert left(forced, noted(integrity_error={"error": "x"}), noted()) == (["forced in"], True)
    assert left(forced, noted(integrity_error={"error": "x"}, more=1), noted(more=1)) == (["forced in"], True)
    assert not left(forced, noted(integrity_error={"error": "x"}, more=1), noted())[1]
    assert not left(act("stack", "import"), noted(integrity_error={"error": "x"}), noted())[1]


def test_whether_a_component_has_its_outputs_is_chance_in_a_failed_run():
    box = "urn:pulumi:dev::random::boxes:index:Box::b"
    for urn, code, alike in ((box, 255, True), (box, 0, False), (A.replace("a", "c"), 255, False)):
        ours, peers = side(code=code), side(code=code)
        for told in (ours, peers):
            told["steps"][urn] = ["same"]
        ours["ended"][urn] = ["same"]
        assert left(act(serial=True), copy.deepcopy(ours), copy.deepcopy(peers))[1] == alike
        ours["ended"][urn], peers["ended"][urn] = ["refresh", "same"], ["refresh"]
        assert left(act(serial=True), copy.deepcopy(ours), copy.deepcopy(peers))[1] == alike
        peers["ended"][urn] = ["same"]
        assert not left(act(serial=True), ours, peers)[1]


def violation(message: str, urn: str = A) -> str:
    return json.dumps(["policyEvent", json.dumps({"message": message, "resourceUrn": urn}, sort_keys=True)])


def test_a_remediated_secret_is_masked_in_messages_of_policies():
    told = act(rules=[REMEDIATION])
    ours = {"pack": {"told": sorted([violation("[secret] is bad"), violation("two is bad", B)]), "calls": {}}}
    peers = {"pack": {"told": sorted([violation("better than one is bad"), violation("two is bad", B)]), "calls": {}}}
    found, alike = left(told, side(code=0, **copy.deepcopy(ours)), side(code=0, **copy.deepcopy(peers)))
    assert alike and found == ["remediated secrets"]
    for other in (violation("one is bad"), violation("better than one is worse"), violation("better than one is bad", B)):
        peers["pack"]["told"] = sorted([other, violation("two is bad", B)])
        assert not left(told, side(code=0, **copy.deepcopy(ours)), side(code=0, **copy.deepcopy(peers)))[1], other


def recorded(*rows: dict, **told) -> dict:
    """The result of an act that worked, and recorded this."""
    return side(code=0, failed=[], errors=[], steps={}, ended={}, calls={},
                state={"version": 3, "deployment": {"resources": {row["urn"]: row for row in rows}}}, **told)


def test_an_orphan_of_a_refresh_may_have_an_ancestor():
    child = {"urn": "urn:pulumi:dev::random::things:index:Thing$things:index:Thing::c"}
    below = child | {"parent": "urn:pulumi:dev::random::pulumi:pulumi:Stack::random-dev"}
    assert left(act("refresh"), recorded(below), recorded(child)) == (["orphans have the nearest parent"], True)
    assert not left(act("up"), recorded(below), recorded(child))[1]
    assert not left(act("refresh"), recorded(child), recorded(below))[1]


def test_a_refresh_may_keep_a_secret_and_not_make_one_of_an_object():
    def of(value):
        return recorded({"urn": A, "outputs": {"stamp": value}})
    secret = {"secret": "<ciphertext>"}
    assert left(act("refresh"), of(secret), of("plain")) == (["refreshes keep secrets"], True)
    assert not left(act("up"), of(secret), of("plain"))[1]
    assert not left(act("refresh"), of("plain"), of(secret))[1]
    assert not left(act("refresh"), of(secret), of({"a": "plain"}))[1]


def test_what_moves_may_keep_its_dependency_on_a_provider_alone():
    def moved(*dependencies):
        rows = {A: {"urn": A, "dependencies": list(dependencies)}}
        return recorded(said=["moved", *dependencies], other={"deployment": {"resources": rows}})
    provider = "urn:pulumi:other::random::pulumi:providers:things::p"
    move = act("state", "move", A)
    assert left(move, moved(provider, B), moved(B)) == (["dependencies on moved providers"], True)
    assert not left(move, moved(provider, B), moved())[1]
    assert not left(move, moved(B), moved(provider, B))[1]


def test_what_a_component_holds_may_stay_for_a_failed_delete():
    box, provider = "urn:pulumi:dev::random::things:index:Group::g", "urn:pulumi:dev::random::pulumi:providers:things::p"
    group = {"urn": box, "custom": False, "type": "things:index:Group"}
    inner = {"urn": A, "type": "things:index:Thing", "custom": True, "parent": box, "provider": provider + "::1"}
    serves = {"urn": provider, "type": "pulumi:providers:things", "custom": True}

    def failed(*rows):
        return recorded(*rows) | {"code": 1, "failed": [B]}
    destroy = act("destroy", "--continue-on-error")
    assert left(destroy, failed(group, inner, serves), failed(group)) == (["kept for a failed delete"], True)
    assert not left(destroy, failed(group, inner | {"parent": B}), failed(group))[1]
    assert not left(destroy, failed(group, serves), failed(group))[1]
    assert not left(destroy, failed(group), failed(group, inner))[1]


def test_which_failing_import_was_first_is_chance():
    def ended(first, *of):
        errors = [["", "error", f"update failed: step application failed: {first}"], *([urn, "error", text] for urn, text in of)]
        return side(failed=[A, B], errors=errors)
    both = [(A, "it exists"), (B, "it does not exist")]
    assert left(act("import"), ended("it exists", *both), ended("it does not exist", *both))[1]
    assert not left(act("import"), ended("it exists", *both), ended("out of order", *both))[1]
    assert not left(act("up", serial=True), ended("it exists", *both), ended("it does not exist", *both))[1]


def test_what_waits_for_its_replacement_may_go_on_waiting_in_a_destroy_alone():
    waiting, not_there = recorded({"urn": A, "pendingReplacement": True}), recorded({"urn": A})
    destroy = act("destroy", "--run-program")
    assert left(destroy, copy.deepcopy(waiting), copy.deepcopy(not_there)) == (["still waits for its replacement"], True)
    assert not left(act("up"), copy.deepcopy(waiting), copy.deepcopy(not_there))[1]
    assert not left(destroy, not_there, waiting)[1]


def test_a_move_that_breaks_the_peers_state_is_no_difference():
    def told(code, *said):
        return recorded(said=list(said), other={"deployment": {"resources": {}}}) | {"code": code}
    why = "Error: failed to verify integrity of destination snapshot: resource x "
    move = act("state", "move", A)
    assert left(move, told(0), told(1, why + "is specified as being replaced with y, which is missing"))[1]
    assert not left(move, told(0), told(1, why + "depends on y, which is missing"))[1]
    assert not left(move, told(1), told(1, why + "is specified as being replaced with y, which is missing"))[1]


def test_a_plan_may_be_followed_for_a_renamed_resource_alone():
    program = {"serial": True, "exports": {}, "resources": [
        {"label": "a", "type": "things:index:Thing", "name": "a", "inputs": {}, "opts": {"aliases": [B]}},
        {"label": "b", "type": "things:index:Thing", "name": "b", "inputs": {}, "opts": {}}]}
    follows = Act("up", program, ["--plan", "plan.json"])

    def failed(urn):
        text = f"expected resource operations for {urn} but none were seen"
        return recorded() | {"code": 1, "errors": [[urn, "error", text]]}
    assert left(follows, recorded(), failed(A)) == (["plans of renamed resources"], True)
    assert not left(follows, recorded(), failed(B))[1]
    assert not left(Act("up", program), recorded(), failed(A))[1]


def test_which_delete_of_one_name_is_first_is_chance():
    def told(*ops):
        return side(steps={A: list(ops)}, ended={A: list(ops)}, code=0)
    ours, peers = ("create", "delete", "delete-replaced"), ("create", "delete-replaced", "delete")
    for told_act in (act(), act("up", serial=True), act("destroy", "--parallel", "6")):
        assert left(told_act, told(*ours), told(*peers)) == (["deletes side by side"], True)
    assert not left(act("up", "--parallel", "1"), told(*ours), told(*peers))[1]
    assert not left(act(), told("create", "delete"), told(*peers))[1]
    assert not left(act(), told("delete", "create"), told("create", "delete"))[1]


def test_deletes_beside_a_failure_are_chance_though_the_program_awaits_each_resource():
    def told(*ops):
        return side(steps={A: ["create-replacement", "replace", *ops], B: ["update"]}, ended={}, failed=[])
    assert left(act(serial=True), told("delete-replaced"), told())[1]
    assert not left(act("up", "--parallel", "1", serial=True), told("delete-replaced"), told())[1]
    assert not left(act(serial=True), told("update"), told())[1]


def test_a_refused_value_that_is_secret_elsewhere_is_masked():
    def told(value, text="resource 'b': property value value {%s} has a problem: not allowed"):
        return side(errors=[[B, "error", text % value]], code=0)
    assert left(act(), told("[secret]"), told('a-1/"one"'))[1]
    assert not left(act(), told("hush"), told('a-1/"one"'))[1]
    assert not left(act(), told("[secret]"), told("one", "another %s"))[1]


def test_counts_of_a_refresh_with_the_program_are_known_in_events_too():
    def told(**counts):
        return side(text={"summaryEvent  ": [{"resourceChanges": counts}]}, summary=counts, code=0)
    with_program = act("refresh", "--run-program")
    assert left(with_program, told(same=6, update=1), told(same=7))[1]
    assert not left(with_program, told(same=6, update=1), told(same=6))[1]
    assert not left(act("refresh"), told(same=6, update=1), told(same=7))[1]


def test_a_delete_that_may_have_happened_stays_pending():
    def told(*kinds):
        deployment = {"resources": {}, "pending_operations": [{"type": kind, "resource": {"urn": A}} for kind in kinds]}
        return side(state={"version": 3, "deployment": deployment})
    assert left(act("destroy"), told("deleting"), told()) == (["what may be gone is read"], True)
    assert not left(act("destroy"), told("creating"), told())[1]
    assert not left(act("destroy"), told(), told("deleting"))[1]
    assert left(act("destroy"), told("deleting"), told("deleting")) == ([], True)
