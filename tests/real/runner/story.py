# SPDX-License-Identifier: Apache-2.0
"""A story as its file has it: README.md says what each field means. An unknown field is an error."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, fields
from pathlib import Path

import yaml

STORIES = Path(__file__).parents[1] / "stories"
Program = dict[str, object]  # language → its program: a mapping for yaml, a text for others


@dataclass
class Interruption:
    file: str            # in $WORLD: the signal is sent when it is there
    signal: str = "INT"  # or KILL


@dataclass
class Act:
    run: str = ""                                  # an operation of the command, with its flags
    command: str = ""                              # any other command
    shell: str = ""                                # by hand: drift
    program: Program = field(default_factory=dict)
    config: dict[str, str] = field(default_factory=dict)
    files: dict[str, str | None] = field(default_factory=dict)
    stack: str = "dev"
    code: int = 0
    steps: list[str] | None = None
    says: list[str] = field(default_factory=list)  # in what it prints, or in its messages
    hides: list[str] = field(default_factory=list)  # texts that are nowhere in that, nor in the state
    outputs: dict[str, object] | None = None
    pending: list[str] | None = None               # operations that are recorded as begun and not ended
    interrupt: Interruption | None = None
    settled: bool = True                           # after it the same program has nothing to do
    ours: bool = False                             # the reference's hosts for languages are not at hand for it
    differs: str = ""                              # why what it says or does is not compared; names a part of it, too

    @property
    def words(self) -> list[str]:
        return shlex.split(self.run or self.command)


@dataclass
class Story:
    file: Path
    title: str
    providers: list[str]
    acts: list[Act]
    languages: list[str] = field(default_factory=lambda: ["yaml"])
    program: Program = field(default_factory=dict)
    varies: list[str] = field(default_factory=list)  # properties whose values are others in every run: id, metadata.name
    ignores: list[str] = field(default_factory=list)  # keys at any depth of states and outputs that are not compared
    needs: list[str] = field(default_factory=list)   # variables, such as KINGPOST_KUBECONFIG
    files: list[str] = field(default_factory=list)   # other files of KINGPOST_REAL_PROVIDERS, such as a provider of Terraform
    env: dict[str, str] = field(default_factory=dict)
    runtime: dict[str, dict] = field(default_factory=dict)  # language → `runtime` of Pulumi.yaml
    installed: bool = True  # the providers are, before the story begins
    sdks: bool | list[str] = True  # the providers whose published ones are at hand, for all languages that `also` names, too
    also: list[str] = field(default_factory=list)
    ours_may_not_begin: str = ""  # the reason why Kingpost does not play the first act where commands take turns

    @property
    def name(self) -> str:
        return self.file.stem


def _read(kind: type, given: dict, where: str):
    unknown = set(given) - {each.name for each in fields(kind)} - {"file"}
    if unknown:
        raise ValueError(f"{where}: nobody knows the field {', '.join(sorted(unknown))}")
    return given


def load(file: Path) -> Story:
    document = yaml.safe_load(file.read_text())
    acts = []
    for number, given in enumerate(document.pop("acts"), 1):
        where = f"{file.name}, act {number}"
        given = dict(_read(Act, given, where))
        if "interrupt" in given:
            given["interrupt"] = Interruption(**given["interrupt"])
        act = Act(**given)
        if len([each for each in (act.run, act.command, act.shell) if each]) != 1:
            raise ValueError(f"{where}: it has one of run, command and shell")
        acts.append(act)
    return Story(file=file, acts=acts, **_read(Story, document, file.name))


def stories() -> list[Story]:
    return [load(file) for file in sorted(STORIES.glob("*.yaml"))]
