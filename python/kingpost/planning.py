# SPDX-License-Identifier: Apache-2.0
"""The engine's plan, without a program, a store or a process.

    site = kingpost.Goal("test:index:Site", "site", {"size": 3})
    plan = kingpost.plan(snapshot, [site, kingpost.Goal("test:index:Page", "home", {"site": site["id"]})], Provider())
    for step in plan.steps:
        print(step.op, step.name, step.reason.said)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from . import _kingpost
from ._bridge import policy_parts, provider_parts
from . import _checked
from ._checked import spelled
from ._pool import CallbackPool
from ._callback import Causes
from ._settings import failure_of
from .policies import PolicyException, PolicyLike
from .provider import Provider
from .result import Result, make_result
from .snapshot import Snapshot
from .values import ResourceReference, Secret

_THREADS = 4  # for the providers
# Recorded options that goals_of does not take as they are: a plan has no hooks, and what was renamed has its new name.
_NAMED_APART = frozenset({"parent", "dependencies", "provider", "aliases", "hooks"})
_GOAL_OUTPUT = "kingpost:goal-output"  # as in python/bindings/library_goals.h


@dataclass(frozen=True)
class OutputOf:
    """An output of a goal, as an input of a later one: by property path, or "id" or "urn"."""

    goal: "Goal"
    path: str


@dataclass(frozen=True, eq=False)
class Goal:
    """A resource as a program would ask for it. ``goal["path"]`` is an output of it, for the inputs of later goals.

    ``parent``, ``depends_on``, ``deleted_with``, ``replace_with`` and ``provider`` name earlier goals, or recorded
    resources by URN (a provider by its reference "urn::id"). ``custom=False`` is a component. ``custom_timeouts`` are
    seconds by "create", "update", "delete" and "read". None leaves an option unset. """

    type: str
    name: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    parent: Union["Goal", str] = ""
    depends_on: Sequence[Union["Goal", str]] = ()
    provider: Union["Goal", str] = ""
    custom: bool = True
    version: str = ""
    protect: Optional[bool] = None
    retain_on_delete: Optional[bool] = None
    delete_before_replace: Optional[bool] = None
    ignore_changes: Sequence[str] = ()
    replace_on_changes: Sequence[str] = ()
    replacement_trigger: Any = None
    hide_diffs: Sequence[str] = ()
    additional_secret_outputs: Sequence[str] = ()
    custom_timeouts: Mapping[str, float] = field(default_factory=dict)
    aliases: Sequence[str] = ()  #: former URNs
    deleted_with: Union["Goal", str] = ""
    replace_with: Sequence[Union["Goal", str]] = ()
    import_id: str = ""

    def __post_init__(self) -> None:
        _checked.text_argument("the type of a Goal", self.type)
        _checked.text_argument("the name of a Goal", self.name)

    def __getitem__(self, path: str) -> OutputOf:
        return OutputOf(self, path)

    def __iter__(self) -> Any:  # an object with __getitem__ and no __iter__ counts as a sequence
        raise TypeError("a Goal is not iterable")

    def with_inputs(self, **inputs: Any) -> "Goal":
        """The same goal with some inputs changed."""
        return replace(self, inputs={**self.inputs, **inputs})


def goals_of(snapshot: Snapshot) -> Dict[str, Goal]:
    """The goals that would leave a stack as it is recorded, by URN: change some, and plan what would come of it."""
    options = [name for name in _kingpost.recorded_options() if name not in _NAMED_APART]
    versions: Dict[str, str] = {}
    goals: Dict[str, Goal] = {}
    for resource in snapshot:
        if resource.type == "pulumi:pulumi:Stack" or resource.pending_delete or resource.external:
            continue
        if resource.type.startswith("pulumi:providers:") and resource.name.startswith("default"):
            versions[resource.urn] = str(resource.inputs.get("version", ""))
            continue
        serving = resource.provider.rpartition("::")[0]
        parent = resource.parent if "pulumi:pulumi:Stack::" not in resource.parent else ""
        goals[resource.urn] = Goal(
            resource.type,
            resource.name,
            resource.inputs,
            parent=parent,
            depends_on=resource.dependencies,
            provider="" if serving in versions else resource.provider,
            version=versions.get(serving, ""),
            custom=resource.custom,
            **{name: getattr(resource, name) for name in options},
        )
    return goals


@spelled(
    hooks="a plan runs nothing, so no hook of a resource comes; kingpost.Stack has hooks",
    transforms="a goal is what a program's transforms have come to; change the goals",
    program="a plan is made of goals; kingpost.Stack runs programs",
)
def plan(
    snapshot: Optional[Snapshot],
    goals: Union[Iterable[Goal], Mapping[str, Goal]],
    provider: Union[Provider, Mapping[str, Provider], None] = None,
    *,
    project: str = "",
    stack: str = "",
    outputs: Optional[Mapping[str, Any]] = None,
    config: Optional[Mapping[str, str]] = None,
    targets: Iterable[str] = (),
    excludes: Iterable[str] = (),
    replace: Iterable[str] = (),
    target_dependents: bool = False,
    exclude_dependents: bool = False,
    refresh: bool = False,
    policies: Sequence[PolicyLike] = (),
    policy_config: Optional[Mapping[str, Mapping[str, Any]]] = None,
    policy_exceptions: Sequence[PolicyException] = (),
) -> Result:
    """The steps that would make a stack what the goals say, each with its reason. Nothing is changed or recorded.

    snapshot: what is recorded; None is a new stack, which ``project`` and ``stack`` then name
    goals:    in an order where what others refer to comes first; what is recorded and no goal is to be deleted
    provider: of all packages, or by package. It is asked to check and to diff, and to create and update with
              ``preview`` set. By default a resource is updated where its inputs differ
    config:   "project:key" -> text
    policies: functions of a kingpost.PolicyResource, or what kingpost.policy and kingpost.stack_policy made of them. They
              see what goals ask for and, remediating, change it; a mandatory one that is violated fails the plan with
              PolicyViolation. policy_config: settings by their names, "level" among them;
              policy_exceptions: violations that are allowed

    Raises Error, with ``result``, where a preview would fail. Blocks; the provider is called on other threads. Ctrl-C
    cancels.
    """
    if snapshot is not None and not isinstance(snapshot, Snapshot):
        raise TypeError(f"the first argument is a kingpost.Snapshot, or None for a new stack, not {type(snapshot).__name__}")
    listed = all_goals(goals)
    base = snapshot if snapshot is not None else Snapshot.load({"version": 3, "deployment": {"resources": []}})
    given_project, given_stack = base._names()
    options = {
        "project": project or given_project or "project",
        "stack": stack or given_stack or "stack",
        "config": dict(config or {}),
        "targets": _urns("targets", targets),
        "excludes": _urns("excludes", excludes),
        "replace": _urns("replace", replace),
        "target_dependents": target_dependents,
        "exclude_dependents": exclude_dependents,
        "refresh": refresh,
    }
    numbers = {id(goal): f"#{number}" for number, goal in enumerate(listed)}
    pool = CallbackPool(_THREADS)
    causes = Causes()
    try:
        outcome = _kingpost.make_plan(
            base._native,
            [_described(goal, numbers, number) for number, goal in enumerate(listed)],
            _resolved(outputs or {}, numbers, len(listed)),
            provider_parts(_providers(provider), pool, False, causes),
            policy_parts(policies, policy_config or {}, policy_exceptions, pool, False, causes),
            options,
        )
    finally:
        pool.close()
    result = make_result(outcome, lambda text: text)
    if not outcome["ok"]:
        error = failure_of(outcome, result, outcome["message"] or "the plan failed", causes)
        raise error from error.__cause__
    return result


def all_goals(goals: Union[Iterable[Goal], Mapping[str, Goal]]) -> List[Goal]:
    every = _checked.listed("goals", goals.values() if isinstance(goals, Mapping) else goals)
    for goal in every:
        if not isinstance(goal, Goal):
            raise TypeError(f"each of goals must be a kingpost.Goal, not {type(goal).__name__}")
    return every


def _urns(what: str, urns: Iterable[str]) -> List[str]:
    if isinstance(urns, str):
        raise TypeError(f'{what} takes a list of URNs, not one text; write {what}=["{urns}"]')
    return list(urns)


def _providers(provider: Union[Provider, Mapping[str, Provider], None]) -> Mapping[str, Provider]:
    given: Mapping[str, Provider]
    if provider is None or isinstance(provider, Provider):
        given = {"*": provider or Provider()}
    else:
        given = _checked.mapped("provider", "packages and their providers", provider)
    for package, served in given.items():
        if not isinstance(served, Provider):
            raise TypeError(f"the provider of {package} must be a kingpost.Provider, not {type(served).__name__}")
    return given


Numbers = Dict[int, str]


def _described(goal: Goal, numbers: Numbers, number: int) -> Dict[str, Any]:
    described = {name: getattr(goal, name) for name in goal.__dataclass_fields__}
    described["inputs"] = _resolved(goal.inputs, numbers, number)
    described["parent"] = _named(goal.parent, numbers, number)
    described["provider"] = _named(goal.provider, numbers, number)
    described["deleted_with"] = _named(goal.deleted_with, numbers, number)
    described["depends_on"] = [_named(other, numbers, number) for other in goal.depends_on]
    described["replace_with"] = [_named(other, numbers, number) for other in goal.replace_with]
    described["replacement_trigger"] = _resolved(goal.replacement_trigger, numbers, number)
    described["custom_timeouts"] = dict(goal.custom_timeouts)
    return described


def _named(other: Union[Goal, str], numbers: Numbers, number: int) -> str:
    """The number of an earlier goal as the extension reads it, or the text as it is."""
    if isinstance(other, str):
        return other
    given = numbers.get(id(other))
    if given is None or int(given[1:]) >= number:
        raise ValueError(f"{other.type} {other.name!r} must be among the goals, before what refers to it")
    return given


def _resolved(value: Any, numbers: Numbers, number: int) -> Any:
    if isinstance(value, OutputOf):
        return ResourceReference(_named(value.goal, numbers, number), value.path, _GOAL_OUTPUT)
    if isinstance(value, Goal):
        raise TypeError(f"an input cannot be a Goal; name an output of it: {value.name}[\"id\"]")
    if isinstance(value, Secret):
        return Secret(_resolved(value.value, numbers, number))
    if isinstance(value, Mapping):
        return {key: _resolved(item, numbers, number) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_resolved(item, numbers, number) for item in value]
    return value
