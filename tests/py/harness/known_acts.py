# SPDX-License-Identifier: Apache-2.0
"""The rules by which random stories set a whole act aside; docs/differences.md has the reasons."""

from __future__ import annotations


class StoryEnds(Exception):
    """The peer's state cannot be used any more."""


def named(*rules) -> dict:
    return {rule.__name__.replace("_", " "): rule for rule in rules}


def renamed(act) -> set[str]:
    """The URNs of resources to which the program gives another name."""
    return {urn for label, urn in act.urns().items()
            if any(e["label"] == label and e["opts"].get("aliases") for e in act.program["resources"])}


def is_broken(said: list[str]) -> bool:
    """Whether the peer refuses to read the state, whatever is to be done with it."""
    return any("snapshot integrity failure; refusing to use it" in line for line in said)


def peer_crashed(act, ours, peers) -> bool:
    """The peer panics, for example in `refresh --run-program` when a component is known by an alias."""
    if peers["crashed"]:
        raise StoryEnds
    return False


def peer_broke_its_state(act, ours, peers) -> bool:
    """The peer has recorded what its own integrity check refuses, and says so in the state or stops the run."""
    stopped = any("snapshot integrity failure" in text or "failed to verify snapshot" in text
                  for _, _, text in peers.get("errors", []))
    if stopped or "integrity_error" in (peers["state"]["deployment"].get("metadata") or {}):
        raise StoryEnds
    return False


def what_may_be_gone_is_read(act, ours, peers) -> bool:
    """An update reads a resource whose deletion an earlier run began, and then goes on with it. If the resource is left out, or
    the run refused before it came to it, it stays pending. The peer takes the record as true."""
    doubted = {urn for kind, urn in act.begun if kind == "deleting"} | set(ours.get("doubted", []))
    read = any(call.startswith("read ") for urn in doubted for call in ours["calls"].get(urn, []))
    pending, others = (side["state"]["deployment"].get("pending_operations") or [] for side in (ours, peers))
    return read or any(operation["type"] == "deleting" and operation not in others for operation in pending)


def peer_lacks_a_provider(act, ours, peers) -> bool:
    """A refresh takes along the dependents of its targets; the peer does not load their providers first, ours does."""
    return any("unknown provider" in text for _, _, text in peers.get("errors", [])) and \
        "--target-dependents" in act.args


def same_before_its_registration(act, ours, peers) -> bool:
    """A resource outside the targets takes its former dependencies along unchanged. When the program registers one of
    them later, because it has changed the order of its resources, the peer takes it for a duplicate."""
    def duplicates(side):
        return [text for _, _, text in side.get("errors", []) if text.startswith(("Duplicate resource URN", "Duplicate resource alias"))]
    return bool(duplicates(peers)) and not duplicates(ours)


def left_out_keeps_its_provider(act, ours, peers) -> bool:
    """A resource that targets leave out keeps its provider, even if the run changes that package's provider; the peer refuses.
    A new component that is left out takes its own provider along."""
    def refuses(side):
        return any("has not been registered yet" in text or "depends on" in text and "--target list" in text and
                   "pulumi:providers:" in text for _, _, text in side.get("errors", []))
    return refuses(peers) and not refuses(ours)


def kept_for_a_failed_delete(act, ours, peers) -> bool:
    """A resource that could not be deleted keeps all that it names; the peer deletes the old side of a replaced one all
    the same, and the children of a component that it names, with their provider."""
    mine, theirs = (side["state"]["deployment"]["resources"] for side in (ours, peers))
    kept = {key: mine[key] for key in mine.keys() - theirs.keys()}
    components = {row["urn"] for row in theirs.values() if row.get("custom") is False}

    def stays(row) -> bool:
        old_side = row.get("delete") and "delete-replaced" in peers["steps"].get(row["urn"], [])
        serves = any((other.get("provider") or "").startswith(row["urn"] + "::") for other in kept.values())
        return old_side or row.get("parent") in components or row.get("type", "").startswith("pulumi:providers:") and serves
    return bool(kept) and ours["code"] == peers["code"] != 0 and not theirs.keys() - mine.keys() and \
        all(map(stays, kept.values()))


def nothing_unprotected(act, ours, peers) -> bool:
    """`destroy --exclude-protected` with nothing to destroy says so and does not run; ours runs and finds nothing to do."""
    return "--exclude-protected" in act.args and peers["summary"] is None and peers["code"] == ours["code"] == 0 and \
        not any(set(ops) - {"same"} for ops in ours["steps"].values())


def edits_of_nothing(act, ours, peers) -> bool:
    """In a stack that was never deployed, `state` commands of the peer succeed silently; ours say that there is no state."""
    return act.verb == "state" and (ours["code"], peers["code"]) == (1, 0) and \
        not peers["state"]["deployment"]["resources"]


def destroyed_by_its_old_name(act, ours, peers) -> bool:
    """`destroy --target OLD --run-program`, where the program gives OLD another name: ours destroys it, the peer does not."""
    def deleted(side):
        return {urn for urn, ops in side["steps"].items() if "delete" in ops}
    return act.verb == "destroy" and {"--target", "--run-program"} <= set(act.args) and \
        bool((deleted(ours) - deleted(peers)) & renamed(act))


def edits_of_broken_states(act, ours, peers) -> bool:
    """An edit may mend a state that is broken, or is forced on it with a warning; the peer refuses to read it."""
    warns = any("state file contains errors" in line for line in ours.get("said", []))
    forced = "delete" in act.args[:1] and "--force" in act.args
    return act.verb == "state" and (ours["code"], peers["code"]) == (0, 1) and is_broken(peers["said"]) and \
        (forced or not warns)


def moved_with_what_replaces_them(act, ours, peers) -> bool:
    """What moves to another stack may name others that move along by `replaceWith`: the peer leaves their old names, and refuses
    to write that."""
    broken = [line for line in peers.get("said", []) if "failed to verify integrity of destination snapshot" in line]
    return act.verb == "state" and (ours["code"], peers["code"]) == (0, 1) and bool(broken) and \
        all("is specified as being replaced with" in line for line in broken)


def providers_move_with_their_parents(act, ours, peers) -> bool:
    """A provider below a resource that moves to another stack moves along. The peer leaves it without its parent, and refuses to
    write that."""
    broken = [line for line in peers.get("said", []) if "failed to verify integrity of source snapshot" in line]
    return act.verb == "state" and (ours["code"], peers["code"]) == (0, 1) and bool(broken) and all(
        "pulumi:providers:" in line and "refers to missing parent" in line for line in broken)


def adopts_pending_creates(act, ours, peers) -> bool:
    """`refresh --import-pending-creates` records the resource. The peer forgets the interrupted create, and the resource with it."""
    mine, theirs = (side["state"]["deployment"]["resources"] for side in (ours, peers))
    adopted = {row["urn"] for row in mine.values()} - {row["urn"] for row in theirs.values()}
    return "--import-pending-creates" in act.args and bool(adopted & set(act.args))


def plans_of_renamed_resources(act, ours, peers) -> bool:
    """A plan speaks of a renamed resource by its new name. The peer does not find it if it is left out, and fails at the end."""
    lacking = [text for _, _, text in peers.get("errors", []) if text.startswith("expected resource operations for ")]
    names = {text.removeprefix("expected resource operations for ").partition(" ")[0] for text in lacking}
    return "--plan" in act.args and (ours["code"], peers["code"]) == (0, 1) and bool(names) and names <= renamed(act)


WHOLE_ACTS = named(plans_of_renamed_resources, moved_with_what_replaces_them, providers_move_with_their_parents,
                   adopts_pending_creates, edits_of_broken_states, destroyed_by_its_old_name, edits_of_nothing, peer_crashed,
                   peer_broke_its_state, peer_lacks_a_provider, same_before_its_registration,
                   what_may_be_gone_is_read, kept_for_a_failed_delete, left_out_keeps_its_provider, nothing_unprotected)
