# SPDX-License-Identifier: Apache-2.0
"""A type checker accepts correct code of users of the Python module, and finds their mistakes."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

GOOD = """
import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Dict, List, Optional

import kingpost
import kingpost.policy
import pulumi
from kingpost.provider import CreateResponse
from kingpost.state import Snapshot


class Files(kingpost.Provider):
    def check(self, request: kingpost.CheckRequest) -> kingpost.CheckResponse:
        return kingpost.CheckResponse(request.new_inputs, [kingpost.CheckFailure("a", "b")])

    async def create(self, request: kingpost.CreateRequest) -> kingpost.CreateResponse:
        await asyncio.sleep(0)
        return kingpost.CreateResponse(request.name, request.inputs)


@dataclass
class PageInputs:
    path: Annotated[str, kingpost.replace_on_change]
    token: Annotated[Optional[str], kingpost.secret] = None


site = kingpost.Provider("site")


@site.resource("site:index:Page")
class Page(kingpost.ManagedResource):
    inputs: PageInputs
    size: int

    def create(self) -> str:
        self.size = len(self.inputs.path)
        return self.inputs.path

    def delete(self) -> None:
        print(self.id, self.urn, self.name, (self.timeout or 0) + 1)


@dataclass
class Found:
    paths: List[str]


@site.function("site:index:search")
def search(args: PageInputs) -> Found:
    return Found([args.path])


@site.function("site:index:search_later")
async def search_later(args: PageInputs) -> Found:
    return Found([args.path])


def program() -> None:
    page = site.declare(Page, "home", PageInputs("index.html"), pulumi.ResourceOptions(protect=True))
    other = site.declare(Page, "other", pulumi.ResourceOptions(parent=page, depends_on=[page]), path=page.inputs.path)
    pulumi.export("size", pulumi.Output.from_input(other.size).apply(lambda size: size + 1))
    site.ask(search, PageInputs("a")).apply(lambda found: found.paths)
    site.ask(search_later, path="a").apply(lambda found: found.paths)


@kingpost.policy(level="advisory")
def short(resource: kingpost.PolicyResource) -> Optional[str]:
    return None if len(resource.name) < 9 else "too long"


@kingpost.policy
async def known(resource: kingpost.PolicyResource) -> Optional[str]:
    return None


@kingpost.stack_policy
def few(stack: kingpost.PolicyStack) -> Optional[str]:
    return "too many" if len(stack.resources) > 9 else None


def heard(event: kingpost.Event) -> None:
    print(event.kind, event.urn)


stack = kingpost.Stack("p", "s", lambda: None, providers={"files": Files()}, policies=[short, known, few],
                       hooks={"before_create": lambda args: None, "after_create": [print]})
result: kingpost.Result = stack.up(targets=["urn"], on_event=heard)
outputs: Dict[str, Any] = stack.outputs()
entries: List[kingpost.HistoryEntry] = stack.history(limit=3)


async def main() -> kingpost.Result:
    async for event in stack.events():
        heard(event)
    return await stack.up_async(targets=["urn"], parallel=3)
"""

MISTAKES = [
    ('stack.up(targets="urn")', 'Argument "targets" to "up" of "StackOperations" has incompatible type "str"'),
    ("stack.up(preview=True)", 'Unexpected keyword argument "preview" for "up" of "StackOperations"'),
    ('stack.up_async(targets="urn")', 'Argument "targets" to "up" of "StackOperations" has incompatible type "str"'),
    ('site.declare(Page, "home", path="a").length', '"Page" has no attribute "length"'),
    ('site.declare(Page, "home", "index.html")', 'No overload variant of "declare" of "Provider" matches argument types'),
    ('site.ask(search, text="a").apply(lambda found: found.path)', '"Found" has no attribute "path"'),
    ('stack.up().steps_of("updated")', 'Argument 1 to "steps_of" of "Result" has incompatible type'),
    ('kingpost.Stack("p", "s", hooks={"before_craete": print})', 'Dict entry 0 has incompatible type'),
    ('stack.up().diagnostics[0].severity == "fatal"', "Non-overlapping equality check"),
    ('kingpost.policy(severity="hihg")', 'No overload variant of "policy" matches argument type "str"'),
    ('Snapshot.load("a").to_bytes("json")', 'Argument 1 to "to_bytes" of "Snapshot" has incompatible type'),
    ('CreateResponse("a", [])', 'Argument 2 to "CreateResponse" has incompatible type'),
    ("stack.destroy(parallels=3)", 'Unexpected keyword argument "parallels"'),
    ("stack.up().steps[0].opp", '"Step" has no attribute "opp"'),
    ('kingpost.policy(level="mandatry")', 'No overload variant of "policy" matches argument type "str"'),
    ("kingpost.CreateResponse()", 'Missing positional argument "id"'),
    ("kingpost.CreateResponse('x').id = 'y'", 'Property "id" defined in "CreateResponse" is read-only'),
]


GUIDES = ["guide/library.md", "guide/policies.md", "guide/state-migrations.md", "guide/testing.md",
          "guide/write-a-provider.md", "python.md"]


def module_of(page: str) -> str:
    return re.sub(r"\W", "_", page.removesuffix(".md")) + ".py"


def code_of(page: str) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```", (REPOSITORY / "docs" / page).read_text(), re.M | re.S))


@pytest.fixture(scope="module")
def users(tmp_path_factory):
    """A folder with the code of all pages, and with code that has every mistake."""
    folder = tmp_path_factory.mktemp("users")
    (folder / "user.py").write_text(GOOD + "\n\ndef wrong() -> None:\n" + "".join(f"    {line}\n" for line, _ in MISTAKES))
    for page in GUIDES:
        (folder / module_of(page)).write_text(code_of(page))
    return folder


# Each checker runs once for all: most of its time goes into what they import.
@pytest.fixture(scope="module")
def mypy_errors(users):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", REPOSITORY / "pyproject.toml", "--cache-dir",
         users / "cache", *sorted(file.name for file in users.glob("*.py"))],
        cwd=users, env={"MYPYPATH": str(REPOSITORY / "python"), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr  # of the mistakes
    return [line for line in done.stdout.splitlines() if ": error:" in line]


@pytest.fixture(scope="module")
def pyright_errors(users):
    (users / "pyrightconfig.json").write_text(json.dumps({
        "include": [module_of(page) for page in GUIDES], "extraPaths": [str(REPOSITORY / "python")],
        "typeCheckingMode": "standard", "reportUnusedExpression": False}))
    done = subprocess.run(["basedpyright", "--level", "error", "--outputjson", "-p", users], capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == len(GUIDES), done.stdout + done.stderr
    return [f"{Path(found['file']).name}: {found['message']}" for found in report["generalDiagnostics"]]


def test_users_are_accepted_and_their_mistakes_found(mypy_errors):
    lines = [line for line in mypy_errors if line.startswith("user.py:")]
    for line, message in MISTAKES:
        assert any(message in found for found in lines), (line, lines)
    assert len(lines) <= len(MISTAKES) + 1, lines  # of a coroutine that is not awaited mypy says so, too


@pytest.mark.parametrize("page", GUIDES)
def test_code_of_the_pages_is_fully_typed(page, mypy_errors, pyright_errors):
    assert [line for line in [*mypy_errors, *pyright_errors] if line.startswith(f"{module_of(page)}:")] == []
