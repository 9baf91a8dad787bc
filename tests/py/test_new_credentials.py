# SPDX-License-Identifier: Apache-2.0
"""`new` checks credentials with the providers that ask for it."""

import json
import re

import pytest

from harness import PROGRAMS
from harness.new_folder import folder  # noqa: F401 - a fixture
from harness.screens import Screen


@pytest.fixture
def cautious(folder):
    """A template for a provider whose schema asks `new` to validate its credentials."""
    def make(**world):
        schema = {"name": "shapes", "version": "1.0.0", "displayName": "Shapes", "resources": {},
                  "validateCredentialsOnNew": True, "configurationDocsUrl": "https://example.com/shapes/"}
        (folder.root / "world.json").write_text(json.dumps({"schema": schema | world.pop("schema", {}), "things": {}} | world))
        folder.env["SHAPES_WORLD"] = str(folder.root / "world.json")
        manifest = ("name: ${PROJECT}\ndescription: ${DESCRIPTION}\nruntime: yaml\nplugins:\n  providers:\n    - name: shapes\n"
                    f"      path: {PROGRAMS / 'shapes'}\nresources:\n  provider:\n    type: pulumi:providers:shapes\n"
                    "template:\n  config:\n    shapes:region:\n      default: here\n    shapes:token:\n      secret: true\n"
                    "      default: hidden-token\n")
        folder.template(manifest=manifest)
        (folder.root / "tpl" / "__main__.py").unlink()
    return make


def said_by_new(folder, *more, **env):
    screen = Screen([str(folder.command.path), "new", "./tpl", "--dir", "app", "--yes", *more], folder.root, folder.env | env,
                    columns=120)
    assert screen.finish() == 0, screen.text()
    return screen.text()


def test_a_provider_that_wants_it_is_asked_whether_it_takes_the_credentials(folder, cautious):
    told = folder.root / "configured.json"
    cautious(configured=str(told), refuses={"configure": "no credentials:\nlog in first"})
    text = said_by_new(folder)
    assert re.search(r"warning: Could not validate your Shapes credentials:\n    no credentials:\n    log in first\n"
                     r"For help configuring the Shapes provider, see https://example.com/shapes/\n"
                     r"`pulumi up` may fail until this is resolved.\n", text), text
    assert "Your new project is ready to go!" in text
    configured = json.loads(told.read_text())
    assert configured == {"urn": "urn:pulumi:dev::default::pulumi:providers:shapes::default", "id": "preflight",
                          "region": "here"}


def test_problems_of_a_providers_settings_are_named(folder, cautious):
    cautious(refuses={"check": {"region": "no such region; see https://example.com/shapes/#regions"}})
    text = said_by_new(folder)
    assert ("warning: The Shapes provider reported problems with its configuration:\n"
            "    region: no such region; see https://example.com/shapes/#regions\n`pulumi up` may fail") in text
    assert "For help" not in text


@pytest.mark.parametrize("more, world, env", [
    ([], {}, {}),  # it accepts the credentials
    ([], {"schema": {"validateCredentialsOnNew": False}, "refuses": {"configure": "no"}}, {}),
    (["--offline"], {"refuses": {"configure": "no"}}, {}),
    (["--generate-only"], {"refuses": {"configure": "no"}}, {}),
    ([], {"refuses": {"configure": "no"}}, {"PULUMI_SKIP_NEW_CREDENTIALS_CHECK": "true"}),
])
def test_nobody_is_asked_who_does_not_want_to_be(folder, cautious, more, world, env):
    cautious(**world)
    assert "credentials" not in said_by_new(folder, *more, **env)


def test_without_a_terminal_nothing_is_checked(folder, cautious):
    cautious(refuses={"configure": "no"})
    made = folder("new", "./tpl", "--dir", "app", "--yes")
    assert "credentials" not in made.stdout + made.stderr
