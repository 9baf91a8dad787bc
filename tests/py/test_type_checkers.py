# SPDX-License-Identifier: Apache-2.0
"""The runtime option `typechecker`: the command prints the checker's lines, and a failure ends the run.

Modules with the names of the checkers stand in for them: only their command line and exit code matter.
"""

import pytest
from harness import Command, Workspace

CHECKER = """
import pathlib, sys
program = pathlib.Path(sys.argv[-1], "__main__.py").read_text()
if "export(42" not in program:
    print("Success: no issues found in 1 source file")
    sys.exit(0)
print('__main__.py:2: error: Argument 1 to "export" has incompatible type "int"; expected "str"  [arg-type]')
print("Found 1 error in 1 file (checked 1 source file)")
sys.exit(1)
"""


def workspace(tmp_path, checker, program) -> Workspace:
    project, checkers = tmp_path / "project", tmp_path / "modules" / "mypy"
    project.mkdir()
    checkers.mkdir(parents=True)
    (checkers / "__main__.py").write_text(CHECKER)
    (project / "Pulumi.yaml").write_text(
        f"name: shop\nruntime:\n  name: python\n  options:\n    typechecker: {checker}\n")
    (project / "__main__.py").write_text(program)
    return Workspace(tmp_path, Command.kingpost(), env={"PYTHONPATH": str(checkers.parent)})


def messages(run) -> list[tuple[str, str]]:
    events = [event["diagnosticEvent"] for event in run.events if "diagnosticEvent" in event]
    return [(event["severity"], event["message"]) for event in events if event["severity"] != "debug"]


def test_mistakes_of_a_type_checker_are_printed_and_fail_the_run(tmp_path):
    run = workspace(tmp_path, "mypy", "import pulumi\npulumi.export(42, 'bar')\n").up(check=False)
    assert run.code == 1
    assert messages(run) == [
        ("info", '__main__.py:2: error: Argument 1 to "export" has incompatible type "int"; expected "str"  [arg-type]\n\n'),
        ("info", "Found 1 error in 1 file (checked 1 source file)\n\n"),
        ("error", "an unhandled error occurred: mypy failed: exit status 1\n")]


def test_a_program_in_order_runs(tmp_path):
    run = workspace(tmp_path, "mypy", "import pulumi\npulumi.export('foo', 'bar')\n").up()
    assert messages(run) == [("info", "Success: no issues found in 1 source file\n\n")]


@pytest.mark.parametrize(("checker", "told"), [
    ("pyright", "The typechecker option is set to pyright, but pyright is not installed. Please add an entry for pyright "
                "to requirements.txt and run `kingpost install`"),
    ("flake", "unsupported typechecker option: flake: the runtime option may be mypy, pyright or none")])
def test_a_checker_that_cannot_run_is_named(tmp_path, checker, told):
    run = workspace(tmp_path, checker, "import pulumi\n").up(check=False)
    assert run.code == 1 and messages(run) == [("error", f"an unhandled error occurred: {told}\n")]
