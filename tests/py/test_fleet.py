# SPDX-License-Identifier: Apache-2.0
"""Operations with `--all` over projects that read each other's outputs.

Each project is a YAML program with a stash, which needs no process. Where steps have to take their time, it has a thing of the
test provider instead. Projects read each other's exports through StackReferences.
"""

from __future__ import annotations

import json

import re
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from harness import PROGRAMS, Command, peer_or_skip
from harness.patience import patience
from harness.processes import kill_all_in, wait_for
from harness.screens import ENTER, UP, Screen
from harness.workspace import CommandFailed, Result

THINGS = {"providers": [{"name": "things", "path": str(PROGRAMS / "things")}]}


@dataclass
class Fleet:
    """Projects below one folder, each with a stack `prod`, in one store."""

    root: Path
    command: Command
    env: dict[str, str] = field(default_factory=dict)
    _first: tuple[str, Path] | None = None

    def __post_init__(self) -> None:
        self.folder = self.root / "fleet"
        self.backend, self.home = self.root / "backend", self.root / "home"
        for folder in (self.folder, self.backend, self.home):
            folder.mkdir()

    def environment(self, extra: dict[str, str] | None = None) -> dict[str, str]:
        env = self.command.environment(self.root)
        env.update(PULUMI_BACKEND_URL=self.backend.as_uri(), PULUMI_HOME=str(self.home))
        return env | self.env | (extra or {})

    def project(self, name: str, reads: dict[str, str] | None = None, value: object = "1", *, folder: str = "",
                init: bool = True, outputs: dict | None = None, extra: dict | None = None, slow: bool = False) -> Path:
        """Writes a project. `reads` maps each project that it reads to the output that its thing's value is made of."""
        parts = [f"${{{other}-ref.outputs[\"{output}\"]}}" for other, output in (reads or {}).items()]
        resources: dict = {f"{other}-ref": {"type": "pulumi:pulumi:StackReference",
                                            "properties": {"name": f"organization/{other}/prod"}} for other in reads or {}}
        made_of = [value, *parts] if parts else value
        resources["thing"] = ({"type": "things:Thing", "properties": {"value": made_of}} if slow else
                              {"type": "pulumi:index:Stash", "properties": {"input": made_of}})
        resources |= extra or {}
        exports = {"value": "${thing.value}" if slow else "${thing.input}", "id": "${thing.id}", "name": name}
        program = {"name": name, "runtime": "yaml", "plugins": THINGS, "resources": resources,
                   "outputs": exports if outputs is None else outputs}
        path = self.folder / (folder or name)
        path.mkdir(parents=True, exist_ok=True)
        (path / "Pulumi.yaml").write_text(yaml.safe_dump(program, sort_keys=False))
        if init:
            self._make_stack(name, path)
        return path

    def _make_stack(self, name: str, path: Path) -> None:
        """Makes the first stack with `stack init`, and others by copying it: that takes no process and derives no other key."""
        stacks = self.backend / ".pulumi" / "stacks"
        if (stacks / name / "prod.json").exists():
            return
        if self._first is None:
            self.run("stack", "init", "prod", cwd=path)
            self._first = name, path
            return
        first, from_path = self._first
        (stacks / name).mkdir()
        (stacks / name / "prod.json").write_text((stacks / first / "prod.json").read_text().replace(f"/{first}/", f"/{name}/"))
        salt = yaml.safe_load((from_path / "Pulumi.prod.yaml").read_text())["encryptionsalt"]
        (path / "Pulumi.prod.yaml").write_text(yaml.safe_dump({"encryptionsalt": salt}))

    def run(self, *args: str, code: int = 0, cwd: Path | None = None, env: dict[str, str] | None = None) -> Result:
        argv = [str(self.command.path), "--non-interactive", *args]
        done = subprocess.run(argv, cwd=cwd or self.folder, env=self.environment(env), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=patience(300))
        if done.returncode != code:
            raise CommandFailed(f"{' '.join(argv)} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
        return Result(list(args), done.returncode, done.stdout, done.stderr)

    def all(self, verb: str, *args: str, code: int = 0, env: dict[str, str] | None = None) -> dict[str, dict]:
        """Runs an operation on all stacks, and returns its report by project."""
        yes = () if verb == "preview" else ("--yes",)
        out = self.run(verb, "--all", "--stack", "prod", "--output", "json", *yes, *args, code=code, env=env).out
        report = json.loads(out.splitlines()[-1])
        return {stack["stack"].removesuffix("/prod"): stack for stack in report["stacks"]}

    def outcomes(self, verb: str, *args: str, code: int = 0, env: dict[str, str] | None = None) -> dict[str, str]:
        return {name: stack["outcome"] for name, stack in self.all(verb, *args, code=code, env=env).items()}

    def outputs(self, name: str) -> dict:
        return json.loads(self.run("stack", "output", "--json", "--show-secrets", "--stack", "prod",
                                   cwd=self.folder / name).out)

    def state(self, name: str) -> list[dict]:
        document = json.loads((self.backend / ".pulumi" / "stacks" / name / "prod.json").read_text())
        return (document["checkpoint"].get("latest") or {}).get("resources") or []

    def start(self, *args: str, env: dict[str, str] | None = None) -> subprocess.Popen:
        argv = [str(self.command.path), "--non-interactive", *args]
        return subprocess.Popen(argv, cwd=self.folder, env=self.environment(env), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)


@pytest.fixture
def fleet(tmp_path) -> Fleet:
    made = Fleet(tmp_path, Command.kingpost())
    yield made
    kill_all_in(tmp_path)


@pytest.fixture
def chain(fleet) -> Fleet:
    """app reads web and data, which read network; docs reads no stack."""
    fleet.project("app", {"web": "value", "data": "name"})
    fleet.project("web", {"network": "value"})
    fleet.project("data", {"network": "name"}, folder="stores/data")
    fleet.project("network", value="10.0.0.0/8")
    fleet.project("docs")
    return fleet


NAMES = {"app", "web", "data", "network", "docs"}


def test_a_new_fleet_is_previewed_whole_and_then_deployed(chain):
    preview = chain.all("preview")
    assert {name: stack["outcome"] for name, stack in preview.items()} == dict.fromkeys(NAMES, "changes")
    assert all(chain.state(name) == [] for name in NAMES)

    assert chain.outcomes("up") == dict.fromkeys(NAMES, "updated")
    assert chain.outputs("web")["value"] == ["1", "10.0.0.0/8"]
    assert chain.outputs("app")["value"] == ["1", ["1", "10.0.0.0/8"], "data"]

    # A preview finds no changes, neither for all stacks at once nor for each alone.
    assert chain.outcomes("preview", "--expect-no-changes") == dict.fromkeys(NAMES, "unchanged")
    for folder in ("app", "web", "stores/data", "network", "docs"):
        chain.run("preview", "--stack", "prod", "--expect-no-changes", cwd=chain.folder / folder)


def test_a_change_in_the_middle_is_seen_by_those_that_read_it(chain):
    chain.outcomes("up")
    chain.project("web", {"network": "value"}, "2")
    out = chain.run("preview", "--all", "--stack", "prod", "--diff").out
    assert '"2"' in out.split("web/prod")[1]
    assert chain.outcomes("preview") == dict.fromkeys(NAMES, "unchanged") | {"web": "changes", "app": "changes"}
    assert chain.outcomes("up") == dict.fromkeys(NAMES, "unchanged") | {"web": "updated", "app": "updated"}
    assert chain.outputs("app")["value"] == ["1", ["2", "10.0.0.0/8"], "data"]


def test_recorded_references_order_the_starts(chain):
    chain.outcomes("up")
    report = chain.all("preview")
    assert set(report["app"]["reads"]) == {"web/prod", "data/prod"}
    assert all("waited" not in stack for stack in report.values()), "nobody had to wait"


def test_dependents_of_a_failed_stack_are_skipped_and_other_stacks_run(chain):
    chain.outcomes("up")
    chain.project("network", value="11.0.0.0/8")
    chain.project("docs", value="new")
    (chain.folder / "network" / "Pulumi.yaml").write_text("name: network\nruntime: yaml\nresources: [wrong]\n")
    report = chain.all("up", code=1)
    assert {name: stack["outcome"] for name, stack in report.items()} == {
        "network": "failed", "web": "skipped", "data": "skipped", "app": "skipped", "docs": "updated"}
    assert report["app"]["why"] == "'network/prod' failed"

    # After the fix, a second `up` updates the rest.
    chain.project("network", value="11.0.0.0/8")
    assert chain.outcomes("up") == {"network": "updated", "web": "updated", "data": "unchanged", "app": "updated",
                                    "docs": "unchanged"}


def test_a_program_that_waits_for_a_stack_that_fails_is_skipped(fleet):
    fleet.project("web", {"network": "value"})
    fleet.project("network", value="x", extra={"bad": {"type": "pulumi:pulumi:StackReference",
                                                     "properties": {"name": "organization/nobody/prod"}}})
    report = fleet.all("up", "--skip-preview", code=1)
    assert report["network"]["outcome"] == "failed"
    assert report["web"]["outcome"] == "skipped"
    assert report["web"]["why"] == "'network/prod' failed"


def test_a_circle_that_is_recorded_is_named_before_anything_is_changed(fleet):
    fleet.project("a")
    fleet.project("b", {"a": "value"})
    fleet.outcomes("up")
    fleet.project("a", {"b": "value"})
    fleet.run("up", "--yes", "--stack", "prod", cwd=fleet.folder / "a")
    refused = fleet.run("up", "--all", "--stack", "prod", "--yes", code=1)
    assert "a/prod → b/prod → a/prod" in refused.err
    assert "nothing was changed" in refused.err


def test_a_circle_that_only_the_settings_make_names_what_to_remove(fleet):
    fleet.project("a")
    fleet.project("b")
    (fleet.folder / "kingpost.yaml").write_text("members:\n- {folder: a, after: [b]}\n- {folder: b, after: [a]}\n")
    refused = fleet.run("up", "--all", "--stack", "prod", "--yes", code=1)
    assert "these stacks wait for each other in a cycle: a/prod → b/prod → a/prod; nothing was changed. " \
        "Remove b/prod from `after` of a/prod, or a/prod from `after` of b/prod in kingpost.yaml" in refused.err


def test_a_circle_that_closes_at_run_time_is_named_and_the_others_go_on(fleet):
    fleet.project("a", {"b": "value"})
    fleet.project("b", {"a": "value"})
    fleet.project("c")
    report = fleet.all("up", "--skip-preview", code=1)
    ends = {stack["outcome"]: name for name, stack in report.items()}
    assert ends == {"failed": ends["failed"], "skipped": ends["skipped"], "updated": "c"}
    assert "stacks read each other in a cycle: " in report[ends["failed"]]["why"]
    assert report[ends["skipped"]]["why"] == f"'{ends['failed']}/prod' failed"


def test_destroy_goes_the_other_way_round(chain):
    chain.outcomes("up")
    out = chain.run("destroy", "--all", "--stack", "prod", "--yes", "--skip-preview", "--parallel-stacks", "1").out
    ends = [line.split()[0] for line in out.split("Stacks:")[0].splitlines() if line.endswith("destroyed  -1") or " ✓ destroyed" in line]
    assert ends.index("app/prod") < ends.index("web/prod") < ends.index("network/prod")
    assert all([r for r in chain.state(name) if "Stack" not in r["type"]] == [] for name in NAMES)


def test_refresh_of_all(chain):
    chain.outcomes("up")
    assert set(chain.outcomes("refresh").values()) <= {"unchanged", "refreshed"}


def test_plans_are_kept_for_each_stack_and_held_to(chain, tmp_path):
    chain.outcomes("preview", "--save-plan", str(tmp_path / "plans"))
    assert {p.name for p in (tmp_path / "plans").iterdir()} == {f"{name}.prod.json" for name in NAMES}
    chain.project("docs", value="other than planned", outputs={}, extra={"more": {"type": "pulumi:index:Stash", "properties": {"input": "x"}}})
    report = chain.all("up", "--skip-preview", "--plan", str(tmp_path / "plans"), code=1)
    assert report["docs"]["outcome"] == "failed"
    assert report["network"]["outcome"] == "updated"
    (tmp_path / "plans" / "app.prod.json").unlink()
    missing = chain.run("up", "--all", "--stack", "prod", "--yes", "--plan", str(tmp_path / "plans"), code=2)
    assert "there is no plan for app/prod" in missing.err


def test_selections(chain):
    chain.outcomes("up")
    assert set(chain.outcomes("preview", "--only", "web")) == {"web"}
    assert set(chain.outcomes("preview", "--only", "web/*", "--with-dependents")) == {"web", "app"}
    assert set(chain.outcomes("preview", "--only", "web", "--with-dependencies")) == {"web", "network"}
    assert set(chain.outcomes("preview", "--only", "stores/*")) == {"data"}
    refused = chain.run("preview", "--all", "--stack", "prod", "--only", "nothing", code=2)
    assert "--only nothing: no stack, project, folder or group has this name" in refused.err


def git(folder: Path, *args: str) -> None:
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", *args], cwd=folder, check=True, capture_output=True)


def test_changed_since_and_what_git_ignores(chain):
    (chain.folder / ".gitignore").write_text("scratch/\n")
    chain.project("scratch", init=False)
    git(chain.folder, "init", "-q")
    git(chain.folder, "add", ".")
    git(chain.folder, "commit", "-qm", "one")
    chain.outcomes("up")
    nothing = chain.run("preview", "--all", "--stack", "prod", "--changed-since", "HEAD")
    assert "none of these stacks has changed since HEAD" in nothing.err
    chain.project("web", {"network": "value"}, "2")
    assert set(chain.outcomes("preview", "--changed-since", "HEAD")) == {"web"}
    assert set(chain.outcomes("preview", "--changed-since", "HEAD", "--with-dependents")) == {"web", "app"}
    assert "scratch" not in chain.outcomes("preview")
    unknown = chain.run("preview", "--all", "--stack", "prod", "--changed-since", "nowhere", code=2)
    assert "git knows no commit 'nowhere'" in unknown.err


def test_kingpost_yaml_says_who_belongs_together(fleet):
    for name in ("one", "two", "three"):
        fleet.project(name)
    (fleet.folder / "kingpost.yaml").write_text(yaml.safe_dump({
        "stack": "prod", "config": {"one:size": 3, "region": "west"},
        "members": ["one", {"folder": "two", "after": ["one"], "groups": ["late"]}]}))
    out = fleet.run("up", "--all", "--yes").out
    assert "three/prod" not in out
    assert out.index("one/prod | ✓ updated") < out.index("two/prod | ✓ updated")
    settings = yaml.safe_load((fleet.folder / "two" / "Pulumi.prod.yaml").read_text())["config"]
    assert settings == {"one:size": "3", "two:region": "west"} or settings == {"one:size": 3, "two:region": "west"}
    report = json.loads(fleet.run("preview", "--all", "--only", "late", "--output", "json").out)
    assert [stack["stack"] for stack in report["stacks"]] == ["two/prod"]


def test_stacks_that_do_not_exist_are_told_or_made(fleet):
    fleet.project("old")
    fleet.project("new", init=False)
    left_out = fleet.run("preview", "--all", "--stack", "prod")
    assert "new has no such stack and is left out; --create makes it" in left_out.err
    assert "new/prod" not in left_out.out
    made = fleet.run("up", "--all", "--stack", "prod", "--create", "--yes")
    assert "new/prod | ✓ updated" in made.out


def test_a_stack_that_a_colleague_holds_fails_is_skipped_or_waited_for(chain):
    slow = chain.project("web", {"network": "value"}, "3", slow=True)
    chain.outcomes("up")
    chain.project("web", {"network": "value"}, "4", slow=True)
    env = {"THINGS_DELAY_MS": str(int(patience(4000)))}
    argv = [str(chain.command.path), "--non-interactive", "up", "--yes", "--skip-preview", "--stack", "prod"]

    def held():
        process = subprocess.Popen(argv, cwd=slow, env=chain.environment(env), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        wait_for(lambda: list((chain.backend / ".pulumi" / "locks").rglob("*.json")), "the lock")
        return process

    colleague = held()
    report = chain.all("up", "--skip-preview", code=1)
    assert report["web"]["outcome"] == "failed" and "currently locked" in report["web"]["why"]
    assert report["app"]["outcome"] == "skipped"
    report = chain.all("up", "--skip-preview", "--when-locked", "skip", code=1)
    assert report["web"]["outcome"] == "skipped" and report["web"]["why"] == "another process holds the stack"
    report = chain.all("up", "--skip-preview", "--when-locked", "wait")
    assert report["web"]["outcome"] == "unchanged"
    assert colleague.wait(patience(60)) == 0


def test_with_fail_fast_no_other_stack_begins_after_a_failure(fleet):
    fleet.project("a", outputs={"value": "${nowhere}"})
    for name in "bc":
        fleet.project(name)
    words = ["--parallel-stacks", "1", "--fail-fast"]
    report = fleet.all("up", "--skip-preview", *words, code=1)
    assert report["a"]["outcome"] == "failed" and report["a"]["startTime"] <= report["a"]["endTime"]
    for name in "bc":
        assert report[name]["outcome"] == "skipped" and report[name]["why"] == "--fail-fast: a/prod failed"
        assert "startTime" not in report[name]
    report = fleet.all("up", *words, code=1)  # its preview fails, and is what the report tells
    assert [report[name]["outcome"] for name in "abc"] == ["failed", "skipped", "skipped"] and not fleet.state("b")
    report = fleet.all("up", "--skip-preview", "--parallel-stacks", "1", code=1)
    assert (report["a"]["outcome"], report["b"]["outcome"], report["c"]["outcome"]) == ("failed", "updated", "updated")


def test_a_stack_that_waits_is_no_failure_that_stops_others(fleet):
    fleet.project("a", slow=True)
    fleet.project("b")
    report = fleet.all("up", "--skip-preview", "--parallel-stacks", "1", "--fail-fast", code=10, env={"THINGS_AWAIT": "create:thing"})
    assert (report["a"]["outcome"], report["b"]["outcome"]) == ("failed", "updated")
    assert report["a"]["why"] == "some resources wait for something"


def test_an_interrupt_lets_what_runs_end_in_all_and_begins_no_other(fleet):
    for name in "abcdef":
        fleet.project(name, slow=True)
    process = fleet.start("up", "--all", "--stack", "prod", "--yes", "--skip-preview", "--parallel-stacks", "2",
                          env={"THINGS_DELAY_MS": str(int(patience(1500)))})
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "creating" in line:
            break
    process.send_signal(signal.SIGINT)
    out = "".join(lines) + process.communicate(timeout=patience(60))[0]
    assert process.returncode == 1, out
    assert "stopped" in out
    assert list((fleet.backend / ".pulumi" / "locks").rglob("*.json")) == []
    fleet.outcomes("up")
    for name in "abcdef":
        assert len([r for r in fleet.state(name) if r["type"] == "things:index:Thing"]) == 1


def test_secrets_are_masked_across_all(fleet):
    secret = "hunter2-of-the-network"
    path = fleet.project("network", value={"fn::secret": secret}, outputs={"word": {"fn::secret": secret}, "name": "network"})
    fleet.project("web", {"network": "word"})
    assert path.exists()
    for args in (("preview",), ("preview", "--diff"), ("preview", "--output", "json"), ("preview", "--json"),
                 ("preview", "--output", "markdown"), ("up", "--yes", "--skip-preview")):
        done = fleet.run(args[0], "--all", "--stack", "prod", *args[1:])
        assert secret not in done.out + done.err, args
    assert secret not in (fleet.backend / ".pulumi" / "stacks" / "web" / "prod.json").read_text()
    assert fleet.outputs("web")["value"] == ["1", secret]


def test_targets_name_their_stack(chain):
    chain.outcomes("up")
    chain.project("docs", value="2")
    chain.project("network", value="12.0.0.0/8")
    assert chain.outcomes("up", "--target", "docs/prod::**thing") == dict.fromkeys(NAMES, "unchanged") | {"docs": "updated"}
    refused = chain.run("up", "--all", "--stack", "prod", "--yes", "--target", "**thing", code=2)
    assert "'**thing' belongs to none of these stacks" in refused.err


def test_reports_and_the_exit_codes(chain):
    markdown = chain.run("preview", "--all", "--stack", "prod", "--output", "markdown").out
    assert markdown.startswith("## Previewing update of 5 stacks:")
    assert "| <code>network/prod</code> | changes | \\+2 |" in markdown
    assert "### Preview of update of <code>network/prod</code>" in markdown
    digests = json.loads(chain.run("preview", "--all", "--stack", "prod", "--json").out)
    assert all(stack["preview"]["steps"] for stack in digests["stacks"])
    events = [json.loads(line) for line in chain.run("up", "--all", "--stack", "prod", "--yes", "--json").out.splitlines()]
    assert {event["stack"] for event in events[:-1]} == {f"{name}/prod" for name in NAMES}
    assert events[-1]["result"] == "succeeded" and events[-1]["summary"] == {"updated": 5}
    chain.project("docs", value="2")
    chain.run("preview", "--all", "--stack", "prod", "--expect-no-changes", code=7)
    assert "Critical path of the preview" in chain.run("preview", "--all", "--stack", "prod", "--timings").out


@pytest.mark.parametrize(("args", "why"), [
    (("preview", "--only", "x"), "--only is for many stacks: use it with --all"),
    (("preview", "--all", "--config-file", "x"), "--config-file names the settings of one stack"),
    (("preview", "--all", "--event-log", "x"), "--event-log follows one stack"),
    (("up", "--all", "--client", "x"), "--client is the language host of one program"),
    (("preview", "--all", "--with-dependents"), "use them with --only or --changed-since"),
    (("up", "--all", "nowhere", "--yes"), "there is no folder nowhere"),
    (("preview", "--all", "--stack", "prod"), "there is no project with a Pulumi.yaml below"),
    (("up", "--all", "--stack", "prod"), "--yes or --skip-preview must be passed in"),
    (("graph", "--all", "--preview"), "--preview and --plan colour the resources of one stack"),
])
def test_contradicting_flags_are_refused(fleet, args, why):
    code = 6 if "no project" in why else 2
    assert why in fleet.run(*args, code=code).err


def test_a_graph_of_all_and_a_tree_of_who_reads_whom(chain):
    chain.outcomes("up")
    dot = chain.run("graph", "--all", "--stack", "prod").out
    assert dot.count("->") == 4 and "network/prod" in dot
    chain.run("graph", "--all", "--stack", "prod", "all.html")
    page = (chain.folder / "all.html").read_text()
    assert '"stacks":true' in page.replace(" ", "") and "pulumi:index:Stash" in page
    chain.project("network", value="11.0.0.0/8")
    chain.run("up", "--yes", "--stack", "prod", cwd=chain.folder / "network")
    tree = chain.run("stack", "ls", "--all", "--tree").out
    assert re.search(r"organization/network/prod.*\n├─ organization/data/prod", tree), tree
    assert "behind: value is others by now" in tree or "behind: value" in tree
    reads = {row["name"]: row["reads"] for row in json.loads(chain.run("stack", "ls", "--all", "--tree", "--json").out)}
    assert reads["organization/web/prod"] == [{"name": "organization/network/prod", "behind": ["value"]}]


def test_python_programs_read_each_other(fleet):
    for name, reads in (("net", None), ("shop", "net")):
        path = fleet.folder / name
        path.mkdir()
        (path / "Pulumi.yaml").write_text(f"name: {name}\nruntime: {{name: python, options: {{toolchain: pip}}}}\n")
        program = "import pulumi\n"
        if reads:
            program += f"other = pulumi.StackReference('organization/{reads}/prod')\npulumi.export('value', other.get_output('value'))\n"
        else:
            program += "pulumi.export('value', 'from net')\n"
        (path / "__main__.py").write_text(program)
        fleet.run("stack", "init", "prod", cwd=path)
    assert fleet.outcomes("preview") == {"net": "changes", "shop": "changes"}
    assert fleet.outcomes("up") == {"net": "updated", "shop": "updated"}
    assert fleet.outputs("shop") == {"value": "from net"}


PYTHON_STACK = """import pulumi

{reads}
pulumi.Stash("thing", input={value})
pulumi.export("name", "{name}")
pulumi.export("value", {value})
"""


def test_each_stack_is_afterwards_nothing_to_do_for_the_real_command(fleet):
    peer = peer_or_skip()
    for name, read in (("net", ""), ("shop", "net"), ("site", "shop")):
        path = fleet.folder / name
        path.mkdir()
        (path / "Pulumi.yaml").write_text(f"name: {name}\nruntime: python\n")
        reads = f"other = pulumi.StackReference('organization/{read}/prod')" if read else ""
        value = "other.get_output('name')" if read else "'first'"
        (path / "__main__.py").write_text(PYTHON_STACK.format(reads=reads, value=value, name=name))
        fleet.run("stack", "init", "prod", cwd=path)
    assert set(fleet.outcomes("up").values()) == {"updated"}
    fleet.command = peer
    for name in ("net", "shop", "site"):
        fleet.run("preview", "--stack", "prod", "--expect-no-changes", cwd=fleet.folder / name)
    fleet.run("up", "--stack", "prod", "--yes", "--expect-no-changes", cwd=fleet.folder / "site")
    fleet.command = Command.kingpost()
    assert set(fleet.outcomes("preview", "--expect-no-changes").values()) == {"unchanged"}


@pytest.mark.parametrize("acknowledged", [1, 3, 5])
def test_kills_lose_nothing(fleet, acknowledged):
    for name in "abcdef":
        fleet.project(name, {chr(ord(name) - 1): "name"} if name in "ce" else None, slow=True)
    env = {"THINGS_DELAY_MS": str(int(patience(300)))}
    process = fleet.start("up", "--all", "--stack", "prod", "--yes", "--skip-preview", env=env)
    seen = 0
    for line in process.stdout:
        seen += bool(re.search(r"things:index:Thing .*created", line))
        if seen == acknowledged:
            break
    process.kill()
    process.communicate()
    fleet.outcomes("up")
    for name in "abcdef":
        assert len([r for r in fleet.state(name) if r["type"] == "things:index:Thing"]) == 1
    assert list((fleet.backend / ".pulumi" / "journals").rglob("*.journal")) == []
    assert set(fleet.outcomes("preview", "--expect-no-changes").values()) == {"unchanged"}


def test_python_sees_known_outputs_beside_unknown_ones_in_a_preview(fleet):
    for name, program in (("net", "s = pulumi.Stash('s', input='x')\npulumi.export('known', 'k')\npulumi.export('unknown', s.id)\n"),
                          ("shop", "r = pulumi.StackReference('organization/net/prod')\n"
                                   "pulumi.export('one', r.outputs['known'])\npulumi.export('other', r.outputs['unknown'])\n")):
        path = fleet.folder / name
        path.mkdir()
        (path / "Pulumi.yaml").write_text(f"name: {name}\nruntime: python\n")
        (path / "__main__.py").write_text("import pulumi\n" + program)
    out = fleet.run("preview", "--all", "--stack", "prod", "--create").out
    assert re.search(r'shop/prod \| +one +: "k"', out) and re.search(r"shop/prod \| +other *: \[unknown\]", out), out


def on_screen(fleet: Fleet, *args: str, env: dict[str, str] | None = None, rows: int = 40) -> Screen:
    return Screen([str(fleet.command.path), *args], fleet.folder, fleet.environment(env), columns=100, rows=rows)


def test_the_screen_has_a_row_for_each_stack_and_asks_once(chain):
    chain.project("network", value="10.0.0.0/8", slow=True)
    screen = on_screen(chain, "up", "--all", "--stack", "prod", env={"THINGS_DELAY_MS": str(int(patience(2000)))})
    screen.wait_for("Do you want to perform this update of 5 stacks?")
    assert "Previewing update of 5 stacks:" in screen.text()
    assert "network/prod" in screen.text()
    screen.send(UP + ENTER)
    screen.wait_for("Updating 5 stacks:")
    screen.wait_for("▸ network/prod")
    screen.wait_for("web/prod      after network/prod")
    screen.wait_for("5 updated")
    assert screen.finish() == 0


def test_a_declined_update_changes_nothing(chain):
    screen = on_screen(chain, "up", "--all", "--stack", "prod")
    screen.wait_for("Do you want to perform this update of 5 stacks?")
    screen.send(ENTER)
    screen.wait_for("confirmation declined")
    assert screen.finish() == 1
    assert all(chain.state(name) == [] for name in NAMES)


