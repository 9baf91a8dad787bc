# SPDX-License-Identifier: Apache-2.0
"""Classes as generated SDKs have them."""

import enum
from typing import Any, Dict, List, Mapping, Optional, Sequence

import pulumi
from pulumi import Input, Output


class Mode(str, enum.Enum):
    FAST_MODE = "fast-mode"


@pulumi.input_type
class RuleArgs:
    def __init__(self, *, from_port: Input[int], cidr_blocks: Optional[Input[Sequence[Input[str]]]] = None,
                 is_open: Optional[Input[bool]] = None):
        pulumi.set(self, "from_port", from_port)
        if cidr_blocks is not None:
            pulumi.set(self, "cidr_blocks", cidr_blocks)
        if is_open is not None:
            pulumi.set(self, "is_open", is_open)

    @property
    @pulumi.getter(name="fromPort")
    def from_port(self) -> Input[int]:
        return pulumi.get(self, "from_port")

    @property
    @pulumi.getter(name="cidrBlocks")
    def cidr_blocks(self) -> Optional[Input[Sequence[Input[str]]]]:
        return pulumi.get(self, "cidr_blocks")

    @property
    @pulumi.getter(name="isOpen")
    def is_open(self) -> Optional[Input[bool]]:
        return pulumi.get(self, "is_open")


@pulumi.output_type
class Rule(dict):
    def __init__(__self__, *, from_port: int, cidr_blocks: Optional[Sequence[str]] = None, is_open: Optional[bool] = None):
        pulumi.set(__self__, "from_port", from_port)
        pulumi.set(__self__, "cidr_blocks", cidr_blocks)
        pulumi.set(__self__, "is_open", is_open)

    @property
    @pulumi.getter(name="fromPort")
    def from_port(self) -> int:
        return pulumi.get(self, "from_port")

    @property
    @pulumi.getter(name="cidrBlocks")
    def cidr_blocks(self) -> Optional[Sequence[str]]:
        return pulumi.get(self, "cidr_blocks")

    @property
    @pulumi.getter(name="isOpen")
    def is_open(self) -> Optional[bool]:
        return pulumi.get(self, "is_open")

    def _translate_property(self, prop):
        return {"fromPort": "from_port", "cidrBlocks": "cidr_blocks", "isOpen": "is_open"}.get(prop) or prop


@pulumi.input_type
class GateArgs:
    def __init__(self, *, display_name: Optional[Input[str]] = None, tags: Optional[Input[Mapping[str, Input[str]]]] = None,
                 rules: Optional[Input[Sequence[Input[RuleArgs]]]] = None, main_rule: Optional[Input[RuleArgs]] = None,
                 mode: Optional[Input[Mode]] = None, any_thing: Optional[Any] = None, value: Optional[Input[str]] = None,
                 by_name: Optional[Input[Mapping[str, Input[RuleArgs]]]] = None):
        for name, given in list(locals().items()):
            if name != "self" and given is not None:
                pulumi.set(self, name, given)

    @property
    @pulumi.getter(name="displayName")
    def display_name(self) -> Optional[Input[str]]:
        return pulumi.get(self, "display_name")

    @property
    @pulumi.getter
    def tags(self) -> Optional[Input[Mapping[str, Input[str]]]]:
        return pulumi.get(self, "tags")

    @property
    @pulumi.getter
    def rules(self) -> Optional[Input[Sequence[Input[RuleArgs]]]]:
        return pulumi.get(self, "rules")

    @property
    @pulumi.getter(name="mainRule")
    def main_rule(self) -> Optional[Input[RuleArgs]]:
        return pulumi.get(self, "main_rule")

    @property
    @pulumi.getter
    def mode(self) -> Optional[Input[Mode]]:
        return pulumi.get(self, "mode")

    @property
    @pulumi.getter(name="anyThing")
    def any_thing(self) -> Optional[Any]:
        return pulumi.get(self, "any_thing")

    @property
    @pulumi.getter
    def value(self) -> Optional[Input[str]]:
        return pulumi.get(self, "value")

    @property
    @pulumi.getter(name="byName")
    def by_name(self) -> Optional[Input[Mapping[str, Input[RuleArgs]]]]:
        return pulumi.get(self, "by_name")


class Gate(pulumi.CustomResource):
    def __init__(self, name: str, opts: Optional[pulumi.ResourceOptions] = None, **given: Any):
        props = GateArgs.__new__(GateArgs)
        for key in ("display_name", "tags", "rules", "main_rule", "mode", "any_thing", "value", "by_name"):
            props.__dict__[key] = given.get(key)
        props.__dict__["stamp"] = None
        super().__init__("things:index:Thing", name, props, opts)

    @property
    @pulumi.getter(name="displayName")
    def display_name(self) -> Output[Optional[str]]:
        return pulumi.get(self, "display_name")

    @property
    @pulumi.getter
    def tags(self) -> Output[Optional[Mapping[str, str]]]:
        return pulumi.get(self, "tags")

    @property
    @pulumi.getter
    def rules(self) -> Output[Optional[Sequence[Rule]]]:
        return pulumi.get(self, "rules")

    @property
    @pulumi.getter(name="mainRule")
    def main_rule(self) -> Output[Optional[Rule]]:
        return pulumi.get(self, "main_rule")

    @property
    @pulumi.getter
    def mode(self) -> Output[Optional[Mode]]:
        return pulumi.get(self, "mode")

    @property
    @pulumi.getter(name="byName")
    def by_name(self) -> Output[Optional[Mapping[str, Rule]]]:
        return pulumi.get(self, "by_name")


def gates() -> None:
    rules: List[Any] = [RuleArgs(from_port=443, cidr_blocks=["10.0.0.0/8"], is_open=True), {"from_port": 53},
                        {"fromPort": 80, "cidr_blocks": []}]
    first = Gate("first", display_name="First", tags={"snake_case": "kept", "camelCase": "kept"}, rules=rules,
                 main_rule=RuleArgs(from_port=22), mode=Mode.FAST_MODE, value="v",
                 any_thing={"snake_case": {"a_b": [1, None]}}, by_name={"a_b": RuleArgs(from_port=1), "c": {"is_open": False}})
    Gate("second", display_name=first.display_name, value=first.id,
         rules=[RuleArgs(from_port=first.main_rule.apply(lambda r: (r.from_port if r else 0) or 0),
                         cidr_blocks=[first.id, "plain"])],
         tags=first.tags.apply(lambda tags: {**(tags or {}), "more": "x"}))
    third = Gate("third", mode=Mode.FAST_MODE, rules=first.rules, main_rule=first.main_rule, any_thing=[{"x_y": 1}])
    told: Dict[str, Any] = {
        "port": first.main_rule.apply(lambda rule: [type(rule).__name__, rule and type(rule.from_port).__name__]),
        "rules": first.rules.apply(lambda all: [type(rule).__name__ for rule in all or []]),
        "mode": third.mode.apply(lambda mode: type(mode).__name__),
        "tags": first.tags, "by_name": first.by_name.apply(lambda named: sorted(named or {})),
    }
    for name, value in told.items():
        pulumi.export(name, value)
