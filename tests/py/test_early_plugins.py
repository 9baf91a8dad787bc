# SPDX-License-Identifier: Apache-2.0
"""The providers of the last run start early, beside the program's interpreter. Told by the order of
events, which the provider and the program write into one file; never by time."""

import json
import os
import signal
import subprocess
import sys
import sysconfig
import time

import pytest

from harness import Command, Workspace
from harness.noted_provider import install_noted_provider, noted_events
from harness.patience import patience
from harness.plugin_source import make_executable
from harness.processes import kill_alone, processes_in, wait_for, wait_until_nothing_runs

# It registers nothing before as many providers have been greeted as EARLY_GREETED says for a preview or an update.
PROGRAM = """
import json, os, time
import pulumi

root = os.environ["EARLY_ROOT"]
wanted = json.loads(os.environ.get("EARLY_GREETED", "{}")).get("preview" if pulumi.runtime.is_dry_run() else "update", 0)

def events():
    path = os.path.join(root, "events")
    return open(path).read().splitlines() if os.path.exists(path) else []

deadline = time.monotonic() + PATIENCE
while sum(event.startswith("greeted") for event in events()) < wanted:
    if time.monotonic() > deadline:
        raise Exception("nobody was greeted early")
    time.sleep(0.02)
with open(os.path.join(root, "events"), "a") as file:
    file.write("program\\n")
if os.environ.get("EARLY_FAIL"):
    raise Exception("as asked")

class Thing(pulumi.CustomResource):
    def __init__(self, name, version):
        super().__init__("things:index:Thing", name, {"value": "v", "stamp": None}, pulumi.ResourceOptions(version=version))

for version in os.environ.get("EARLY_VERSIONS", "1.0.0").split():
    Thing("thing", version)  # another version of the plugin is another default provider, and no other thing
"""


class Early:
    def __init__(self, root):
        self.root = root
        self.ws = Workspace(root / "ws", Command.kingpost(), env={"EARLY_ROOT": str(root)}, init=False)
        (self.ws.project / "Pulumi.yaml").write_text("name: early\nruntime: python\n")
        (self.ws.project / "__main__.py").write_text(PROGRAM.replace("PATIENCE", str(patience(30))))
        for version in ("1.0.0", "2.0.0"):
            install_noted_provider(self.ws.home, version)
        self.ws.run("stack", "init", "dev")

    @property
    def events(self) -> list[str]:
        return noted_events(self.root)

    def run(self, *arguments, **variables):
        (self.root / "events").unlink(missing_ok=True)
        return self.ws.run(*arguments, "--stack", "dev", env=variables, check=False)

    def start(self, *arguments, **variables) -> subprocess.Popen:
        (self.root / "events").unlink(missing_ok=True)
        return subprocess.Popen([str(self.ws.command.path), *arguments, "--stack", "dev"], cwd=self.ws.project,
                                env=self.ws.environment() | variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, start_new_session=True)


@pytest.fixture
def early(tmp_path):
    made = Early(tmp_path)
    yield made
    (tmp_path / "hold-1.0.0").unlink(missing_ok=True)


@pytest.fixture
def deployed(early):
    done = early.run("up", "--yes", "--skip-preview")
    assert done.code == 0, done.out + done.err
    early.recorded_at = time.time()
    return early


def test_a_provider_comes_up_before_the_program_asks_for_it_and_is_configured_after_that(deployed):
    done = deployed.run("preview", EARLY_GREETED='{"preview": 1}')
    assert done.code == 0, done.out + done.err
    assert deployed.events == ["started 1.0.0", "greeted 1.0.0", "program", "configured 1.0.0"]


def test_an_update_begins_what_its_preview_has_used(early):
    done = early.run("up", "--yes", EARLY_GREETED='{"update": 2}')
    assert done.code == 0, done.out + done.err
    words = [event.split()[0] for event in early.events]
    assert words[:4] == ["program", "started", "greeted", "configured"], "nothing is known of a first preview"
    assert words[4:] == ["started", "greeted", "program", "configured"]


def test_nothing_is_begun_for_an_update_whose_preview_failed(deployed):
    done = deployed.run("up", "--yes", EARLY_FAIL="1", EARLY_GREETED='{"preview": 1}')
    assert done.code != 0 and "as asked" in done.out + done.err
    assert [event.split()[0] for event in deployed.events] == ["started", "greeted", "program"]
    wait_until_nothing_runs(deployed.root)


def test_a_provider_that_nobody_asks_for_ends_without_a_word(deployed):
    done = deployed.run("preview", EARLY_VERSIONS="2.0.0", EARLY_GREETED='{"preview": 1}')
    assert done.code == 0, done.out + done.err
    assert "configured 2.0.0" in deployed.events, "another version is started anew"
    assert "started 1.0.0" in deployed.events and "configured 1.0.0" not in deployed.events
    assert "warning" not in done.out + done.err and "1.0.0" not in done.err
    wait_until_nothing_runs(deployed.root)


def test_a_provider_on_path_is_told_once_and_only_if_it_is_used(early):
    plugin = early.ws.home / "plugins" / "resource-things-v1.0.0" / "pulumi-resource-things"
    variables = {"PATH": f"{plugin.parent}:{early.ws.environment()['PATH']}"}
    warning = f"warning: using pulumi-resource-things from $PATH at {plugin}\n"
    done = early.run("up", "--yes", "--skip-preview", **variables)
    assert done.code == 0 and (done.out + done.err).count(warning) == 1, done.out + done.err
    done = early.run("preview", **variables, EARLY_GREETED='{"preview": 1}')
    assert done.code == 0 and (done.out + done.err).count(warning) == 1, done.out + done.err
    done = early.run("preview", **variables, EARLY_GREETED='{"preview": 1}', EARLY_FAIL="1")
    assert "as asked" in done.out + done.err and "$PATH" not in done.out + done.err, done.out + done.err


def test_a_version_that_may_be_out_of_date_is_not_begun(deployed):
    wait_for(lambda: time.time() > deployed.recorded_at + 2, "the next second: stamps of records have no finer ones")
    install_noted_provider(deployed.ws.home, "3.0.0")
    done = deployed.run("preview", EARLY_VERSIONS="3.0.0")
    assert done.code == 0, done.out + done.err
    assert [event.split()[1] for event in deployed.events if event != "program"] == ["3.0.0"] * 3
    done = deployed.run("preview")
    assert done.code == 0 and deployed.events[0] == "program", "it is started when the program asks for it"


def test_one_that_is_still_starting_when_all_is_over_holds_nothing_up(deployed):
    (deployed.root / "hold-1.0.0").touch()
    done = deployed.run("preview", EARLY_VERSIONS="2.0.0")
    assert done.code == 0, done.out + done.err
    assert "greeted 1.0.0" not in deployed.events
    wait_until_nothing_runs(deployed.root)


def test_one_that_cannot_start_is_told_by_the_ordinary_start(deployed):
    plugin = deployed.ws.home / "plugins" / "resource-things-v1.0.0" / "pulumi-resource-things"
    make_executable(plugin, b"#!/bin/sh\necho it is broken >&2\nexit 9\n")
    done = deployed.run("preview")
    assert done.code != 0
    assert (done.out + done.err).count("it is broken") >= 1 and "exit status 9" in done.out + done.err
    done = deployed.run("preview", EARLY_VERSIONS="2.0.0")
    assert done.code == 0 and "broken" not in done.out + done.err, "and by nobody, if nobody asks for it"


@pytest.mark.parametrize("held", [True, False], ids=["starting", "greeted"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=["kill", "interrupt", "term"])
def test_an_interrupted_command_leaves_no_early_provider(deployed, number, held):
    if held:
        (deployed.root / "hold-1.0.0").touch()
    process = deployed.start("preview", EARLY_GREETED='{"preview": 1000}')
    wait_for(lambda: ("started 1.0.0" if held else "greeted 1.0.0") in deployed.events, "the early provider")
    assert processes_in(deployed.root)
    if number == signal.SIGKILL:
        kill_alone(process, deployed.root)
    else:
        os.kill(process.pid, number)
        assert process.wait(patience(60)) != 0
    process.stdout.close()
    wait_until_nothing_runs(deployed.root)
    assert not any(event.startswith("configured") for event in deployed.events)


def test_an_interpreter_is_begun_for_one_run_alone(deployed):
    """The second run of an `up` does not find leftovers of the first in its process."""
    (deployed.ws.project / "__main__.py").write_text(
        "import os, sys, pulumi\n"
        "assert not hasattr(pulumi, 'seen') and sys.stdin.read() == ''\n"
        "pulumi.seen = True\n"
        "assert sys.argv[0].endswith('.') and '--standby' not in sys.orig_argv\n"
        "open(os.path.join(os.environ['EARLY_ROOT'], 'events'), 'a').write(f'{os.getpid()}\\n')\n")
    done = deployed.run("up", "--yes")
    assert done.code == 0, done.out + done.err
    assert len({event for event in deployed.events if event.isdigit()}) == 2


def test_the_sdk_that_is_missing_is_told_once(deployed, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty"], check=True)
    (deployed.ws.project / "Pulumi.yaml").write_text(
        f"name: early\nruntime:\n  name: python\n  options:\n    virtualenv: {tmp_path / 'empty'}\n")
    done = deployed.run("preview")
    assert done.code != 0
    assert (done.out + done.err).count("It looks like the Pulumi SDK has not been installed") in (1, 2)


def test_an_interpreter_that_imported_something_of_the_program_starts_over(deployed):
    """The SDK finds a module of the program's folder before its own. That module may have changed since the early import."""
    (deployed.ws.project / "semver.py").write_text(
        "import os, sys\n"
        "open(os.path.join(os.environ['EARLY_ROOT'], 'events'), 'a').write('imported\\n')\n"
        "sys.path.remove('')\n"
        "del sys.modules['semver']\n"
        "import semver\n"
        "sys.path.insert(0, '')\n"
        "mine = type(sys)('mine')\n"
        "mine.__file__ = os.path.join(os.getcwd(), 'semver.py')\n"
        "sys.modules['mine'] = mine\n")
    (deployed.ws.project / "__main__.py").write_text("import pulumi\npulumi.export('value', 1)\n")
    done = deployed.run("preview")
    assert done.code == 0, done.out + done.err
    assert deployed.events.count("imported") == 2, "once by the one that waited, once by the run"


def describe_things(early, version):
    """An environment of the program's own, with the SDK of this one, and a package that describes its provider."""
    venv = early.root / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (site,) = venv.glob("lib/python*/site-packages")
    (site / "ours.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (site / "pulumi_things").mkdir()
    (site / "pulumi_things" / "pulumi-plugin.json").write_text(json.dumps({"resource": True, "name": "things", "version": version}))
    (early.ws.project / "Pulumi.yaml").write_text(
        f"name: early\nruntime:\n  name: python\n  options:\n    virtualenv: {venv}\n")


def test_a_first_run_begins_what_the_packages_of_the_program_describe(early):
    describe_things(early, "1.0.0")
    done = early.run("preview", EARLY_GREETED='{"preview": 1}')
    assert done.code == 0, done.out + done.err
    assert early.events == ["started 1.0.0", "greeted 1.0.0", "program", "configured 1.0.0"]


def test_a_described_provider_that_a_first_run_does_not_ask_for_ends_without_a_word(early):
    describe_things(early, "2.0.0")
    done = early.run("up", "--yes", EARLY_GREETED='{"preview": 1}')
    assert done.code == 0 and "warning" not in done.out + done.err, done.out + done.err
    assert "started 2.0.0" in early.events and "configured 2.0.0" not in early.events
    assert early.events.count("configured 1.0.0") == 2
    assert early.events.count("started 2.0.0") == 1, "the update knows what its preview used"
    wait_until_nothing_runs(early.root)
    early.run("preview", EARLY_GREETED='{"preview": 1}')
    assert "started 2.0.0" not in early.events, "the next run goes by the record"


def test_the_interpreter_of_a_preview_is_that_of_its_update(early):
    (early.ws.project / "__main__.py").write_text(
        "import os\n"
        "args = open('/proc/self/cmdline').read().split('\\0')\n"
        "open(os.path.join(os.environ['EARLY_ROOT'], 'events'), 'a').write(f'{args[4]} {os.getpid()}\\n')\n")
    done = early.run("up", "--yes")
    assert done.code == 0, done.out + done.err
    assert [event.split()[0] for event in early.events] == ["--fork-server", "--fork-server"]
    assert len(set(early.events)) == 2
    for args, first in ((("preview",), "--standby"), (("up", "--yes", "--skip-preview"), "--standby")):
        done = early.run(*args)
        assert done.code == 0 and [event.split()[0] for event in early.events] == [first], early.events
    wait_until_nothing_runs(early.root)


def test_the_interpreter_of_an_update_that_cannot_be_a_fork_starts_while_its_preview_runs(early):
    (early.ws.project / "__main__.py").write_text(f"""
import asyncio, os, pathlib, time
import pulumi

def parent(process):
    return int((process / "stat").read_text().rpartition(")")[2].split()[1])

def others():
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if process.name != str(os.getpid()) and parent(process) == os.getppid():
                if b"--standby" in (process / "cmdline").read_bytes().split(b"\\0"):
                    yield process
        except OSError:
            pass

async def wait():
    deadline = time.monotonic() + {patience(30)}
    while pulumi.runtime.is_dry_run() and os.cpu_count() > 1 and not list(others()):
        if time.monotonic() > deadline:
            raise Exception("no other interpreter waits")
        await asyncio.sleep(0.02)
    return "done"

pulumi.export("wait", pulumi.Output.from_input(wait()))
""")
    done = early.run("up", "--yes", KINGPOST_ACCELERATE="0")
    assert done.code == 0, done.out + done.err
    wait_until_nothing_runs(early.root)


@pytest.mark.parametrize("uses", [True, False], ids=["used", "named"])
def test_a_first_run_begins_a_dynamic_provider_that_the_program_names(early, uses):
    (early.ws.project / "__main__.py").write_text(
        "from pulumi import dynamic\n"
        "class Nothing(dynamic.ResourceProvider):\n"
        "    def create(self, props):\n"
        "        return dynamic.CreateResult(id_='nothing', outs=props)\n"
        "class Resource(dynamic.Resource):\n"
        "    def __init__(self, name):\n"
        "        super().__init__(Nothing(), name, {})\n"
        + ("Resource('nothing')\n" if uses else ""))
    done = early.run("up", "--yes", "--timings")
    assert done.code == 0 and "warning" not in done.out + done.err, done.out + done.err
    begun = [line.split()[-2] for line in done.out.splitlines() if "begun early" in line and line.split()[-1] != "0.000"]
    assert begun == (["1", "1"] if uses else ["1"]), done.out
    wait_until_nothing_runs(early.root)
