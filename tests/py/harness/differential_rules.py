# SPDX-License-Identifier: Apache-2.0
"""Sorts what a differential run found by the rules of docs/differences.md.

    python tests/py/harness/differential_rules.py RESULTS.json REPRO_FOLDER

RESULTS.json is a list of verdicts ({"seed", "result", ...}); for each seed whose result is DIFF, REPRO_FOLDER/seed-N holds
fixture.json (the case), real.json and dut.json (what the reference and this engine did). Prints how often each rule was
used, and the seeds, and which share of the cases that is; ends with status 1 if a difference has no rule.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

_DRIFT = re.compile(r"ends of steps of \S+: \[(same|update)\], want \[(same|update)\]")
_ORPHAN = re.compile(r'state: (urn:\S+) \(id .*\): parent is "(urn:\S+)", want null')
_URN = re.compile(r"urn:pulumi:\S+")
REPLACEMENTS = {"create-replacement", "replace", "delete-replaced", "discard-replaced"}
REFERENCES = {"dependencies", "propertyDependencies", "deletedWith", "replaceWith", "parent"}


class Case:
    """One difference: the case, and what both sides made of it."""

    def __init__(self, folder: Path, differences: list[str]):
        self.fixture, self.real, self.dut = (
            json.loads((folder / name).read_text()) for name in ("fixture.json", "real.json", "dut.json"))
        self.differences = differences

    def registrations(self) -> list[dict]:
        return [*(self.fixture["Snapshot"]["Resources"] or []), *(self.fixture["Program"]["ResourceRegistrations"] or [])]

    def tainted(self) -> list[dict]:
        resources, details = self.fixture["Snapshot"]["Resources"], self.fixture["Extra"].get("Base") or []
        return [r for r, more in zip(resources, details, strict=False) if more.get("Taint")]

    def first_steps_apart(self) -> tuple[list[str], str, str]:
        """The steps that both sides began with, and the first in which they differ (as OP URN, or "")."""
        real, dut = self.real["order"], self.dut["order"]
        same = next((i for i, (a, b) in enumerate(zip(real, dut, strict=False)) if a != b), min(len(real), len(dut)))
        return real[:same], *(order[same] if same < len(order) else "" for order in (real, dut))

    def only_states_differ(self) -> bool:
        return all(text.startswith("state: ") for text in self.differences)


def _split(step: str) -> tuple[str, str]:
    op, _, urn = step.partition(" ")
    return op, urn


def _named(urn: str, registration: dict) -> bool:
    """Whether a registration may be the resource: the case does not say which types its parents have."""
    qualified, _, name = urn.rpartition("::")
    return name == registration["Name"] and qualified.endswith(registration["Type"])


def _needed_by(registration: dict) -> set[str]:
    """The URNs of its parent, its dependencies, and what it is deleted with."""
    inputs = (registration.get("PropertyDependencies") or {}).values()
    named = {registration.get("Parent"), registration.get("DeletedWith")}
    return {*named, *registration["Dependencies"], *(one for urns in inputs for one in urns)} - {None, ""}


def _still_waits(text: str) -> bool:
    return text.endswith("pendingReplacement is true, want null")


def peer_lacks_a_provider(case: Case) -> bool:
    """A read needs its provider, even if nothing else in this run has loaded it. The reference stops at such a read. Only other
    reads of a refresh before the program may follow it."""
    before, real, _ = case.first_steps_apart()
    read = {urn for urn, ops in case.real["failed"].items()
            if {"refresh", "read"} & set(ops) - set(case.dut["failed"].get(urn, []))}
    steps = [_split(step) for step in before]
    while steps and steps[-1][0] == "refresh" and steps[-1][1] not in read:
        steps.pop()
    return "unknown provider" in case.real.get("error", "") and not real and bool(steps) and \
        steps[-1][0] in ("refresh", "read") and read == {steps[-1][1]}


def references_lost_in_refreshes(case: Case) -> bool:
    """A refresh with the program keeps references to what it left out."""
    plan = case.fixture["Plan"]
    if not (plan["Operation"].endswith("refreshV2") or plan["RefreshProgram"]) or not case.only_states_differ():
        return False
    return all(text.split(": ")[2].split(" is ")[0] in REFERENCES and " want " in text for text in case.differences)


def kept_for_a_failed_delete(case: Case) -> bool:
    """A resource that could not be deleted keeps all that it names, also inside components."""
    failed = [urn for urn, ops in case.real["failed"].items() if {"delete", "delete-replaced"} & set(ops)]
    if not failed or case.real["failed"] != case.dut["failed"]:
        return False
    deletes = {"delete", "discard", "delete-replaced", "discard-replaced", "remove-pending-replace"}
    sides = [{urn: [op for op in ops if op not in deletes] for urn, ops in side["steps"].items()}
             for side in (case.real, case.dut)]
    kept = {urn for urn, ops in case.real["steps"].items() if len(case.dut["steps"].get(urn, [])) < len(ops)}
    fewer = all(len(ops) <= len(case.real["steps"].get(urn, [])) for urn, ops in case.dut["steps"].items())
    return bool(kept) and fewer and all(sides[0].get(urn, []) == sides[1].get(urn, []) for urn in case.real["steps"])


def _about(text: str) -> str:
    """The URN that a line of the differences is about."""
    found = _URN.search(text)
    return found[0].rstrip(":") if found else ""


def gone_is_not_deleted_again(case: Case) -> bool:
    """An earlier run deleted a resource that waits for its replacement. This run does not call its provider for that again, and
    leaves the mark on a resource that it leaves out."""
    waiting = [r for r in case.fixture["Snapshot"]["Resources"] if r["PendingReplacement"]]
    if all(any(_named(_about(text), r) for r in waiting) and _still_waits(text) for text in case.differences):
        return True
    failed = [urn.removesuffix(" (to delete)") for urn, ops in case.real["failed"].items()
              if {"delete", "delete-replaced"} & set(ops) and urn not in case.dut["failed"]]
    return any(_named(urn, r) for urn in failed for r in waiting)


def moved_to_another_provider(case: Case) -> bool:
    """An update that reads with its program keeps the recorded provider, trigger and taint until it has compared them."""
    if not case.fixture["Plan"]["RefreshProgram"]:
        return False
    if case.only_states_differ():
        return all(text.split(": ")[2].split(" is ")[0] in ("provider", "replacementTrigger", "taint")
                   for text in case.differences)
    _, real, dut = case.first_steps_apart()
    (theirs, urn), (ours, other) = _split(real), _split(dut)
    refused = f'unable to replace resource "{urn}"' in case.dut.get("error", "")
    replaces = refused or (urn == other and ours in REPLACEMENTS)
    return replaces and theirs in ("same", "update") and any(_named(urn, r) for r in case.tainted())


def _parents(case: Case, urn: str) -> set[str]:
    """The recorded parents of a URN; more than one if old sides have others."""
    return {r["Parent"] for r in case.fixture["Snapshot"]["Resources"] if _named(urn, r)} - {""}


def _ancestors(case: Case, urn: str) -> set[str]:
    found, left = set(), {urn}
    while left:
        left = {parent for one in left for parent in _parents(case, one)} - found
        found |= left
    return found


def orphans_have_the_nearest_parent(case: Case) -> bool:
    """A resource that loses its parent in a refresh goes to the nearest ancestor that is there. The program may have made the
    parent again, or tried to."""
    recorded = {s["urn"] for s in case.dut["state"]}
    gone = {urn for urn, ops in case.dut["steps"].items()
            if ops[:2] == ["refresh", "create"] or (ops == ["refresh"] and urn not in recorded)}
    orphans = [_ORPHAN.fullmatch(text) for text in case.differences]
    return all(one and any(one[2] in _ancestors(case, parent) for parent in _parents(case, one[1]) & gone) for one in orphans)


def gone_needs_no_provider(case: Case) -> bool:
    """A resource that targets leave out while it waits for its replacement is not there: its provider may have been
    replaced."""
    refused = re.search(r"for resource (\S+) has not been registered yet, this is due to a change of providers mixed "
                        r"with --target", case.real.get("error", ""))
    return bool(refused) and "has not been registered yet" not in case.dut.get("error", "") and any(
        _named(refused[1], r) for r in case.fixture["Snapshot"]["Resources"] if r["PendingReplacement"])


def _brings_a_provider(case: Case) -> bool:
    """The peer stopped at a provider that needs what targets leave out, and nothing else differs up to there."""
    _, real, dut = case.first_steps_apart()
    op, urn = _split(dut)
    if "untargeted create" not in case.real.get("error", "") or real or op != "same" or "pulumi:providers:" not in urn:
        return False
    needed = {one for r in case.registrations() if _named(urn, r) for one in _needed_by(r)}
    return bool(needed - {s["urn"] for s in case.dut["state"]})


def left_out_keeps_its_provider(case: Case) -> bool:
    """A resource that targets leave out keeps its provider, even if the run changes that package's provider. A new component
    that they leave out takes its own provider along."""
    if _brings_a_provider(case):
        return True
    return "has not been registered yet, this is due to a change of providers mixed with --target" in \
        case.real.get("error", "") and "has not been registered yet" not in case.dut.get("error", "")


def not_kept_for_a_failed_read(case: Case) -> bool:
    """The provider of what the program could not read, if nothing is left that it serves, goes in a destroy with the program
    that continues on errors."""
    plan, ended = case.fixture["Plan"], {_about(text) for text in case.differences}
    read = any("read" in ops for ops in case.real["failed"].values()) and case.real["failed"] == case.dut["failed"]
    return plan["Operation"].endswith("destroyV2") and read and len(ended) == 1 and all(
        "pulumi:providers:" in urn and case.dut["steps"].get(urn) == [*case.real["steps"].get(urn, []), "delete"]
        for urn in ended)


def _is_needed_and_protected(case: Case) -> bool:
    """The only difference: the peer wants to delete protected resources with which others that stay are deleted."""
    guarded = {s["urn"] for s in case.dut["state"] if s.get("protect")}
    refused = {urn for urn, ops in case.real.get("failed", {}).items() if "delete" in ops} & guarded
    refused |= set(re.findall(r'resource "(\S+)" cannot be deleted', case.real.get("error", "")))
    kept = refused & {s["deletedWith"] for s in case.dut["state"] if s.get("deletedWith")}
    return bool(kept) and all(
        _about(text) in kept or text.startswith("ends with success") for text in case.differences)


def deletes_beside_what_is_excluded(case: Case) -> bool:
    """A provider that the program gave to what is excluded stays, and so does what it is deleted with. What else a provider
    served has nothing to wait for, and others may go before a delete of it fails."""
    plan, extra = case.fixture["Plan"], case.fixture["Extra"]
    if plan["Operation"].endswith("destroyV2") and extra.get("Exclude") and _is_needed_and_protected(case):
        return True
    real, dut = case.real["order"], case.dut["order"]
    before, _, _ = case.first_steps_apart()
    apart = [step for step in dut if step not in real]
    return plan["Operation"].endswith("destroyV2") and bool(extra.get("Exclude")) and not extra.get("ContinueOnError") and \
        case.real["failed"] == case.dut["failed"] and len(case.dut["failed"]) == 1 and bool(apart) and \
        real == [*before, dut[-1]] and dut == [*before, *apart, dut[-1]] and \
        case.dut["failed"].get(_split(dut[-1])[1]) == ["delete"] and all(_split(step)[0] == "delete" for step in apart)


def not_read_without_its_dependencies(case: Case) -> bool:
    """A run does not read what depends on a resource that it does not make: a destroy with the program makes none, and targets
    and excludes leave some out."""
    _, real, _ = case.first_steps_apart()
    op, urn = _split(real)
    plan = case.fixture["Plan"]
    named = {name.rpartition("::")[2] for name in plan.get("TargetURNs") or []}
    leaves_out = plan["Operation"].endswith("destroyV2") or named or case.fixture["Extra"].get("Exclude")
    if not leaves_out or op != "read" or urn in case.dut["steps"]:
        return False
    recorded = {(r["Type"], r["Name"]) for r in case.fixture["Snapshot"]["Resources"] or []}
    lacking = {r["Name"] for r in case.registrations() if r["Custom"] and (r["Type"], r["Name"]) not in recorded
               and not r["Type"].startswith("pulumi:providers:")} - named
    needed = {one for r in case.registrations() if _named(urn, r) for one in _needed_by(r)}
    return any(one.rpartition("::")[2] in lacking for one in needed)


def providers_go_last(case: Case) -> bool:
    """A provider that is replaced is deleted after what it serves, also if it is deleted with another resource."""
    lacking = re.search(r"unknown provider '(\S+)::[^:\s']+' for resource (\S+)", case.real.get("error", ""))
    return bool(lacking) and "delete-replaced" in case.real["ended"].get(lacking[1], []) and \
        case.dut["ended"].get(lacking[2], [])[:1] == ["delete-replaced"]


def twins_are_kept_together(case: Case) -> bool:
    """Two recorded providers with one name and ID both stay while a resource needs that ID."""
    ids = [(f"{r['Type']}::{r['Name']}", r["ID"]) for r in case.fixture["Snapshot"]["Resources"] or []]
    twins = [one for one in ids if "pulumi:providers:" in one[0] and ids.count(one) > 1]
    return bool(case.dut["failed"]) and all(
        any(f"{name} (to delete)" in text or f"{name} (id {id}) to delete" in text for name, id in twins)
        for text in case.differences)


def dependents_in_refreshes_with_the_program(case: Case) -> bool:
    """A refresh with the program takes along, or leaves out, the dependents of what is named, not what that depends on."""
    extra, plan = case.fixture["Extra"], case.fixture["Plan"]
    _, real, dut = case.first_steps_apart()
    return plan["Operation"].endswith("refreshV2") and (extra["ExcludeDependents"] or extra["TargetDependents"]) and \
        "refresh" in (_split(real)[0], _split(dut)[0])


def _told_as_drift(case: Case, text: str) -> bool:
    return case.fixture["Plan"]["Operation"].endswith("refreshV2") and bool(_DRIFT.fullmatch(text))


def compared_with_the_program(case: Case) -> bool:
    """A refresh with the program compares what it finds with what the program wants; the peer does so with the record."""
    return all(_told_as_drift(case, text) for text in case.differences)


def _flag_of_a_read(text: str) -> bool:
    return text.startswith("state: ") and text.endswith("refreshBeforeUpdate is null, want true")


def reads_decide_about_reads(case: Case) -> bool:
    """Whether a resource is read before each update: the last read decides; the peer keeps the flag from before the run."""
    plan = case.fixture["Plan"]
    return bool(plan["RefreshProgram"]) and all(_flag_of_a_read(text) for text in case.differences)


def made_again_as_the_program_says(case: Case) -> bool:
    """What targets leave out, and had to go for the sake of another, has the inputs of the program; with the peer, those of what
    went."""
    targets, again = set(case.fixture["Plan"].get("TargetURNs") or []), ["delete-replaced", "replace", "create-replacement"]
    left_out = {urn for urn, ops in case.real["steps"].items() if ops == again == case.dut["steps"].get(urn)} - targets
    parts = r"state: (urn:\S+) \(id .*\): (inputs|outputs) is "
    return bool(targets) and all((found := re.match(parts, text)) and found[1] in left_out for text in case.differences)


def skipped_with_what_failed(case: Case) -> bool:
    """With --continue-on-error, what needs a failed resource is skipped. The peer looks for failures when it has made the
    steps of a resource, and so may come too soon."""
    apart = {urn for urn in {*case.real["steps"], *case.dut["steps"]}
             if case.real["steps"].get(urn) != case.dut["steps"].get(urn)}
    failed = [urn for urn, ops in case.dut["failed"].items() if ops == case.real["failed"].get(urn)]
    needing = [r for r in case.fixture["Program"]["ResourceRegistrations"] or [] if _needed_by(r) & set(failed)]
    skipped = [urn for urn in apart if not case.dut["steps"].get(urn) and any(_named(urn, r) for r in needing)]
    return bool(case.fixture["Extra"].get("ContinueOnError") and apart) and len(skipped) == len(apart) and all(
        _about(text) in apart for text in case.differences)


def known_by_its_new_name(case: Case) -> bool:
    """A resource that had to go for the sake of another, and has another name now, is made again. The peer compares it with
    what is gone, which may fail, or leaves it out by targets and excludes."""
    before, real, dut = case.first_steps_apart()
    op, urn = _split(dut)
    went = {other for deleted, other in map(_split, before) if deleted == "delete-replaced"}
    former = {alias for r in case.fixture["Program"]["ResourceRegistrations"] or [] if _named(urn, r)
              for alias in r.get("Aliases") or []} & went
    if op != "replace" or not former or case.real["steps"].get(urn):
        return False
    compared = not real and f"diff failure for {urn}" in case.real.get("error", "")
    left_out = [old for old in former if case.real["steps"][old] == ["delete-replaced", "same"]]
    stays = {urn, *left_out, *(one for old in left_out for one in _ancestors(case, old))}
    return compared or (bool(left_out) and all(_about(text) in stays for text in case.differences))


def destroyed_by_its_old_name(case: Case) -> bool:
    """A destroy with the program spares what --exclude calls by its name from before, and what that needs."""
    excluded = set(case.fixture["Extra"].get("Exclude") or [])
    renamed = [r for r in case.fixture["Program"]["ResourceRegistrations"] or [] if excluded & set(r.get("Aliases") or [])]
    spared = {urn for urn, ops in case.real["steps"].items()
              if "delete" in ops and case.dut["steps"].get(urn, []) == [op for op in ops if op != "delete"]}
    return case.fixture["Plan"]["Operation"].endswith("destroyV2") and any(
        _named(urn, r) for urn in spared for r in renamed) and all(_about(text) in spared for text in case.differences)


def deleted_with_goes_first(case: Case) -> bool:
    """A resource that is deleted with another goes before it when both make room for a third. The peer may delete the other
    first, which tells when that fails."""
    _, real, dut = case.first_steps_apart()
    (theirs, other), (ours, urn) = _split(real), _split(dut)
    belongs = [r for r in case.fixture["Snapshot"]["Resources"] if _named(urn, r) and r["DeletedWith"] == other]
    fails = all(other in side["failed"] for side in (case.real, case.dut))
    return ours == theirs == "delete-replaced" and fails and bool(belongs) and all(
        _about(text) == urn for text in case.differences)


RULES = {rule.__name__: rule for rule in (
    peer_lacks_a_provider, references_lost_in_refreshes, gone_is_not_deleted_again,
    kept_for_a_failed_delete, moved_to_another_provider, dependents_in_refreshes_with_the_program,
    orphans_have_the_nearest_parent, gone_needs_no_provider, left_out_keeps_its_provider,
    not_kept_for_a_failed_read, deletes_beside_what_is_excluded, compared_with_the_program,
    made_again_as_the_program_says, skipped_with_what_failed, destroyed_by_its_old_name, deleted_with_goes_first,
    known_by_its_new_name, not_read_without_its_dependencies,
    twins_are_kept_together, providers_go_last, reads_decide_about_reads)}


def rule_of(case: Case) -> str | None:
    found = next((name for name, applies in RULES.items() if applies(case)), None)
    if not found and any(_told_as_drift(case, text) for text in case.differences):
        case.differences = [text for text in case.differences if not _told_as_drift(case, text)]
        found = rule_of(case)
    return found


def main(results: str, folder: str) -> int:
    used, left = defaultdict(list), []
    verdicts = json.loads(Path(results).read_text())
    for verdict in verdicts:
        if verdict["result"] != "DIFF":
            continue
        seed = verdict["seed"]
        rule = rule_of(Case(Path(folder) / f"seed-{seed}", verdict.get("differences") or [verdict["reason"]]))
        used[rule].append(seed) if rule else left.append(seed)
    for rule, seeds in sorted(used.items()):
        print(f"{len(seeds):5} {rule}: {' '.join(map(str, seeds))}")
    print(f"{len(left):5} without a rule: {' '.join(map(str, left))}")
    share = 100 * sum(map(len, used.values())) / max(1, len(verdicts))
    print(f"{share:.1f} % of {len(verdicts)} cases have a rule")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
