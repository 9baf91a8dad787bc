# SPDX-License-Identifier: Apache-2.0
"""Packages that extend another one, with the newest SDK: the provider that was given for the base package serves them."""

import textwrap

from harness import Command, Workspace
from harness.commands import PROGRAMS

PROGRAM = """
import base64
import pulumi
from pulumi.runtime import settings


class Shapes(pulumi.ProviderResource):
    def __init__(self, name):
        super().__init__("shapes", name, {})


class Greeter(pulumi.CustomResource):
    greeting: pulumi.Output[str]

    def __init__(self, name, opts):
        parameter = base64.b64encode(b"hello 2.0.0 Good day").decode()
        super().__init__("hello:index:Greeter", name, {"who": "you", "greeting": None}, opts,
                         package_ref=settings.register_package("shapes", "1.2.3", "", "hello", "2.0.0", parameter,
                                                               extension=True))


given = Shapes("given")
group = pulumi.ComponentResource("my:index:Group", "group", {}, pulumi.ResourceOptions(providers=[given]))
below = Greeter("below", pulumi.ResourceOptions(parent=group))
pulumi.export("greeting", below.greeting)
pulumi.export("alone", Greeter("alone", pulumi.ResourceOptions()).greeting)
"""


def test_an_extension_is_served_by_the_provider_that_was_given_for_its_base(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "Pulumi.yaml").write_text(textwrap.dedent(f"""\
        name: site
        runtime: python
        plugins:
          providers:
            - name: shapes
              path: {PROGRAMS / 'geometry'}
        """))
    (project / "__main__.py").write_text(PROGRAM)
    ws = Workspace(tmp_path, Command.kingpost())
    ws.up()
    state = ws.state()
    assert state.named("below")["provider"].startswith("urn:pulumi:dev::site::pulumi:providers:shapes::given::")
    assert "pulumi:providers:shapes::default" in state.named("alone")["provider"]
    assert state.named("below")["outputs"]["greeting"] == state.named("alone")["outputs"]["greeting"] == "Good day, you"
    assert state.named("below")["extensionRef"] == state.named("alone")["extensionRef"]
    assert ws.up("--expect-no-changes").changed() == {}
    ws.destroy()
    assert ws.state().rows == []
