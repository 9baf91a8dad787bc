# SPDX-License-Identifier: Apache-2.0
"""The result of an operation on many stacks."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Union

from ._html import fleet_html
from .errors import Error
from .result import Result, UpdatePlan


@dataclass(frozen=True, repr=False)
class FleetResult:
    """The outcome of an operation of a kingpost.Fleet, by the names of its stacks: ``result["network/prod"].outputs``.

    results: of the stacks that ended well, in the order in which they ended
    errors:  of those that failed; their ``result`` tells what was done all the same
    skipped: those that did not begin, or could not go on, because of others -> why
    """

    results: Dict[str, Result] = field(default_factory=dict)
    errors: Dict[str, Error] = field(default_factory=dict)
    skipped: Dict[str, str] = field(default_factory=dict)

    def __getitem__(self, stack: str) -> Result:
        """The result of a stack that ended well; raises the error of a stack that failed."""
        if stack in self.errors:
            raise self.errors[stack]
        if stack in self.skipped:
            raise Error(f"stack {stack} was skipped: {self.skipped[stack]}")
        if stack not in self.results:
            raise KeyError(f"no stack {stack!r} is in the fleet; there are {', '.join(self)}")
        return self.results[stack]

    def __iter__(self) -> Iterator[str]:
        return iter([*self.results, *self.errors, *self.skipped])

    def __len__(self) -> int:
        return len(self.results) + len(self.errors) + len(self.skipped)

    @property
    def summary(self) -> Dict[str, int]:
        """op -> how many resources of all stacks that ended well."""
        total: "Counter[str]" = Counter()
        for result in self.results.values():
            total.update(result.summary)
        return dict(total)

    @property
    def changed(self) -> List[str]:
        """The stacks whose results have changes; after a preview, those that would change. Outputs alone are no change."""
        return [name for name, result in self.results.items() if result.has_changes]

    @property
    def has_changes(self) -> bool:
        """False: every stack that ended well is as it was."""
        return bool(self.changed)

    @property
    def plans(self) -> Dict[str, UpdatePlan]:
        """After ``preview(save_plan=True)``: what ``up(plan=...)`` may then do of each stack."""
        return {name: result.plan for name, result in self.results.items() if result.plan is not None}

    def save_plans(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a file for each, as ``kingpost preview --all --save-plan FOLDER`` does; ``up --all --plan`` takes them."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, plan in self.plans.items():
            plan.save(_plan_file(folder, name))

    def __repr__(self) -> str:
        told = [f"{len(self.changed)} of {len(self)} stacks changed"]
        told += [f"{len(self.errors)} failed"] if self.errors else []
        told += [f"{len(self.skipped)} skipped"] if self.skipped else []
        return f"<kingpost.FleetResult {', '.join(told)}>"

    def _repr_html_(self) -> str:
        return fleet_html(self)


FleetPlans = Union[FleetResult, Mapping[str, Union[UpdatePlan, str, "os.PathLike[str]"]], str, "os.PathLike[str]"]


def _plan_file(folder: Union[str, "os.PathLike[str]"], name: str) -> Path:
    project, _, stack = name.rpartition("/")
    return Path(folder) / f"{project}.{stack}.json"


def plan_for(name: str, plans: FleetPlans) -> Union[UpdatePlan, str, "os.PathLike[str]"]:
    """The plan of one stack, among those of a preview, of a dict, or of the folder that they were written to."""
    found: Union[UpdatePlan, str, "os.PathLike[str]", None]
    if isinstance(plans, (str, os.PathLike)):
        found = _plan_file(plans, name)
        found = found if found.is_file() else None
    else:
        found = (plans.plans if isinstance(plans, FleetResult) else plans).get(name)
    if found is None:
        raise Error(f"there is no plan for {name}; save plans of the same stacks again, with fleet.preview(save_plan=True)")
    return found
