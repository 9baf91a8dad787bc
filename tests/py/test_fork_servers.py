# SPDX-License-Identifier: Apache-2.0
"""Forks of an interpreter change nothing for a single project: neither which Python runs, nor the errors of a failed program, nor the
end by Ctrl-C. Fleets are in test_fleet_forks.py."""

from __future__ import annotations

import os
import signal
import sys
import sysconfig
from pathlib import Path

import pytest

from harness import Command
from harness.patience import patience
from harness.processes import kill_all_in, wait_for, wait_until_nothing_runs

from test_fleet import Fleet
from test_fleet_forks import IS_FORK, add, up


@pytest.fixture
def fleet(tmp_path) -> Fleet:
    made = Fleet(tmp_path, Command.kingpost())
    yield made
    kill_all_in(tmp_path)


def python_below(folder: Path) -> Path:
    """An interpreter that has the SDK, and says that it lives in `folder`."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python3").symlink_to(os.path.realpath(sys.executable))
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    (folder / "lib" / version).mkdir(parents=True)
    (folder / "lib" / version / "site-packages").symlink_to(sysconfig.get_paths()["purelib"])
    (folder / "pyvenv.cfg").write_text(f"home = {Path(os.path.realpath(sys.executable)).parent}\n")
    return folder


def test_the_project_chooses_the_python_behind_a_script_of_pyenv(fleet, tmp_path):
    root = tmp_path / "pyenv"
    for version in ("of-the-project", "of-all"):
        python_below(root / "versions" / version)
    (root / "version").write_text("of-all\n")
    shim = root / "shims" / "python3"
    shim.parent.mkdir()
    shim.write_text(f"""#!/bin/sh
chosen=$(cat .python-version 2>/dev/null || cat {root}/version)
exec {root}/versions/$chosen/bin/python3 "$@"
""")
    shim.chmod(0o755)
    project = add(fleet, "chosen", f"pulumi.export('seen', [sys.prefix, {IS_FORK}])\n", first=True)
    (project / ".python-version").write_text("of-the-project\n")
    fleet.run("up", "--yes", "--stack", "prod", cwd=project, env={"PULUMI_PYTHON_CMD": str(shim)})
    assert fleet.outputs("chosen")["seen"] == [str(root / "versions" / "of-the-project"), True]


def test_a_script_that_chooses_the_python_has_no_forks(fleet, tmp_path):
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (scripts / "python3").chmod(0o755)
    project = add(fleet, "chosen", f"pulumi.export('seen', {IS_FORK})\n", first=True)
    fleet.run("up", "--yes", "--stack", "prod", cwd=project, env={"PULUMI_PYTHON_CMD": str(scripts / "python3")})
    assert fleet.outputs("chosen")["seen"] is False


def test_a_failed_program_is_told_its_error_where_no_cache_can_be_written(fleet, tmp_path):
    (tmp_path / "file").touch()
    failing = "pulumi.export('o', pulumi.Output.from_input(1).apply(lambda _: 1 / 0))\n"
    for name in ("first", "second", "third"):
        add(fleet, name, failing, first=True)
    env = {"XDG_CACHE_HOME": str(tmp_path / "file")}
    for run in (fleet.run("preview", "--stack", "prod", cwd=fleet.folder / "first", code=1, env=env),
                fleet.run("preview", "--all", "--stack", "prod", "--parallel-stacks", "1", code=1, env=env)):
        assert "ZeroDivisionError" in run.out + run.err and "TypeError" not in run.out + run.err


@pytest.mark.parametrize("name", ["d\udce9x", "dé"], ids=["no UTF-8", "UTF-8"])
def test_the_folder_of_a_project_may_have_any_name(fleet, name):
    project = add(fleet, "plain", "pulumi.export('seen', os.getcwd().encode('utf-8', 'surrogateescape').hex())\n", first=True)
    odd = fleet.folder / name
    project.rename(odd)
    fleet.run("up", "--yes", "--stack", "prod", cwd=odd)
    odd.rename(project)
    assert fleet.outputs("plain")["seen"] == os.fsencode(odd).hex()


def test_a_locale_without_unicode_hands_over_all_settings(fleet):
    project = add(fleet, "plain", "pulumi.export('seen', os.environb[b'PULUMI_CONFIG'].decode())\n", first=True)
    fleet.run("config", "set", "word", "größer", "--stack", "prod", cwd=project)
    fleet.run("up", "--yes", "--stack", "prod", cwd=project,
              env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    assert fleet.outputs("plain")["seen"] == '{"plain:word":"größer"}'


def test_a_module_that_was_imported_before_the_program_and_edited_since_is_new(fleet, tmp_path):
    shared, imports = tmp_path / "shared", tmp_path / "imports"
    shared.mkdir()
    imports.mkdir()
    (shared / "company.py").write_text("VERSION = 1\n")
    (imports / "sitecustomize.py").write_text(f"import sys\nsys.path.append({str(shared)!r})\nimport company\n")
    project = add(fleet, "edits", f"""import company
pulumi.export('seen', company.VERSION)
if pulumi.runtime.is_dry_run():
    open({str(shared / 'company.py')!r}, 'w').write('VERSION = 2\\n')
""", first=True)
    fleet.run("up", "--yes", "--stack", "prod", cwd=project, env={"PYTHONPATH": str(imports), "PYTHONDONTWRITEBYTECODE": "1"})
    assert fleet.outputs("edits")["seen"] == 2


def test_a_server_that_was_killed_is_renewed(fleet):
    kill_it = """import signal
others = set(open(f'/proc/{os.getppid()}/task/{os.getppid()}/children').read().split()) - {str(os.getpid())}
(server,) = [one for one in others if '--fork-server' in open(f'/proc/{one}/cmdline').read().split('\\0')]
os.kill(int(server), signal.SIGKILL)
"""
    add(fleet, "first", f"pulumi.export('fork', {IS_FORK})\n", first=True)
    (fleet.folder / "kingpost.yaml").write_text("stack: prod\nmembers:\n" + "".join(
        f"- {{folder: {name}, after: [{after}]}}\n" for name, after in
        [("first", ""), ("second", "first"), ("third", "second"), ("fourth", "third"), ("fifth", "fourth")]))
    for name, program in (("second", kill_it), ("third", ""), ("fourth", ""), ("fifth", "")):
        add(fleet, name, program + f"pulumi.export('fork', {IS_FORK})\n", first=True)
    up(fleet)
    forks = {name: fleet.outputs(name)["fork"] for name in ("first", "second", "third", "fourth", "fifth")}
    assert forks == {"first": False, "second": True, "third": False, "fourth": True, "fifth": True}


def test_ctrl_c_ends_a_run_whose_interpreter_still_imports(fleet, tmp_path):
    begun = tmp_path / "begun"
    (tmp_path / "sitecustomize.py").write_text(f"import time\nopen({str(begun)!r}, 'w').close()\ntime.sleep(1000)\n")
    project = add(fleet, "slow", "", first=True)
    process = fleet.start("-C", str(project), "up", "--yes", "--stack", "prod", env={"PYTHONPATH": str(tmp_path)})
    wait_for(begun.exists, "the interpreter")
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(patience(60)) != 0
    process.stdout.close()
    wait_until_nothing_runs(fleet.root)
