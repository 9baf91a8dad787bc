"""The examples that --help shows, run one after the other as they stand there."""

import re

import pytest

from test_cli_stacks import Cli

# These need more than a small project: another stack, resources of a kind, an editor, plugins from the network.
WITHOUT = {"import", "config cp", "state delete", "state taint", "state untaint", "state rename", "state move",
           "state edit", "plugin rm", "plugin install", "stack history events", "state recover"}


def commands(cli):
    listing = cli("--help").stdout
    return re.findall(r"^  (\S+(?: \S+)*)  +\S", listing, re.MULTILINE)


def examples_of(cli, command):
    text = cli(*command.split(), "--help").stdout.partition("\nExamples:\n")[2]
    return re.findall(r"^  kingpost (.*)$", text, re.MULTILINE)


@pytest.fixture
def cli(tmp_path):
    cli = Cli(tmp_path)
    (cli.project / "__main__.py").write_text(
        'import pulumi\nclass Group(pulumi.ComponentResource):\n    def __init__(self):\n'
        '        super().__init__("demo:index:Group", "g", {})\nGroup()\npulumi.export("url", "http://example.com")\n')
    return cli


def test_every_command_has_an_example_that_works(cli):
    shown = {command: examples_of(cli, command) for command in commands(cli)}
    assert len(shown) > 40
    assert {command for command, lines in shown.items() if not lines} <= WITHOUT
    from_source = [line for lines in shown.values() for line in lines]
    for line in ordered(from_source):
        run = cli(*line.split(), ok=False, stdin="kingpost-test\n" * 2)  # the new passphrase, where one is asked for
        assert run.returncode == 0, f"kingpost {line}\n{run.stdout}\n{run.stderr}"


def ordered(lines):
    """As the table in cpp/cli/command_examples.cc has them."""
    from harness.commands import REPOSITORY
    table = (REPOSITORY / "cpp" / "cli" / "command_examples.cc").read_text()
    order = [entry.replace('"\n', '"') for entry in re.findall(r'\{"[^"]*",\s*"([^"]*)"', table)]
    assert sorted(order) == sorted(lines), "an example belongs to no command"
    return order
