# SPDX-License-Identifier: Apache-2.0
"""The code that `import` writes: run as the stack's program, it changes nothing."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from harness import Command, Workspace, peer_or_skip, shapes
from harness.cobol import with_cobol
from harness.commands import PROGRAMS, node_modules
from harness.shape_sdks import node_sdk, python_sdk

HIDDEN = ["hidden", "0.25"]


def project(folder, runtime: object, world: dict) -> Workspace:
    folder.mkdir(exist_ok=True)
    site = folder / "project"
    site.mkdir()
    settings = {"name": "site", "runtime": runtime,
                "plugins": {"providers": [{"name": "shapes", "path": str(PROGRAMS / "shapes")}]}}
    (site / "Pulumi.yaml").write_text(json.dumps(settings))
    (site / "shapes.json").write_text(json.dumps(world))
    (site / "file.txt").write_text("a file\n")
    return Workspace(folder, Command.kingpost(), env={"SHAPES_WORLD": str(site / "shapes.json")})


def imported(site: Workspace, out: str, *more: str, file: dict | None = None) -> str:
    (site.project / "import.json").write_text(json.dumps(file or shapes.import_file()))
    site.operate("import", "--file", "import.json", "--out", out, *more)
    return (site.project / out).read_text(encoding="utf-8")


def check_secrets(site: Workspace, code: str) -> None:
    for word in HIDDEN:
        assert word not in code
        assert word not in (site.project / "Pulumi.dev.yaml").read_text()
    settings = json.loads(site.run("config", "--json", "--show-secrets", "--stack", "dev").out)
    assert settings["site:secretPassword"] == {"value": "hidden word", "secret": True}


def check_unchanged(site: Workspace, *more: str) -> None:
    """A preview finds no changes, and the program declares everything that is recorded."""
    result = site.preview("--expect-no-changes", *more)
    declared = {urn for urn, ops in result.steps.items() if ops == ["same"]}
    recorded = {urn for urn in site.state().resources if "::default" not in urn}
    assert result.changed() == {} and declared >= recorded


def test_python_code_changes_nothing(tmp_path):
    site = project(tmp_path, "python", shapes.world())
    code = imported(site, "__main__.py")
    python_sdk(site.project)
    check_unchanged(site)
    check_secrets(site, code)


def test_the_code_of_a_preview_imports_what_was_previewed(tmp_path):
    site = project(tmp_path, "python", shapes.world())
    (site.project / "import.json").write_text(json.dumps(shapes.import_file()))
    settings = (site.project / "Pulumi.dev.yaml").read_text()
    before = site.state().document
    site.run("import", "--file", "import.json", "--preview-only", "--stack", "dev", "--out", "code.py")
    code = (site.project / "code.py").read_text()
    named = [resource["id"] for resource in shapes.import_file()["resources"] if resource.get("id")]
    assert 'import_="far-id"' in code and len(re.findall(r'import_=("|\').*\1, protect=True', code)) == len(named)
    assert site.state().document == before
    assert (site.project / "Pulumi.dev.yaml").read_text() == settings


def test_typescript_code_changes_nothing(tmp_path):
    site = project(tmp_path, "nodejs", shapes.world())
    (site.project / "package.json").write_text('{"name": "site", "main": "index.ts"}')
    (site.project / "tsconfig.json").write_text(
        '{"compilerOptions": {"strict": true, "target": "es2019", "module": "commonjs", "moduleResolution": "node"}}')
    code = imported(site, "index.ts")
    node_sdk(site.project, node_modules())
    check_unchanged(site)
    check_secrets(site, code)


def as_yaml(site: Workspace) -> None:
    """Makes the project a Python one, whose program does what program.yaml says."""
    shutil.copy(Path(__file__).parent / "harness" / "yaml_program.py", site.project / "__main__.py")
    settings = json.loads((site.project / "Pulumi.yaml").read_text()) | {"runtime": "python"}
    (site.project / "Pulumi.yaml").write_text(json.dumps(settings))


def test_yaml_code_changes_nothing(tmp_path):
    site = project(tmp_path, "yaml", shapes.world())
    code = imported(site, "program.yaml")
    as_yaml(site)
    check_unchanged(site)
    check_secrets(site, code)


TEXT = next(s for s in shapes.SHAPES if s.name == "Text")
SECRET = next(s for s in shapes.SHAPES if s.name == "Secret")


def small(tmp_path, runtime: object = "python", **world) -> Workspace:
    return project(tmp_path, runtime, shapes.world() | world)


def test_javascript_code_changes_nothing(tmp_path):
    site = small(tmp_path, "nodejs")
    (site.project / "package.json").write_text('{"name": "site"}')
    (site.project / "index.js").write_text("")
    imported(site, "index.js")
    node_sdk(site.project, node_modules())
    check_unchanged(site)


def test_the_reference_finds_nothing_to_change_either(tmp_path):
    peer = peer_or_skip()
    site = small(tmp_path)
    imported(site, "__main__.py")
    python_sdk(site.project)
    check_unchanged(site.with_command(peer))


def test_one_resource_is_printed(tmp_path):
    site = small(tmp_path)
    out = site.operate("import", TEXT.type, "my-text", TEXT.id).out
    assert out.endswith("""
The imported resources are protected: before they can be deleted, take the option `protect` away and run an update.

import pulumi
import pulumi_shapes as shapes

my_text = shapes.Text("my-text", text="plain", opts=pulumi.ResourceOptions(protect=True))
""")
    again = site.operate("import", TEXT.type, "open", TEXT.id, "--protect=false").out
    assert again.endswith('deletes what was imported, or fails because it is protected.\n\nimport pulumi\n'
                          'import pulumi_shapes as shapes\n\nopen = shapes.Text("open", text="plain")\n')


def test_json_stays_json(tmp_path):
    site = small(tmp_path)
    out = site.operate("import", TEXT.type, "text", TEXT.id, "--json", "--out", "code.py").out
    assert [json.loads(line) for line in out.split("\n") if line]
    assert "shapes.Text" in (site.project / "code.py").read_text()


def test_code_that_nobody_wants_is_not_written(tmp_path):
    site = small(tmp_path)
    result = site.operate("import", SECRET.type, "s", SECRET.id, "--generate-code=false", "--out", "code.py")
    assert "pulumi_shapes" not in result.out and not (site.project / "code.py").exists()
    assert "--generate-code is false" in result.err
    assert "sPassword" not in (site.project / "Pulumi.dev.yaml").read_text()


def test_a_preview_prints_the_code_that_imports(tmp_path):
    site = small(tmp_path)
    result = site.operate("import", TEXT.type, "text", TEXT.id, "--preview-only")
    assert f'opts=pulumi.ResourceOptions(import_="{TEXT.id}", protect=True)' in result.out
    assert "Nothing was imported" in result.out
    code = site.operate("import", TEXT.type, "text", TEXT.id, "--yes").out
    assert "import_" not in code and "protect=True" in code


def test_a_preview_keeps_no_settings_and_says_which_are_needed(tmp_path):
    site = small(tmp_path)
    result = site.operate("import", SECRET.type, "s", SECRET.id, "--preview-only")
    assert "sPassword" in result.out and "config set --secret" in result.err
    assert "sPassword" not in (site.project / "Pulumi.dev.yaml").read_text()


def test_names_of_the_file_are_variables(tmp_path):
    site = small(tmp_path)
    vpc = next(s for s in shapes.SHAPES if s.name == "main")
    site.operate("import", vpc.type, "main", vpc.id)
    parent = next(u for u in site.state().resources if u.endswith("::main"))
    code = imported(site, "code.py", file={"nameTable": {"theNetwork": parent}, "resources": [
        {"type": TEXT.type, "name": "someText", "logicalName": "text.1", "id": TEXT.id, "parent": "theNetwork"}]})
    assert code.endswith('some_text = shapes.Text(\n    "text.1",\n    text="plain",\n'
                         '    opts=pulumi.ResourceOptions(parent=theNetwork, protect=True),\n)\n')


def test_resources_imported_before_a_failure_have_code(tmp_path):
    site = small(tmp_path)
    file = {"resources": [{"type": TEXT.type, "name": "good", "id": TEXT.id}, {"type": TEXT.type, "name": "lost", "id": "lost"}]}
    (site.project / "import.json").write_text(json.dumps(file))
    result = site.operate("import", "--file", "import.json", "--parallel", "1", "--out", "code.py", check=False)
    code = (site.project / "code.py").read_text()
    assert result.code == 1 and "lost" not in code and ('"good"' in code) == ("good" in site.state().names)


def test_without_a_schema_names_are_guessed(tmp_path):
    site = small(tmp_path)
    world = {k: v for k, v in shapes.world().items() if k != "schema"}
    (site.project / "shapes.json").write_text(json.dumps(world))
    bucket = next(s for s in shapes.SHAPES if s.type == "shapes:s3/bucket:Bucket")
    result = site.operate("import", bucket.type, "logs", bucket.id)
    assert "no schema of the package 'shapes'" in result.err
    assert 'logs = shapes.s3.Bucket(\n    "logs",\n    acl="private",\n' in result.out


def test_a_runtime_without_a_writer_is_told(tmp_path):
    site = small(tmp_path, "cobol")
    result = site.operate("import", TEXT.type, "text", TEXT.id, "--out", "code.txt")
    assert "no code is generated for programs of the runtime 'cobol'" in result.err
    assert (site.project / "code.txt").read_text() == ""


def test_the_plugin_of_another_language_writes_the_code(tmp_path):
    site = small(tmp_path, "cobol")
    with_cobol(site)
    site.operate("import", SECRET.type, "safe", SECRET.id, "--out", "main.cob")
    assert (site.project / "main.cob").read_text() == """\
* shapes
config safePassword "string" {
}

resource safe "shapes:index:Secret" {
    password = secret(safePassword)
    options {
        protect = true
    }
}
"""
    result = site.operate("import", TEXT.type, "refused", TEXT.id)
    assert "the resources are imported, but their code is not written: no code is generated: no such program" in result.err


def test_the_recorded_state_becomes_code(tmp_path):
    """The whole record, with the provider and its secrets, although the settings are gone."""
    site = small(tmp_path)
    imported(site, "first.py")
    text = site.state().resources
    (site.project / "Pulumi.dev.yaml").write_text(
        "\n".join((site.project / "Pulumi.dev.yaml").read_text().split("\n")[:1]) + "\n")
    site.run("import", "--from-state", "--stack", "dev", "--out", "__main__.py")
    assert (site.project / "__main__.py").read_text().startswith("import pulumi\n")
    assert site.state().resources == text
    python_sdk(site.project)
    check_unchanged(site)


def test_chosen_resources_become_code(tmp_path):
    site = small(tmp_path)
    imported(site, "first.py", "--protect=false")
    urn = {u.rsplit("::", 1)[1]: u for u in site.state().resources}
    out = site.run("import", "--from-state", urn["subnet"], urn["far"], "--stack", "dev").out
    assert out == """import pulumi
import pulumi_shapes as shapes

subnet = shapes.net.Subnet("subnet", tags={"vpc": "vpc-1"}, vpc_arns=["arn:vpc-1"], vpc_id="vpc-1")

far = shapes.Text("far", text="far", opts=pulumi.ResourceOptions(provider=elsewhere))
"""
    wrong = site.run("import", "--from-state", "urn:pulumi:dev::site::a:b:C::none", "--stack", "dev", check=False)
    assert wrong.code != 0 and "the state has no resource urn:pulumi:dev::site::a:b:C::none that a program can declare" in wrong.err
    mixed = site.run("import", "--from-state", "--file", "import.json", "--stack", "dev", check=False)
    assert mixed.code != 0 and "--from-state imports nothing" in mixed.err
