# SPDX-License-Identifier: Apache-2.0
"""Differences by chance: how far resources get beside one that fails, and which delete begins first."""

from __future__ import annotations


_DELETES = {"delete", "delete-replaced", "discard", "discard-replaced", "remove-pending-replace"}


def _one_at_a_time(act) -> bool:
    return "1" in [word for i, word in enumerate(act.args) if act.args[i - 1:i] == ["--parallel"]]


def _side_by_side(act, ours, peers, step: str) -> bool:
    """Whether chance decides if others get to such a step before the run stops: with one step at a time it does not, nor where
    the program awaits each resource before the next, which it does not do with deletes."""
    if ours["code"] != peers["code"] or not ours["code"] or act.verb in ("state", "stack"):
        return False
    if act.verb == "import":
        return len(peers["failed"]) > 1
    of_program = act.verb in ("up", "preview") and step not in _DELETES
    awaited = act.program["serial"] and (of_program or _one_at_a_time(act))
    # A refused registration, as by a plan, ends the run in any case.
    by_a_step = any(side["failed"] for side in (ours, peers))
    return not awaited and not ("--continue-on-error" in act.args and by_a_step)


def _first_apart(ours: dict, peers: dict, urn: str) -> str:
    """The first step of one side that the other side did not come to, if there is one."""
    shorter, longer = sorted((side["steps"].get(urn, []) for side in (ours, peers)), key=len)
    return longer[len(shorter)] if len(shorter) < len(longer) else ""


def _begins(shorter: list, longer: list) -> bool:
    return longer[:len(shorter)] == shorter


def _is_within(shorter: list, longer: list) -> bool:
    """Calls are listed by the ID that they go to: the earlier ones are not always at the beginning."""
    rest = iter(longer)
    return all(any(call == other for other in rest) for call in shorter)


def _got_further(ours: dict, peers: dict, urn: str) -> bool:
    """Whether of one resource's steps, or of the calls before the first, one side took no others than the other side, but
    fewer."""
    apart = []
    for key, goes_before in (("steps", _begins), ("calls", _is_within)):
        mine, theirs = (side[key].get(urn, []) for side in (ours, peers))
        if not goes_before(mine, theirs) and not goes_before(theirs, mine):
            return False
        apart.append(len(mine) - len(theirs))
    same_steps = not apart[0] and bool(set(ours["steps"].get(urn, [])) - {"refresh"})
    return any(apart) and not same_steps and (min(apart) >= 0 or max(apart) <= 0)


def _outputs_of_components(ours: dict, peers: dict) -> bool:
    """Steps of components end with their outputs, which no program awaits: whether they come before a failure is chance."""
    if ours["code"] != peers["code"] or not ours["code"] or "ended" not in ours:
        return False
    found = False
    for urn in ours["ended"].keys() | peers["ended"].keys():
        mine, theirs = (side["ended"].get(urn, []) for side in (ours, peers))
        is_box = "boxes:index:Box" == urn.split("::")[2].rsplit("$", 1)[-1]
        same_steps = ours["steps"].get(urn) == peers["steps"].get(urn)
        if is_box and same_steps and mine != theirs and (_begins(mine, theirs) or _begins(theirs, mine)):
            ours["ended"].pop(urn, None)
            peers["ended"].pop(urn, None)
            for side in (ours, peers):
                side["state"]["deployment"]["resources"].get(urn, {}).pop("outputs", None)
            found = True
    return found


def _first_failure_of_an_import(act, ours, peers) -> bool:
    """Imports run side by side. Where several fail, chance decides which is first, and so which error ends the run: it is set
    aside if it is one of those that the resources have on that side."""
    if act.verb != "import" or ours["code"] != peers["code"] or len(ours["failed"]) < 2:
        return False
    prefix = "update failed: step application failed: "
    found = False
    for side in (ours, peers):
        of_resources = {text for urn, _, text in side["errors"] if urn}
        kept = [e for e in side["errors"] if e[0] or e[2].removeprefix(prefix) not in of_resources]
        found = found or kept != side["errors"]
        side["errors"] = kept
    return found


def failed_side_by_side(act, ours, peers) -> bool:
    """Drops resources of which one side only took fewer steps, and whether components had their outputs. Where resources run
    side by side, chance decides how far the others get before a failure stops the run."""
    found = _outputs_of_components(ours, peers)
    found = _first_failure_of_an_import(act, ours, peers) or found
    if act.verb in ("state", "stack"):
        return found
    urns = {urn for side in (ours, peers) for key in ("steps", "calls") for urn in side[key]}
    apart = {urn for urn in urns
             if _got_further(ours, peers, urn) and _side_by_side(act, ours, peers, _first_apart(ours, peers, urn))}
    if not apart:
        return found
    for side in (ours, peers):
        for key in ("steps", "ended", "calls", "hooks"):
            side[key] = {urn: v for urn, v in side.get(key, {}).items() if urn not in apart}
        side["failed"] = [urn for urn in side["failed"] if urn not in apart]
        side["errors"] = [e for e in side["errors"] if e[0] not in apart]
        rows = side["state"]["deployment"]["resources"]
        side["state"]["deployment"]["resources"] = {k: row for k, row in rows.items() if row["urn"] not in apart}
        side["state"].pop("version", None)  # which depends on what the resources use
        names = {urn.rsplit("::", 1)[1] for urn in apart}
        side["world"] = {id: thing for id, thing in side["world"].items() if id.rsplit("-", 1)[0] not in names}
        side["summary"] = side.get("summary") is not None
        side.pop("text", None)
    return True


def deletes_side_by_side(act, ours, peers) -> bool:
    """Takes the peer's order of deletes of one name, as of what is there and of what it replaced: nothing depends on either."""
    if _one_at_a_time(act):
        return False
    found = False
    for key in ("steps", "ended"):
        for urn, theirs in peers.get(key, {}).items():
            mine = ours.get(key, {}).get(urn, [])
            apart = [op for pair in zip(mine, theirs, strict=False) if pair[0] != pair[1] for op in pair]
            if apart and sorted(mine) == sorted(theirs) and _DELETES.issuperset(apart):
                ours[key][urn] = list(theirs)
                found = True
    return found
