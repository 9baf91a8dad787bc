# SPDX-License-Identifier: Apache-2.0
"""The rules by which random stories set a difference aside; docs/differences.md has the reasons. A rule that sets aside
a whole act ends the comparison of that act. The story goes on from the peer's state, and ends where the peer has left
none that can be used."""

from __future__ import annotations

import json
import re

from .chance import deletes_side_by_side, failed_side_by_side
from .compare import SECRET_KEY
from .known_acts import WHOLE_ACTS, is_broken, named
from .unsealed import unsealed, unsealed_events

_SECRET = re.compile(r"\{&\{\{.*?\}\}\}")
_REFUSED = re.compile(r"\{.*\} has a problem")
_UNKNOWN = re.compile(r'"news": {[^}]*"<id>"')
_REPLACEMENTS = {"create-replacement", "replace", "delete-replaced"}


def set_aside(act, ours: dict, peers: dict) -> list[str]:
    """Takes what is known to differ out of both; returns the names of what was found."""
    if ours == peers:
        return []
    found = [name for name, adjust in ADJUSTMENTS.items() if adjust(act, ours, peers)]
    for name, applies in WHOLE_ACTS.items():
        if ours != peers and applies(act, ours, peers):
            ours.clear()
            peers.clear()
            return [*found, name]
    return found + [name for name, adjust in CHANCE.items() if ours != peers and adjust(act, ours, peers)]


# Details; a rule returns true if the states differ from here on.


def errors_before_the_first_step(act, ours, peers) -> None:
    """An error before the first step is an event and an empty summary here, and only printed there."""
    if peers.get("summary") is None and ours.get("summary") == {} and not ours["steps"] and not peers["steps"]:
        ours["summary"] = None
        ours["errors"] = peers["errors"] = []
        for side in (ours, peers):
            side.pop("text", None)


def failed_reads_with_the_program(act, ours, peers) -> None:
    """A read that fails in a refresh with the program stops the peer's run in two ways at once: the peer prints the error twice,
    or sums it up."""
    if "--run-program" in act.args and ours["code"] == peers["code"] != 0:
        for side in (ours, peers):
            side["errors"] = sorted({tuple(e) for e in side["errors"] if e[2] not in ("update failed", "preview failed")})


def asked_what_targets_take_along(act, ours, peers) -> None:
    """With targets, the peer asks for diffs against unknowns of what ours knows without: what has been handled already,
    and what goes with what it is deleted with."""
    if "--target" not in act.args:
        return
    for side in (ours, peers):
        side["calls"] = {urn: kept for urn, calls in side["calls"].items()
                         if (kept := [c for c in calls if not (c.startswith("diff ") and _UNKNOWN.search(c))])}


def secrets_in_check_failures(act, ours, peers) -> None:
    """The peer prints the secret inside a value that a provider or a plan does not allow."""
    for side in (ours, peers):
        side["errors"] = [[*e[:2], _SECRET.sub("{[secret]}", e[2])] for e in side.get("errors", [])]
    for mine, theirs in zip(ours["errors"], peers["errors"], strict=False):
        if mine[:2] == theirs[:2] and "{[secret]} has a problem" in mine[2]:  # a text that is secret elsewhere, too
            theirs[2] = _REFUSED.sub("{[secret]} has a problem", theirs[2])


def secrets_on_both_sides(act, ours, peers) -> None:
    """Where one side of a change holds a secret, the peer tells the other side in clear."""
    if not isinstance(peers.get("text"), dict) or not isinstance(ours.get("text"), dict):
        return
    for told in ours["text"].keys() & peers["text"].keys():
        for mine, theirs in zip(ours["text"][told], peers["text"][told], strict=False):
            ends = [event.get("metadata") or {} for event in (mine, theirs) if isinstance(event, dict)]
            for one, other in (("old", "new"), ("new", "old")):
                states = [end.get(one) or {} for end in ends]
                hidden = (ends[-1].get(other) or {}) if ends else {}
                if len(states) == 2:
                    _hide(*states, [hidden.get("inputs"), hidden.get("outputs")])


def _hide(mine: dict, theirs: dict, elsewhere: list) -> None:
    """Makes of theirs what is [secret] in mine, where one of those elsewhere has a secret at the same path."""
    for key in ("inputs", "outputs"):
        if isinstance(mine.get(key), dict) and isinstance(theirs.get(key), dict):
            theirs[key] = _hidden(mine[key], theirs[key], elsewhere)


def _masked(value) -> bool:
    """A secret, as events have it."""
    return value == "[secret]" or isinstance(value, dict) and SECRET_KEY in value and value.get("ciphertext") == "[secret]"


def _hidden(mine, theirs, elsewhere: list):
    if _masked(mine) and any(map(_masked, elsewhere)):
        return mine
    if isinstance(mine, dict) and isinstance(theirs, dict):
        inside = [e for e in elsewhere if isinstance(e, dict)]
        return {k: _hidden(mine.get(k), v, [e.get(k) for e in inside]) for k, v in theirs.items()}
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        inside = [e for e in elsewhere if isinstance(e, list)]
        return [_hidden(m, t, [e[i] for e in inside if i < len(e)]) for i, (m, t) in enumerate(zip(mine, theirs, strict=True))]
    return theirs


def empty_property_dependencies(act, ours, peers) -> bool:
    """A refresh with the program drops the empty lists of what it leaves out in the peer, as one without does in both."""
    if act.verb != "refresh":
        return False
    found = False
    mine, theirs = (side["state"]["deployment"]["resources"] for side in (ours, peers))
    for key in mine.keys() & theirs.keys():
        lists = [row[key].get("propertyDependencies", {}) for row in (mine, theirs)]
        full = [{name: urns for name, urns in of.items() if urns} for of in lists]
        if lists[0] != lists[1] and full[0] == full[1]:
            mine[key]["propertyDependencies"] = theirs[key]["propertyDependencies"] = full[0]
            found = True
    return found


def replaced_by_a_read(act, ours, peers) -> bool:
    """A state that a read replaces stays recorded until it is deleted at the end; the peer forgets it if the run does not come to
    that: it fails before, its targets leave it out, or it is a refresh."""
    mine, theirs = (side["state"]["deployment"]["resources"] for side in (ours, peers))
    forgotten = [key for key in mine.keys() - theirs.keys()
                 if mine[key].get("delete") and theirs.get(mine[key]["urn"], {}).get("external")]
    for key in forgotten:
        del mine[key]
    if forgotten:
        for side in (ours, peers):
            side["state"].pop("version", None)  # which depends on what the resources use
    return bool(forgotten)


def _reason(line: str) -> str:
    """Why an edit is refused, without the words around it, as the peer says it."""
    if line.startswith("error: there is already a resource "):
        return "The chosen new urn for the state corresponds to an already existing resource"
    return line.removeprefix("error: ").removeprefix("state file contains errors: ") \
        .removeprefix("the state could not be repaired: ").removesuffix("; rerun with --force to proceed anyway") \
        .removesuffix(", or lift the protection with 'state unprotect' first").partition("; leave out urn:")[0]


def refused_in_other_words(act, ours, peers) -> None:
    """Where both refuse to edit the state for the same reason, the words around it differ. If the state is broken, the peer says
    so first."""
    if act.verb not in ("state", "stack") or ours["code"] != peers["code"] or not ours["code"]:
        return
    errors, told = [line for line in ours["said"] if line.startswith("error: ")], set(peers["said"])
    same = len(errors) == 1 and set(ours["said"]) <= told | set(errors) and \
        any(_reason(errors[0]) in line for line in told)
    if same or errors and is_broken(peers["said"]):
        ours["said"] = peers["said"] = []


def forced_in(act, ours, peers) -> bool:
    """A broken state that was forced into a stack is marked as such in ours, as it is in both after operations."""
    deployment = ours["state"]["deployment"]
    metadata = dict(deployment.get("metadata") or {})
    forced = act.verb == "stack" and "--force" in act.args and ours["code"] == peers["code"] == 0
    if not forced or not metadata.pop("integrity_error", None):
        return False
    deployment.pop("metadata")
    if metadata:
        deployment["metadata"] = metadata
    return True


def closed_connections(act, ours, peers) -> None:
    """The peer may say of a remote component that was waiting when a run stopped that its own connection was closed."""
    if "errors" in peers and "errors" in ours:
        peers["errors"] = [e for e in peers["errors"] if not e[2].endswith("the client connection is closing")]


def moved_to_another_provider(act, ours, peers) -> None:
    """With --refresh --run-program, the peer records another provider as it reads, and cannot compare the two; ours can."""
    if not {"--refresh", "--run-program"} <= set(act.args):
        return
    for urn, theirs in peers["calls"].items():
        mine = ours["calls"].get(urn, [])
        if "pulumi:providers:" in urn and mine[:len(theirs)] == theirs and \
                all(call.startswith("diff config") for call in mine[len(theirs):]):
            ours["calls"][urn] = theirs


def references_lost_in_refreshes(act, ours, peers) -> bool:
    """A refresh with the program drops references by old names in the peer, and to what its targets leave out; ours keeps
    them."""
    if act.verb != "refresh" or "--run-program" not in act.args:
        return False
    mine, theirs = (side["state"]["deployment"]["resources"] for side in (ours, peers))
    lost = [urn for urn in mine.keys() & theirs.keys()
            if set(mine[urn].get("dependencies", [])) > set(theirs[urn].get("dependencies", []))]
    for urn in lost:
        for key in ("dependencies", "propertyDependencies"):
            mine[urn].pop(key, None)
            theirs[urn].pop(key, None)
    return bool(lost)


def _of_resources(ours: dict, peers: dict):
    """The rows that both states have."""
    mine, theirs = (side["state"]["deployment"]["resources"] for side in (ours, peers))
    return [(mine[key], theirs[key]) for key in mine.keys() & theirs.keys()]


def _refreshes(act) -> bool:
    return act.verb == "refresh" or "--refresh" in act.args


def orphans_have_the_nearest_parent(act, ours, peers) -> bool:
    """If a refresh finds a parent gone, the peer may record no parent; ours records the nearest ancestor."""
    orphans = [mine for mine, theirs in _of_resources(ours, peers) if mine.get("parent") and not theirs.get("parent")]
    if not _refreshes(act) or not orphans or any(mine["urn"].count("$") == 0 for mine in orphans):
        return False
    for mine in orphans:
        del mine["parent"]
    return True


def refreshes_keep_secrets(act, ours, peers) -> bool:
    """What was recorded as a secret stays one in a refresh; in the peer only if the provider says so again."""
    found = set()
    for mine, theirs in _of_resources(ours, peers) if _refreshes(act) else []:
        for part in ("inputs", "outputs"):
            for name, value in (mine.get(part) or {}).items():
                plain = (theirs.get(part) or {}).get(name)
                if isinstance(value, dict) and value.keys() == {"secret"} and plain is not None and not isinstance(plain, dict):
                    theirs[part][name] = value
                    found.add(mine["urn"])
    for urn in found:  # the diff gets them as they are recorded
        for side in (ours, peers):
            side["calls"][urn] = [call for call in side["calls"].get(urn, []) if not call.startswith("diff ")]
    return bool(found)


def dependencies_on_moved_providers(act, ours, peers) -> bool:
    """What moves to another stack keeps its dependency on a provider that moves along; the peer drops it, and says so."""
    if act.verb != "state" or "move" not in act.args:
        return False
    mine, theirs = (side["other"]["deployment"].get("resources") or {} for side in (ours, peers))
    kept = [urn for urn in mine.keys() & theirs.keys()
            if set(mine[urn].get("dependencies", [])) - set(theirs[urn].get("dependencies", []))]
    if not kept or not all(":pulumi:providers:" in name for urn in kept for name in
                           set(mine[urn]["dependencies"]) - set(theirs[urn].get("dependencies", []))):
        return False
    for side in (mine, theirs):
        for urn in kept:
            side[urn].pop("dependencies", None)
            side[urn].pop("propertyDependencies", None)
    ours["said"] = peers["said"] = []
    return True


def still_waits_for_its_replacement(act, ours, peers) -> bool:
    """A resource that waits for its replacement is not there. A destroy that registers it and does not reach it forgets that in
    the peer."""
    if act.verb != "destroy" or "--run-program" not in act.args:
        return False
    waiting = [mine for mine, theirs in _of_resources(ours, peers)
               if mine.get("pendingReplacement") and not theirs.get("pendingReplacement")]
    for mine in waiting:
        del mine["pendingReplacement"]
    return bool(waiting)


def chosen_properties(act, ours, peers) -> bool:
    """An import checks and records the properties that the file names; the peer takes all."""
    if act.verb != "import" or '"properties"' not in json.dumps(act.files):
        return False
    for side in (ours, peers):
        side["calls"] = {urn: [c for c in calls if not c.startswith("check ")] for urn, calls in side["calls"].items()}
    found = False
    for mine, theirs in _of_resources(ours, peers):
        few, all_of_them = mine.get("inputs") or {}, theirs.get("inputs") or {}
        if few != all_of_them and all(name in all_of_them and value == all_of_them[name] for name, value in few.items()):
            mine["inputs"] = all_of_them
            found = True
    return found


def planned_outputs(act, ours, peers) -> None:
    """If the outputs of the stack violate the plan, the peer fails without a message."""
    if "--plan" in act.args and ours["code"] == peers["code"] != 0 and not peers.get("errors"):
        ours["errors"] = []


def warned_of_what_is_not_pending(act, ours, peers) -> None:
    """Both warn of a URN that is to be adopted and names no interrupted create; the peer not in its event log."""
    if "--import-pending-creates" in act.args:
        ours["errors"] = [e for e in ours["errors"] if "did not correspond to a pending create" not in e[2]]


def plans_of_failed_runs(act, ours, peers) -> None:
    """After a failure, the peer lists all that the plan had in store beside it; ours sums the run up instead."""
    if "--plan" not in act.args or not ours["code"] == peers["code"] != 0:
        return
    listed = [e for e in peers["errors"] if e[2] == f"expected resource operations for {e[0]} but none were seen"]
    if listed and len(listed) < len(peers["errors"]):
        peers["errors"] = [e for e in peers["errors"] if e not in listed]
        ours["errors"] = [e for e in ours["errors"] if e != ["", "error", "update failed"]]


def outputs_after_failed_hooks(act, ours, peers) -> None:
    """When an after hook has failed, the program goes on in ours, and may say what the outputs of the stack are."""
    if ours["code"] == peers["code"] != 0 and any(e[2].startswith("after hook") for e in ours.get("errors", [])):
        for side in (ours, peers):
            side["ended"].pop("urn:pulumi:dev::random::pulumi:pulumi:Stack::random-dev", None)


def reasons_of_steps(act, ours, peers) -> None:
    """Our events say why a step is taken."""
    def without_reasons(told):
        if isinstance(told, dict):
            return {k: without_reasons(v) for k, v in told.items() if not (k == "because" and "op" in told)}
        return [without_reasons(v) for v in told] if isinstance(told, list) else told
    if "text" in ours:
        ours["text"] = without_reasons(ours["text"])


def later_views_of_old_states(act, ours, peers) -> None:
    """In events of the peer, an old state may show that an output was found to be secret since. Those of ours show it as it
    was."""
    if not isinstance(peers.get("text"), dict) or not isinstance(ours.get("text"), dict):
        return
    for side in (ours, peers):
        for told, events in side["text"].items():
            for event in events if told.startswith("resOutputsEvent same") else []:
                (event["metadata"].get("old") or {}).pop("outputs", None)


def events_of_refreshes_with_the_program(act, ours, peers) -> None:
    """With --run-program, the peer announces refreshes of what is not read, and shows what the program says as new; ours
    shows what is recorded until it is read."""
    if "--run-program" not in act.args or not isinstance(peers.get("text"), dict) or not isinstance(ours.get("text"), dict):
        return
    for side in (ours, peers):
        side["text"] = {told: events for told, events in side["text"].items() if not told.startswith("res")}


def compared_with_the_program(act, ours, peers) -> None:
    """A refresh with the program compares what it finds with what the program wants in ours, with what is recorded in the
    peer."""
    if act.verb != "refresh" or "--run-program" not in act.args:
        return
    for side in (ours, peers):
        side["calls"] = {urn: [call for call in calls if not call.startswith(("check ", "diff "))]
                         for urn, calls in side["calls"].items()}
    for urn in ours["ended"].keys() & peers["ended"].keys():
        if {*ours["ended"][urn], *peers["ended"][urn]} <= {"same", "update"}:
            ours["ended"][urn] = peers["ended"][urn]
    counts = [{op: n for op, n in (side.get("summary") or {}).items() if op not in ("same", "update")} for side in (ours, peers)]
    sums = [sum((side.get("summary") or {}).get(op, 0) for op in ("same", "update")) for side in (ours, peers)]
    if counts[0] == counts[1] and sums[0] == sums[1]:
        if ours["summary"] != peers["summary"] and "--expect-no-changes" in act.args:
            ours["code"] = peers["code"]
        ours["summary"] = peers["summary"]
        _take_summary(ours.get("text"), peers.get("text"))


def _take_summary(ours, peers) -> None:
    """The peer's counts into our event, with all else that it says."""
    if not isinstance(ours, dict) or not isinstance(peers, dict):
        return
    for told in ours.keys() & peers.keys():
        for mine, theirs in zip(ours[told], peers[told], strict=False) if told.startswith("summaryEvent") else ():
            mine["resourceChanges"] = theirs["resourceChanges"]


def policies_of_replacements(act, ours, peers) -> None:
    """A replacement may have other inputs: ours asks policies about those again."""
    asked, theirs = ours.get("pack", {}).get("calls", {}), peers.get("pack", {}).get("calls", {})
    for call in asked.keys() & theirs.keys():
        steps = ours["steps"].get(call.split(" ", 1)[1], [])
        if len(asked[call]) == 2 * len(theirs[call]) and _REPLACEMENTS & set(steps):
            asked[call] = theirs[call]


def policies_of_the_deleted(act, ours, peers) -> None:
    """With --refresh, the peer shows to policies of the stack what it has refreshed and then deleted."""
    if "--refresh" not in act.args:
        return
    theirs = peers.get("pack", {}).get("calls", {}).get("analyze stack ", [])
    for mine, other in zip(ours.get("pack", {}).get("calls", {}).get("analyze stack ", []), theirs, strict=False):
        for urn in other["resources"].keys() - mine["resources"].keys():
            if {"delete", "discard"} & set(peers["steps"].get(urn, [])) or urn not in ours["state"]["deployment"]["resources"]:
                del other["resources"][urn]


def dependents_in_refreshes_with_the_program(act, ours, peers) -> bool:
    """A refresh with the program takes along, or leaves out, the dependents of what is named; the peer does so with what that
    depends on."""
    if act.verb != "refresh" or "--run-program" not in act.args or \
            not {"--exclude-dependents", "--target-dependents"} & set(act.args):
        return False
    apart = False
    for side, other in ((ours, peers), (peers, ours)):
        for urn in [urn for urn, ops in side["steps"].items() if ops == ["refresh"] and urn not in other["steps"]]:
            del side["steps"][urn]
            side["calls"].pop(urn, None)
            for op in side["ended"].pop(urn, []):
                side["summary"][op] = side["summary"].get(op, 0) - 1
                if not side["summary"][op]:
                    del side["summary"][op]
            rows = [at["state"]["deployment"]["resources"] for at in (side, other)]
            if rows[0].get(urn) != rows[1].get(urn):
                apart = True
                for row in rows:
                    row.pop(urn, None)
    return apart


def twice_replaced_with(act, ours, peers) -> bool:
    """The peer's edits of the state name twice what a resource is replaced with."""
    if act.verb != "state":
        return False
    found = False
    for stack in ("state", "other"):
        mine, theirs = (side[stack]["deployment"]["resources"] for side in (ours, peers))
        for key in mine.keys() & theirs.keys():
            lists = [rows[key].get("replaceWith", []) for rows in (mine, theirs)]
            if lists[0] != lists[1] and dict.fromkeys(lists[0]) == dict.fromkeys(lists[1]):
                mine[key]["replaceWith"], found = lists[1], True
    return found


def remediated_secrets(act, ours, peers) -> bool:
    """A remediation that sends back a plain value for a secret one: it stays secret in ours, also where it is used."""
    if act.rules is None or not any(rule["kind"] == "remediation" for rule in act.rules):
        return False
    found = False
    mine, theirs = ours.get("pack", {}).get("told", []), peers.get("pack", {}).get("told", [])
    if (plain := unsealed_events(mine, theirs)) != mine:
        ours["pack"]["told"], found = plain, True
    for key in ("calls", "pack", "state", "plan", "world", "hooks"):
        if key in ours and (plain := unsealed(ours[key], peers.get(key))) != ours[key]:
            ours[key], found = plain, True
    return found


ADJUSTMENTS = named(reasons_of_steps, remediated_secrets, errors_before_the_first_step, failed_reads_with_the_program,
                    asked_what_targets_take_along, secrets_in_check_failures, secrets_on_both_sides, empty_property_dependencies,
                    replaced_by_a_read, refused_in_other_words, forced_in, closed_connections,
                    moved_to_another_provider, references_lost_in_refreshes, chosen_properties,
                    warned_of_what_is_not_pending, planned_outputs, plans_of_failed_runs, outputs_after_failed_hooks,
                    later_views_of_old_states,
                    events_of_refreshes_with_the_program, compared_with_the_program, policies_of_replacements, policies_of_the_deleted,
                    twice_replaced_with, dependents_in_refreshes_with_the_program,
                    orphans_have_the_nearest_parent, refreshes_keep_secrets, dependencies_on_moved_providers,
                    still_waits_for_its_replacement)

CHANCE = named(deletes_side_by_side, failed_side_by_side)
