# SPDX-License-Identifier: Apache-2.0
"""The newest SDK's output values, and its questions about unregistered resources: with the real SDK and a provider."""

from harness import Command
from harness.rules import configure, rules_workspace, seed_thing, things_log


def dependencies_of(ws, name):
    row = ws.state().named(name)
    apart = {key: [urn.rsplit("::", 1)[1] for urn in urns] for key, urns in row["propertyDependencies"].items() if urns}
    return sorted(urn.rsplit("::", 1)[1] for urn in row["dependencies"]), apart


def test_each_input_depends_on_what_it_was_made_of_also_through_a_function(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "carried")
    configure(ws, step=1)
    ws.up()
    assert dependencies_of(ws, "told") == (["first", "second"], {"value": ["first"]})
    # This provider does not support output values, so its answer depends on all its inputs.
    assert dependencies_of(ws, "greeted") == (["first"], {"value": ["first"]})
    assert ws.state().named("greeted")["inputs"]["value"] == "Hello, first-1/plain"
    told = ws.state().named("told")["inputs"]["value"]
    assert told["deep"] == ["first-1/plain", "plain"]
    assert "ciphertext" in told["secret"]


def test_a_program_learns_whether_a_resource_exists_and_nothing_is_recorded_of_it(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "carried")
    configure(ws, step=1)
    previewed = ws.preview()
    assert "missing" in previewed.out
    ws.up()
    assert ws.outputs() == {"made": True, "missing": False}
    assert {row["urn"].rsplit("::", 1)[1] for row in ws.state().rows if "things:index:Thing" in row["urn"]} == {
        "first", "second", "told", "greeted"}
    assert not [line for line in things_log(ws) if "__exists__" in line]


def test_the_id_of_a_read_resource_is_known_in_a_preview(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "seen")
    (ws.project / "seen.py").write_text(
        'import pulumi\nfrom thing import Thing\n\n\ndef program(step):\n'
        '    pulumi.export("id", Thing("found", None, pulumi.ResourceOptions(id="found-1")).id)\n')
    seed_thing(ws, "found-1", '{"value": "found"}')
    previewed = ws.preview()
    (line,) = [line for line in previewed.out.splitlines() if line.split(":")[0].strip(" +") == "id"]
    assert line.split(":")[1].strip() == '"found-1"'
    ws.up()
    assert ws.outputs() == {"id": "found-1"}
