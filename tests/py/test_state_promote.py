# SPDX-License-Identifier: Apache-2.0
"""`state promote`: a snippet of the state becomes code of the program, which changes nothing when it is pasted there."""

import json

import pytest

from harness import shapes
from harness.cobol import with_cobol
from harness.screens import ENTER, Screen
from harness.shape_sdks import python_sdk
from test_import_code import project

ID = "3fa85f64-5717-4562-b3fc-2c963f66afa6"
NAMES = {"Text": "shapes:index:Text", "Nested": "shapes:index:Nested"}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The deployment of a stack with two imported resources."""
    site = project(tmp_path_factory.mktemp("imported"), "python", shapes.world())
    wanted = [entry for entry in shapes.import_file()["resources"] if entry["name"] in NAMES]
    (site.project / "import.json").write_text(json.dumps({"resources": wanted}))
    site.operate("import", "--file", "import.json", "--generate-code=false", "--protect=false")
    return json.dumps(site.state().document["deployment"])


@pytest.fixture
def with_snippet(tmp_path, recorded):
    """Makes that stack, with a snippet called `text` that registers its first resource."""
    def make(runtime="python", references=None, code='text = "plain"\n', **more):
        site = project(tmp_path, runtime, shapes.world())
        deployment = json.loads(recorded)
        for resource in deployment["resources"]:
            if resource["type"] == "shapes:index:Text":
                resource["snippetID"] = ID
        snippet = {"uuid": ID, "name": "text", "type": "shapes:index:Text", "code": '__logicalName = "Text"\n' + code,
                   "descriptor": {"name": "shapes"}, "references": references or {}}
        deployment["snippets"] = [snippet | more, {"uuid": "other", "name": "other", "type": "shapes:index:Text", "code": "",
                                                   "descriptor": {"name": "shapes"}}]
        restore(site, deployment)
        return site
    return make


def restore(site, deployment):
    (site.project / "state.json").write_text(json.dumps({"version": 3, "deployment": deployment}))
    site.run("stack", "import", "--file", "state.json", "--stack", "dev")


def recorded_urn(recorded, kind):
    return next(row["urn"] for row in json.loads(recorded)["resources"] if row["type"] == kind)


def urn_of(site, kind):
    [urn] = [urn for urn in site.state().resources if f"::{kind}::" in urn]
    return urn


def snippets(site):
    return [snippet["name"] for snippet in site.state().document["deployment"].get("snippets", [])]


def test_the_code_of_a_snippet_changes_nothing_in_the_program(with_snippet):
    site = with_snippet()
    out = site.run("state", "promote", "text", "--stack", "dev", "--yes").out
    assert out.startswith('Generated code for snippet "text":\n\n__main__.py\n===========\nimport pulumi\n')
    assert out.endswith('\nSnippet "text" promoted from state; 1 resource(s) retained\n')
    assert snippets(site) == ["other"]
    recorded = site.state().resources[urn_of(site, "shapes:index:Text")]
    assert recorded["protect"] is True and "snippetID" not in recorded
    assert "protect" not in site.state().resources[urn_of(site, "shapes:index:Nested")]

    code = out.partition("===========\n")[2].partition('\nSnippet "text"')[0]
    restore(site, site.state().document["deployment"] | {"snippets": []})
    (site.project / "__main__.py").write_text(code)
    python_sdk(site.project)
    assert site.preview("--target", urn_of(site, "shapes:index:Text"), "--expect-no-changes").changed() == {}


def test_references_of_a_snippet_are_placeholders(with_snippet, recorded):
    other = recorded_urn(recorded, "shapes:index:Nested")
    site = with_snippet(references={"theRule": other}, code='text = theRule.id\n')
    out = site.run("state", "promote", "text", "--stack", "dev", "--yes").out
    assert f"# Placeholder for {other}; replace with the real resource reference in your program.\nthe_rule = " in out
    assert "text=the_rule.id" in out


@pytest.mark.parametrize("name, more, said", [
    ("nothing", {}, 'no snippet named "nothing" exists in the current state'),
    ("text", {"references": {"it": "nonsense"}}, 'snippet reference "it" has invalid URN "nonsense"'),
    ("text", {"code": "text = [for x in [1]: x]\n"}, "generate program: <snippet:text>:2,8: an expression that is computed"),
    ("text", {"type": "shapes:index:Missing"}, "generate program: bind snippet: <snippet:text>:1,1: unknown resource type"),
    ("other", {"name": "other"}, 'snippet name "other" is ambiguous'),
])
def test_a_snippet_that_cannot_be_promoted_stays(with_snippet, name, more, said):
    site = with_snippet(**more)
    before = site.state().document
    refused = site.run("state", "promote", name, "--stack", "dev", "--yes", code=1)
    assert said in refused.err
    assert site.state().document["deployment"] == before["deployment"]


def test_a_reference_to_what_another_snippet_registers_is_refused(with_snippet, recorded):
    urn = recorded_urn(recorded, "shapes:index:Text")
    site = with_snippet(references={"self": urn})
    refused = site.run("state", "promote", "text", "--stack", "dev", "--yes", code=1).err
    assert f'points to "{urn}", which was produced by snippet "{ID}"; pulumi state promote does not yet support' in refused


def test_another_language_is_written_by_its_plugin(with_snippet):
    site = with_snippet(runtime="cobol")
    with_cobol(site)
    out = site.run("state", "promote", "text", "--stack", "dev", "--yes").out
    assert "\n\nmain.cob\n========\n* shapes\nresource \"text\" \"shapes:index:Text\" {\n" in out


def test_the_question_can_be_declined(with_snippet):
    site = with_snippet()
    screen = Screen([str(site.command.path), "state", "promote", "text", "--stack", "dev"], site.project, site.environment())
    screen.wait_for("Type 'yes' to go on:")
    screen.send("no" + ENTER)
    assert screen.finish() != 0
    assert snippets(site) == ["text", "other"]


def test_outside_of_a_project_there_is_no_language(with_snippet):
    site = with_snippet()
    (site.project / "Pulumi.yaml").unlink()
    refused = site.run("state", "promote", "text", "--stack", "organization/site/dev", code=1).err
    assert "pulumi state promote must be run from a Pulumi project" in refused
