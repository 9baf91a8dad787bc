# SPDX-License-Identifier: Apache-2.0
"""Policies: functions that look at each resource before it is changed, or at the whole stack when all is done.

    @kingpost.policy(types="aws:s3/bucket:Bucket")      # or @kingpost.policy alone
    def no_public_buckets(resource):
        if resource.properties.get("acl") == "public-read":
            resource.violation("buckets must not be public")

A function may also return its violations: a text, or several. One of level "remediate" returns the properties that it
changes. They run on worker threads, several at a time.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import count
from typing import (
    Any,
    Awaitable,
    Callable,
    Dict,
    Iterable,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
    get_args,
    overload,
)

from ._callback import told
from ._checked import listed, mapped, texts
from ._loops import outcome
from .values import unfit_type
from .words import PolicySeverity

StackLevel = Literal["mandatory", "advisory", "disabled"]
Level = Union[StackLevel, Literal["remediate"]]
#: What settings call the level: here, and in the files of the command.
LEVEL_KEYS = ("level", "enforcementLevel")
LEVELS = ("advisory", "mandatory", "disabled", "remediate")


@dataclass(frozen=True)
class Violation:
    """A finding of a policy.

    message:  for people
    urn:      of the resource, or "" for the stack as a whole
    advisory: it is only told, whatever the level
    severity: "", "low", "medium", "high" or "critical"
    """

    message: str
    urn: str = ""
    advisory: bool = False
    severity: PolicySeverity = ""


@dataclass(frozen=True)
class PolicyException:
    """Violations that a person has reviewed and allows: they are shown, and forbid nothing.

    id:       letters, digits, "-", "." and "_"
    reason:   why they are allowed, for people
    policies: names of policies
    targets:  URNs of resources; of violations of the whole stack, the URN of the stack itself
    """

    id: str
    reason: str
    policies: Sequence[str]
    targets: Sequence[str]

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9._-]+", self.id):
            raise ValueError(f"policy exception {self.id!r}: the ID must consist of letters, digits, '-', '.' and '_'")
        if not self.reason.strip():
            raise ValueError(f"policy exception {self.id}: it needs a reason")
        for name in ("policies", "targets"):
            given = texts(name, getattr(self, name))
            if not given or not all(given):
                raise ValueError(f"policy exception {self.id}: {name} must name at least one")
        if "all" in self.policies:
            raise ValueError(f"policy exception {self.id}: policies must be named; 'all' is not allowed")
        for urn in self.targets:
            if not urn.startswith("urn:pulumi:") or urn.count("::") < 3:
                raise ValueError(f"policy exception {self.id}: {urn!r} is not a URN")


class _Reports:
    """The receiver of violations."""

    def __init__(self, config: Optional[Mapping[str, Any]] = None) -> None:
        #: the policy's configuration: its defaults, and over them what the user set
        self.config: Mapping[str, Any] = dict(config or {})
        self._violations: List[Violation] = []


class PolicyResource(_Reports):
    """A resource as the program asks for it; in stack policies, as it is.

    ``properties`` may hold ``kingpost.Secret`` and, in previews, ``kingpost.UNKNOWN``.
    """

    def __init__(
        self,
        urn: str,
        type: str,
        name: str,
        properties: Dict[str, Any],
        parent: str = "",
        protect: bool = False,
        dependencies: Sequence[str] = (),
        provider: Optional[Mapping[str, Any]] = None,
        property_dependencies: Optional[Mapping[str, Sequence[str]]] = None,
        ignore_changes: Sequence[str] = (),
        additional_secret_outputs: Sequence[str] = (),
        config: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(config)
        self.urn = urn
        self.type = type
        self.name = name
        self.properties = properties
        self.parent = parent
        self.protect = protect
        self.dependencies: List[str] = list(dependencies)
        self.provider: str = str(provider["urn"]) if provider else ""
        self.provider_properties: Dict[str, Any] = dict(provider["properties"]) if provider else {}
        self.property_dependencies: Dict[str, List[str]] = {
            key: list(urns) for key, urns in (property_dependencies or {}).items()
        }
        self.ignore_changes: List[str] = list(ignore_changes)
        self.additional_secret_outputs: List[str] = list(additional_secret_outputs)

    def __repr__(self) -> str:
        return f"<kingpost.PolicyResource {self.urn}>"

    @property
    def inputs(self) -> Dict[str, Any]:
        """The same as ``properties``."""
        return self.properties

    def violation(self, message: str, advisory: bool = False, severity: PolicySeverity = "") -> None:
        """Reports a violation. It stops the resource and fails the operation, unless it is only advisory."""
        self._violations.append(Violation(str(message), self.urn, bool(advisory), _checked_severity(severity)))


class PolicyStack(_Reports):
    """All resources of a stack, once they are as the program wants them."""

    def __init__(self, resources: Sequence[PolicyResource], config: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(config)
        self.resources: List[PolicyResource] = list(resources)

    def of_type(self, pattern: str) -> List[PolicyResource]:
        """Those whose type is, or matches, ``pattern``: "aws:s3/*"."""
        return [resource for resource in self.resources if fnmatchcase(resource.type, pattern)]

    def violation(self, message: str, resource: Union[PolicyResource, str] = "", severity: PolicySeverity = "") -> None:
        """Reports a violation, of the whole stack or of one resource."""
        urn = resource.urn if isinstance(resource, PolicyResource) else resource
        self._violations.append(Violation(str(message), urn, False, _checked_severity(severity)))


def _checked_severity(severity: PolicySeverity) -> PolicySeverity:
    if severity not in get_args(PolicySeverity):
        raise ValueError(f"the severity must be one of {', '.join(get_args(PolicySeverity)[1:])}, not {severity!r}")
    return severity


Said = Union[None, str, Mapping[str, Any], Iterable[str]]
#: What a policy returns, which may be ``async def``.
Answer = Union[Said, Awaitable[Said]]


@dataclass(frozen=True)
class Policy:
    """A policy with what is known of it. Made by ``policy`` and ``stack_policy``.

    name:        by which settings and messages call it
    check:       the function
    level:       "mandatory", "advisory", "remediate" or "disabled"
    description: for people
    types:       patterns; none: all types
    config:      its settings with their defaults
    severity:    "", "low", "medium", "high" or "critical"
    is_stack:    it looks at the stack as a whole
    """

    name: str
    check: Callable[[Any], Answer]
    level: Level = "mandatory"
    description: str = ""
    types: Tuple[str, ...] = ()  #: patterns; none: all types
    config: Mapping[str, Any] = field(default_factory=dict)  #: defaults
    severity: PolicySeverity = ""
    is_stack: bool = False

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise ValueError(f"policy {self.name}: the level must be one of {', '.join(LEVELS)}, not {self.level!r}")
        if self.severity not in get_args(PolicySeverity):
            known = ", ".join(get_args(PolicySeverity)[1:])
            raise ValueError(f"policy {self.name}: the severity must be one of {known}, not {self.severity!r}")
        if self.is_stack and self.level == "remediate":
            raise ValueError(f"policy {self.name}: a stack policy comes too late to remediate")

    def __call__(self, subject: Any) -> Answer:
        return self.check(subject)

    def applies_to(self, type: str) -> bool:
        return not self.types or any(fnmatchcase(type, pattern) for pattern in self.types)

    def configured(self, given: Mapping[str, Any]) -> "Policy":
        """With a level and values that the user set; each must be of the kind of its default."""
        level, config = self.level, dict(self.config)
        levels = {given[key] for key in LEVEL_KEYS if key in given and key not in config}
        if len(levels) > 1:
            raise ValueError(f"policy {self.name}: level and enforcementLevel mean the same; give one of them")
        for key, value in given.items():
            if key in LEVEL_KEYS and key not in config:
                level = value
                continue
            if key not in config:
                known = ", ".join(sorted(config)) or "none"
                raise ValueError(f"policy {self.name} has no setting {key!r}; it has: {known}")
            if config[key] is not None and not _same_kind(value, config[key]):
                kind = type(config[key]).__name__
                raise ValueError(f"policy {self.name}: {key} must be of type {kind}, not {type(value).__name__}")
            config[key] = value
        return replace(self, level=level, config=config)


def _same_kind(value: Any, default: Any) -> bool:
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, (int, float)):
        return isinstance(value, (int, float))
    return isinstance(value, type(default))


PolicyLike = Union[Policy, Callable[[PolicyResource], Answer]]


def as_policy(given: PolicyLike) -> Policy:
    if isinstance(given, Policy):
        return given
    if not callable(given):
        raise TypeError(f"a policy must be a function or made by kingpost.policy, not {type(given).__name__}")
    return Policy(_name_of(given), given, description=_first_line(given))


def _name_of(function: Callable[..., Any]) -> str:
    """The name of the function. A callable without one, such as a partial function, is named after what it calls or its class."""
    inner = getattr(function, "func", None)
    name = getattr(function, "__name__", None) or getattr(inner, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__


def _first_line(function: Callable[..., Any]) -> str:
    return (getattr(function, "__doc__", None) or "").strip().split("\n")[0]


def _policy(
    check: Optional[Callable[[Any], Answer]],
    is_stack: bool,
    level: Level,
    name: Optional[str],
    description: Optional[str],
    types: Union[str, Sequence[str]],
    config: Optional[Mapping[str, Any]],
    severity: PolicySeverity,
) -> Union[Policy, Callable[[Callable[[Any], Answer]], Policy]]:
    """The policy, or what makes it where the decorator has settings."""

    def make(check: Callable[[Any], Answer]) -> Policy:
        return Policy(
            name=name or _name_of(check).replace("_", "-"),
            check=check,
            level=level,
            description=_first_line(check) if description is None else description,
            types=(types,) if isinstance(types, str) else tuple(texts("types", types)),
            config=mapped("config", "settings and their defaults", config),
            severity=severity,
            is_stack=is_stack,
        )

    if check is None:
        return make
    if not callable(check):
        raise TypeError(f"a policy is made of a function, not {check!r}; settings need their names: level={check!r}")
    return make(check)


@overload
def policy(check: Callable[[PolicyResource], Answer], /) -> Policy: ...


@overload
def policy(
    *,
    level: Level = "mandatory",
    name: Optional[str] = None,
    description: Optional[str] = None,
    types: Union[str, Sequence[str]] = (),
    config: Optional[Mapping[str, Any]] = None,
    severity: PolicySeverity = "",
) -> Callable[[Callable[[PolicyResource], Answer]], Policy]: ...


def policy(
    check: Optional[Callable[[PolicyResource], Answer]] = None,
    /,
    *,
    level: Level = "mandatory",
    name: Optional[str] = None,
    description: Optional[str] = None,
    types: Union[str, Sequence[str]] = (),
    config: Optional[Mapping[str, Any]] = None,
    severity: PolicySeverity = "",
) -> Union[Policy, Callable[[Callable[[PolicyResource], Answer]], Policy]]:
    """Makes a function of a resource a policy: a decorator, with settings or without.

    level:  "mandatory" stops the resource, "advisory" only tells, "remediate" changes what the function returns,
            "disabled" is asked for nothing
    name:   by default that of the function, with "-" for "_"; description: by default its docstring's first line
    types:  a type or several, or patterns with ``*``; by default all
    config: the settings that users may change, with their defaults; the function reads ``resource.config``
    """
    return _policy(check, False, level, name, description, types, config, severity)


@overload
def stack_policy(check: Callable[[PolicyStack], Answer], /) -> Policy: ...


@overload
def stack_policy(
    *,
    level: StackLevel = "mandatory",
    name: Optional[str] = None,
    description: Optional[str] = None,
    config: Optional[Mapping[str, Any]] = None,
    severity: PolicySeverity = "",
) -> Callable[[Callable[[PolicyStack], Answer]], Policy]: ...


def stack_policy(
    check: Optional[Callable[[PolicyStack], Answer]] = None,
    /,
    *,
    level: Level = "mandatory",
    name: Optional[str] = None,
    description: Optional[str] = None,
    config: Optional[Mapping[str, Any]] = None,
    severity: PolicySeverity = "",
) -> Union[Policy, Callable[[Callable[[PolicyStack], Answer]], Policy]]:
    """Makes a function of a ``kingpost.PolicyStack`` a policy for the stack as a whole. As ``policy``."""
    return _policy(check, True, level, name, description, (), config, severity)


class PolicyPack:
    """Policies under one name, with the settings that the user gave them."""

    def __init__(
        self,
        name: str,
        policies: Iterable[PolicyLike],
        config: Optional[Mapping[str, Mapping[str, Any]]] = None,
        version: str = "",
        exceptions: Sequence[PolicyException] = (),
    ) -> None:
        self.name = name
        self.exceptions: List[PolicyException] = listed("policy_exceptions", exceptions)
        for exception in self.exceptions:
            if not isinstance(exception, PolicyException):
                raise TypeError(f"policy_exceptions must hold kingpost.PolicyException, not {type(exception).__name__}")
        self.version = version
        self.policies: List[Policy] = []
        for given in policies:
            self.policies.append(self._named_once(as_policy(given), isinstance(given, Policy)))
        if config:
            self.configure(config)

    def _named_once(self, policy: Policy, on_purpose: bool) -> Policy:
        names = {other.name for other in self.policies}
        if policy.name not in names:
            return policy
        if on_purpose:
            raise ValueError(f"policy pack {self.name}: two policies are called {policy.name}")
        number = next(n for n in count(2) if f"{policy.name}-{n}" not in names)
        return replace(policy, name=f"{policy.name}-{number}")

    def configure(self, config: Mapping[str, Mapping[str, Any]]) -> None:
        """Settings by the policy's name; those under "all" set the level of every other."""
        names = {policy.name for policy in self.policies}
        for name in config:
            if name not in names and name != "all":
                raise ValueError(f"policy pack {self.name} has no policy {name!r}; it has: {', '.join(sorted(names))}")
        for name, given in config.items():
            if not isinstance(given, Mapping):
                raise TypeError(f"the settings of policy {name} must be a dict, not {type(given).__name__}")
        everywhere = dict(config.get("all", {})) if "all" not in names else {}
        for key in everywhere:
            if key not in LEVEL_KEYS:
                raise ValueError(f"'all' has a level alone, and no setting {key!r}; give it to a policy by name")
        self.policies = [policy.configured({**everywhere, **config.get(policy.name, {})}) for policy in self.policies]

    # --- asking them ------------------------------------------------------------------------------

    def analyze(self, fields: Mapping[str, Any]) -> List[Tuple[Policy, Violation]]:
        """The violations of one resource."""
        found: List[Tuple[Policy, Violation]] = []
        for policy in self._of("mandatory", "advisory", "remediate", stack=False, type=fields["type"]):
            resource = PolicyResource(**fields, config=policy.config)
            answer = _asked(policy, resource)
            found += [(policy, violation) for violation in resource._violations]
            found += [(policy, violation) for violation in _returned(policy, answer, resource)]
        return found

    def remediate(self, fields: Mapping[str, Any]) -> List[Tuple[Policy, Dict[str, Any], str]]:
        """The properties that policies want instead, each on top of those before: (policy, all properties, what)."""
        done: List[Tuple[Policy, Dict[str, Any], str]] = []
        properties = dict(fields["properties"])
        for policy in self._of("remediate", stack=False, type=fields["type"]):
            resource = PolicyResource(**{**fields, "properties": dict(properties)}, config=policy.config)
            answer = _asked(policy, resource)
            if not isinstance(answer, Mapping):
                continue
            _require_properties(policy, answer)
            changed = _with_changes(properties, answer)
            if changed != properties:
                keys = sorted(key for key in {**properties, **changed} if properties.get(key) != changed.get(key))
                properties = changed
                done.append((policy, dict(changed), f"changed {', '.join(keys)}"))
        return done

    def analyze_stack(self, resources: Sequence[Mapping[str, Any]]) -> List[Tuple[Policy, Violation]]:
        found: List[Tuple[Policy, Violation]] = []
        for policy in self._of("mandatory", "advisory", stack=True):
            stack = PolicyStack([PolicyResource(**fields) for fields in resources], policy.config)
            answer = _asked(policy, stack)
            found += [(policy, violation) for violation in stack._violations]
            found += [(policy, Violation(text)) for text in _texts(answer)]
        return found

    def _of(self, *levels: str, stack: bool, type: str = "") -> List[Policy]:
        return [
            policy
            for policy in self.policies
            if policy.is_stack == stack and policy.level in levels and (stack or policy.applies_to(type))
        ]


def said(answer: Any) -> Said:
    """The findings of a policy that has run to its end: a coroutine runs now, a generator while it is read. True is no
    violation, and no sign that all is well: nobody could tell which."""
    if inspect.iscoroutine(answer):
        answer, failure = asyncio.run(outcome(answer))
        if failure is not None:
            raise failure
    if answer is None or isinstance(answer, (str, Mapping)):
        return answer
    texts = list(answer) if isinstance(answer, Iterable) else [answer]
    wrong = next((text for text in texts if not isinstance(text, str)), None)
    if wrong is not None:
        raise TypeError(f"it must return None, a text or texts of what it finds, not {wrong!r}")
    return texts


class PolicyCrashed(RuntimeError):
    """A policy raised, or returned what it may not. The exception is its ``__cause__``."""

    def __init__(self, policy: str, text: str) -> None:
        super().__init__(f"policy {policy}: {text}")
        self.policy = policy


def _asked(policy: Policy, subject: Any) -> Said:
    try:
        answer = said(policy(subject))
        if isinstance(answer, Mapping) and policy.is_stack:
            raise TypeError("it must return None, a text or texts; only a policy for resources may return properties")
        return answer
    except BaseException as error:  # whatever a policy raises is its failure
        raise PolicyCrashed(policy.name, told(error)) from error


def _require_properties(policy: Policy, answer: Mapping[str, Any]) -> None:
    for key, value in answer.items():
        if not isinstance(key, str):
            raise PolicyCrashed(policy.name, f"it must return properties by their names, not {key!r}")
        try:
            odd = unfit_type(value)
        except RecursionError:
            raise PolicyCrashed(policy.name, f"it returned {key} that is nested too deeply, or holds itself") from None
        if odd is not None:
            raise PolicyCrashed(policy.name, f"it returned {key} with a value of type {odd}, which cannot be a property")


def _texts(answer: Said) -> List[str]:
    if answer is None or isinstance(answer, Mapping):
        return []
    return [answer] if isinstance(answer, str) and answer else [text for text in answer if text]


def _returned(policy: Policy, answer: Said, resource: PolicyResource) -> List[Violation]:
    if not isinstance(answer, Mapping):
        return [Violation(text, resource.urn) for text in _texts(answer)]
    changed = _with_changes(resource.properties, answer)
    keys = sorted(key for key in {**resource.properties, **changed} if resource.properties.get(key) != changed.get(key))
    if not keys or policy.level == "remediate":
        return []
    return [Violation(f"{', '.join(keys)} must be changed, which level 'remediate' does", resource.urn)]


def _with_changes(properties: Mapping[str, Any], changes: Mapping[str, Any]) -> Dict[str, Any]:
    """None takes a property away."""
    return {key: value for key, value in {**properties, **changes}.items() if value is not None or key not in changes}
