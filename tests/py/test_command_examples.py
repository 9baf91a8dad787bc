# SPDX-License-Identifier: Apache-2.0
"""The examples that --help shows, run one after the other as they stand there."""

import json
import re
import shlex
import tarfile

import pytest

from harness.commands import PROGRAMS, REPOSITORY
from harness.screens import Screen
from test_cli_stacks import Cli

WITHOUT = {"state recover"}  # its journal is what a crash beside a full disk leaves
# Other files run these:
#   state migrate, stack rollback    test_postgres.py, which has a second backend and a history
#   convert                          test_convert.py, whose programs are in YAML
#   state promote                    test_state_promote.py, whose state has a snippet
#   watch, fleet worker              test_watch.py, test_fleet_cluster.py: they run until they are interrupted
RUN_ELSEWHERE = ("state migrate ", "stack rollback ", "convert ", "state promote ", "watch ", "fleet worker ")
IN_A_TERMINAL = {"state edit"}
INSTALLS = {"package add ./components"}  # from a registry; test_packages.py does it with another pip


def commands(cli):
    listing = cli("--help").stdout.partition("\n\nUse ")[0]
    return re.findall(r"^  (\S+(?: \S+)*)  +\S", listing, re.MULTILINE)


def examples_of(cli, command):
    text = cli(*command.split(), "--help").stdout.partition("\nExamples:\n")[2]
    return re.findall(r"^  kingpost (.*)$", text, re.MULTILINE)


@pytest.fixture
def cli(tmp_path):
    """A project whose provider keeps buckets in files, with a bucket that no stack knows and a plugin in an archive."""
    cli = Cli(tmp_path)
    (cli.project / "__main__.py").write_text(
        'import pulumi\nclass Group(pulumi.ComponentResource):\n    def __init__(self):\n'
        '        super().__init__("demo:index:Group", "g", {})\nGroup()\npulumi.export("url", "http://example.com")\n')
    (cli.project / "Pulumi.yaml").write_text(
        "name: shop\nruntime: python\nplugins:\n  providers:\n    - name: aws\n      path: ../plugins/aws\n")
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "aws").symlink_to(PROGRAMS / "things")
    (cli.project / "things").mkdir()
    (cli.project / "things" / "archive-1.json").write_text(json.dumps({"value": "there already"}))
    (cli.project / "shapes.json").write_text(json.dumps(
        {"name": "shapes", "version": "1.0.0", "resources": {"shapes:index:Bucket": {}}}))
    program = tmp_path / "pulumi-resource-random"
    for path in (program, cli.project / "pulumi-tool-lint"):
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    with tarfile.open(cli.project / "random.tar.gz", "w:gz") as archive:
        archive.add(program, program.name)
    return cli


def test_every_command_has_an_example_that_works(cli):
    shown = {command: examples_of(cli, command) for command in commands(cli)}
    assert len(shown) > 40
    assert {command for command, lines in shown.items() if not lines} == WITHOUT
    from_source = [line for lines in shown.values() for line in lines]
    for line in ordered(from_source):
        if line in INSTALLS or line.startswith(RUN_ELSEWHERE):
            continue
        if line in IN_A_TERMINAL:
            screen = Screen([str(cli.command.path), *shlex.split(line)], cli.project, cli.env | {"EDITOR": "true"})
            assert screen.finish() == 0, screen.text()
            continue
        # Standard input holds the new passphrase, for the commands that ask for one.
        run = cli(*shlex.split(line), ok=False, stdin="kingpost-test\n" * 2)
        assert run.returncode == 0, f"kingpost {line}\n{run.stdout}\n{run.stderr}"


def ordered(lines):
    """The examples in the order of the table in cpp/cli/command_examples.cc."""
    table = (REPOSITORY / "cpp" / "cli" / "command_examples.cc").read_text()
    order = re.findall(r'\{"[^"]*",\s*"([^"]*)"', table)
    assert sorted(order) == sorted(lines), "an example belongs to no command"
    return order
