# SPDX-License-Identifier: Apache-2.0
"""Schemas of packages, the SDKs generated from them, and programs that use these SDKs and the core SDK alone."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from harness import Command, Workspace, peer_or_skip
from harness.cobol import with_cobol
from harness.commands import PROGRAMS, REPOSITORY, node_modules
from harness.patience import patience

DATA = REPOSITORY / "tests" / "data" / "packages"
PLUGIN = PROGRAMS / "geometry"
SIGNATURES = REPOSITORY / "tests" / "checks" / "sdk_signatures.py"

# The reference never writes the class that the first names. It writes the second as one that does not compile.
ONLY_HERE = {"FilterArgs", 'from "./deep/er"'}
ONLY_THERE = {'from "deep/er"'}


@pytest.fixture
def site(tmp_path):
    """A project whose provider answers for tests/data/packages/shapes.yaml; shapes.json is that file."""
    folder = tmp_path / "project"
    folder.mkdir()
    settings = {"name": "site", "runtime": "python", "plugins": {"providers": [{"name": "shapes", "path": str(PLUGIN)}]}}
    (folder / "Pulumi.yaml").write_text(json.dumps(settings))
    (folder / "shapes.json").write_text(json.dumps(yaml.safe_load((DATA / "shapes.yaml").read_text())))
    return Workspace(tmp_path, Command.kingpost())


def call(site: Workspace, *args: str, ok: bool = True, stdin: str = "") -> subprocess.CompletedProcess:
    run = subprocess.run([site.command.path, *args], cwd=site.project, env=site.environment(), input=stdin, text=True,
                         capture_output=True, timeout=patience(60))
    assert (run.returncode == 0) == ok, run.stdout + run.stderr
    return run


def lines(text: str) -> list[str]:
    return text.splitlines()


# ---- schemas -----------------------------------------------------------------------------------


def test_a_schema_has_one_form_wherever_it_comes_from(site):
    shutil.copy(DATA / "shapes.yaml", site.project)
    from_json = call(site, "package", "get-schema", "shapes.json").stdout
    # The order of language options in a YAML file is that of their names, so the texts may differ.
    assert json.loads(call(site, "package", "get-schema", "shapes.yaml").stdout) == json.loads(from_json)
    assert call(site, "package", "get-schema", "shapes").stdout == from_json
    assert call(site, "package", "get-schema", str(PLUGIN)).stdout == from_json
    (site.project / "again.json").write_text(from_json)
    assert call(site, "package", "get-schema", "again.json").stdout == from_json
    assert list(json.loads(from_json))[:3] == ["name", "displayName", "version"]


def test_a_schema_is_printed_as_the_reference_prints_it(site):
    peer = peer_or_skip()
    theirs = subprocess.run([peer.path, "package", "get-schema", "shapes.json"], cwd=site.project, check=True, text=True,
                            env=peer.environment(site.root) | site.environment(), capture_output=True).stdout
    assert call(site, "package", "get-schema", "shapes.json").stdout == theirs


def test_parameters_make_another_package(site):
    schema = json.loads(call(site, "package", "get-schema", str(PLUGIN), "--", "greet", "3.1.4", "Good day").stdout)
    assert (schema["name"], schema["version"]) == ("greet", "3.1.4")
    assert schema["parameterization"]["baseProvider"] == {"name": "shapes", "version": "1.2.3"}
    refused = call(site, "package", "get-schema", "shapes.json", "a", ok=False)
    assert "parameterization arguments are not supported for json files" in refused.stderr


def test_mappings(site):
    mapping = call(site, "package", "get-mapping", "terraform", "shapes")
    assert mapping.stdout == '{"mapped":"shapes"}' and "shapes maps to provider shapes" in mapping.stderr
    call(site, "package", "get-mapping", "terraform", "shapes", "--out", "mapping.json")
    assert (site.project / "mapping.json").read_text() == mapping.stdout
    assert 'no mapping found for key "other"' in call(site, "package", "get-mapping", "other", "shapes", ok=False).stderr


def test_info_tells_what_a_package_has(site):
    whole = call(site, "package", "info", "shapes.json").stdout
    assert "Total resources 30\n" in whole and "Modules: deep, functions, index, my-mod\n" in whole
    resource = call(site, "package", "info", "shapes.json", "--resource", "Scalars").stdout
    assert " - text (string*): A text. Of two lines.\n" in resource and "Inputs marked with '*' are required\n" in resource
    assert "import pulumi_shapes" not in resource and "See `shapes:index/Lists:Lists`." in resource
    function = call(site, "package", "info", "shapes.json", "--function", "getShape").stdout
    assert " - filters (Array<shapes:functions/Filter:Filter>)\n" in function
    assert " - getShape: Finds a shape.\n" in call(site, "package", "info", "shapes.json", "-m", "functions").stdout
    assert 'resource "Nobody" not found' in call(site, "package", "info", "shapes.json", "-r", "Nobody", ok=False).stderr


def schema(**parts) -> dict:
    return {"name": "t", "version": "1.0.0", **parts}


def resource(**parts) -> dict:
    return schema(resources={"t:index:A": parts})


BROKEN = [
    (schema(name=""), "#/name: no name provided"),
    (schema(name="pulumi"), "#/name: invalid package name 'pulumi' (package names 'pulumi' and 'input' are reserved)"),
    (schema(version="one"), "#/version: failed to parse semver: 'one'"),
    (schema(meta={"moduleFormat": "("}), "#/meta/moduleFormat: failed to compile regex"),
    (schema(resources={"t:A": {}}), "#/resources/t:A: invalid token 't:A' (should have three parts)"),
    (schema(resources={"u:index:A": {}}), "#/resources/u:index:A: invalid token 'u:index:A' (must have package name 't')"),
    (schema(resources={"t:index:provider": {}}), "(provider is a reserved word for the root module)"),
    (schema(resources={"t:a:B": {}}, functions={"t:a:b": {}}), "#/resources/t:a:B: multiple tokens map to t:a:b"),
    (schema(resources={"t:index:A": {}, "t:a:B": {}}), "#/resources/t:index:A: token collides with module a"),
    (resource(properties={"a": {"type": 7}}), "#/resources/t:index:A/properties/a/type: expected a text, found a number"),
    (resource(properties={"a": {"type": "text"}}), "#/resources/t:index:A/properties/a/type: unknown type kind text"),
    (resource(properties={"a": {"type": "array"}}), "missing \"items\" property in array type spec"),
    (resource(properties={"a": {"$ref": "#/types/t:index:B"}}), "/a/$ref: type t:index:B not found in package t"),
    (resource(properties={"a": {"$ref": "#/resources/t:index:B"}}), "resource type t:index:B not found in package t"),
    (resource(properties={"a": {"$ref": "#/nothing"}}), "/a/$ref: invalid type reference '#/nothing'"),
    (resource(properties={"a": {"$ref": "/b/1/schema.json#/types/b:c:D"}}), "failed to parse path '/b/1/schema.json'"),
    (resource(properties={"a": {"oneOf": [{"type": "string"}]}}), "oneOf should list at least two types"),
    (resource(inputProperties={"a": {"type": "integer", "default": 1.5}}),
     "inputProperties/a/default: invalid constant of type float64 for integer default"),
    (resource(inputProperties={"a": {"type": "string", "const": 1}}),
     "inputProperties/a/const: invalid constant of type float64 for string constant"),
    (resource(inputProperties={"a": {"type": "string", "defaultInfo": {}}}), "Default must specify an environment"),
    (resource(requiredInputs=["a"]), '#/resources/t:index:A/requiredInputs/0: unknown required property "a"'),
    (resource(properties={"pulumi": {"type": "string"}}), "pulumi is a reserved property name"),
    (resource(properties={"urn": {"type": "string"}}), "Warning: #/resources/t:index:A/properties/urn: urn is a reserved"),
    (resource(plainInputs=["a"]), "#/resources/t:index:A/plainInputs: plainInputs has been removed"),
    (resource(stateInputs={"properties": {"id": {"type": "string"}}}), "id is a reserved property name for stateInputs"),
    (resource(methods={"m": "t:index:A/m"}), "#/resources/t:index:A/methods/m: unknown function t:index:A/m"),
    (schema(resources={"t:index:A": {"methods": {"m": "t:index:A/m"}}}, functions={"t:index:A/m": {}}),
     "function t:index:A/m has no __self__ parameter"),
    (schema(functions={"t:index:f": {"inputs": {"properties": {"a": {"type": "string"}}}, "multiArgumentInputs": ["b"]}}),
     'multiArgumentInputs[0] refers to non-existent property "b"'),
    (schema(types={"t:index:E": {"type": "string", "enum": [{"value": 1}]}}),
     "#/types/t:index:E/enum/0/value: invalid constant of type float64 for string enum"),
    (schema(types={"t:index:R": {"type": "object", "properties": {"r": {"$ref": "#/types/t:index:R"}}, "required": ["r"]}}),
     "object type has unsatisfiable required-property cycle: t:index:R -> t:index:R"),
    (schema(provider={"inputProperties": {"version": {"type": "string"}}}),
     "#/provider/properties/version: version is a reserved provider input property name"),
    (schema(parameterization={"baseProvider": {"name": "b", "version": "x"}, "parameter": ""}),
     '#/parameterization/baseProvider/version: invalid version "x"'),
]


@pytest.mark.parametrize(("document", "message"), BROKEN, ids=[message[:50] for _, message in BROKEN])
def test_what_is_wrong_with_a_schema_is_told(site, document, message):
    warns = message.startswith("Warning")
    checked = call(site, "schema", "check", "-", ok=warns, stdin=json.dumps(document))
    assert message in checked.stderr
    assert warns or "schema validation failed" in checked.stderr or "found a number" in checked.stderr


def test_a_good_schema_passes_and_dangling_references_may(site):
    assert call(site, "schema", "check", "shapes.json").stderr == ""
    dangling = json.dumps(resource(properties={"a": {"$ref": "#/types/t:index:B"}}))
    call(site, "schema", "check", "-", ok=False, stdin=dangling)
    call(site, "schema", "check", "-", "--allow-dangling-references", stdin=dangling)


def test_what_only_a_registry_can_do_says_so(site):
    for verb in ("delete", "remove", "publish", "new"):
        refused = call(site, "package", verb, "a/b/c@1.0.0", ok=False)
        assert f"'package {verb}' is not available" in refused.stderr


# ---- SDKs --------------------------------------------------------------------------------------


def signatures(language: str, folder: Path) -> list[str]:
    run = subprocess.run([sys.executable, SIGNATURES, language, folder], check=True, capture_output=True, text=True)
    return lines(run.stdout)


def check_signatures(language: str, folder: Path) -> None:
    recorded = lines((DATA / f"shapes.{language}.txt").read_text())
    diff = [line for line in difflib.unified_diff(recorded, signatures(language, folder), n=0, lineterm="")
            if line[0] in "+-" and line[:3] not in ("+++", "---")]
    left = [line for line in diff if not any(word in line for word in (ONLY_HERE if line[0] == "+" else ONLY_THERE))]
    assert left == []


def python_sdk(site: Workspace) -> None:
    """Puts the SDK beside the program, as pip would install it."""
    call(site, "package", "gen-sdk", "shapes", "--language", "python", "--out", "sdk")
    shutil.copytree(site.project / "sdk" / "python" / "pulumi_shapes", site.project / "pulumi_shapes")
    installed = site.project / "pulumi_shapes-1.2.3.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: pulumi_shapes\nVersion: 1.2.3\n")


def test_the_python_sdk_has_the_names_and_signatures_of_the_reference(site):
    call(site, "package", "gen-sdk", "shapes.json", "--language", "python", "--out", "sdk")
    check_signatures("python", site.project / "sdk" / "python")


def test_a_python_program_uses_all_of_the_sdk(site):
    python_sdk(site)
    shutil.copy(PROGRAMS / "geometry_user" / "__main__.py", site.project)
    site.run("config", "set", "shapes:region", "south")
    result = site.up()
    outputs = json.loads(site.run("stack", "output", "--json", "--show-secrets").out)
    assert outputs.pop("password") == "hidden word" and outputs.pop("answered") == "hidden word"
    assert set(outputs.values()) == {True}
    assert len(site.state().resources) == 36
    for folder in (site.root / "state").rglob("*.json"):
        assert "hidden" not in folder.read_text().replace('"hidden":', "")
    assert "Deprecated is deprecated" in result.out + result.err
    assert site.preview("--expect-no-changes").changed() == {}


def compiler() -> str:
    found = os.environ.get("KINGPOST_TSC") or shutil.which("tsc")
    if not found:
        pytest.skip("no TypeScript compiler: neither KINGPOST_TSC names one, nor is tsc on PATH")
    return found


@pytest.mark.parametrize("language, names", [
    ("python", {"language": {"python": {"packageName": "../../../elsewhere"}}}),
    ("python", {"resources": {"evil:mod:Res": {}}, "language": {"python": {"moduleNameOverrides": {"mod": "../../../elsewhere"}}}}),
    ("nodejs", {"resources": {"evil:../../../elsewhere:Res": {}}}),
    ("nodejs", {"resources": {"evil:mod:Res": {}}, "language": {"nodejs": {"moduleToPackage": {"mod": "../../../elsewhere"}}}}),
])
def test_a_schema_writes_nothing_outside_of_the_folder_of_its_sdk(site, language, names):
    (site.project / "evil.json").write_text(json.dumps({"name": "evil", "version": "1.0.0"} | names))
    before = set(site.root.rglob("*elsewhere*"))
    refused = call(site, "package", "gen-sdk", "evil.json", "--language", language, "--out", "a/b/sdk", ok=False)
    assert "would lie outside of the SDK's folder" in refused.stderr
    assert set(site.root.rglob("*elsewhere*")) == before


def test_the_typescript_sdk_compiles_and_has_the_signatures_of_the_reference(site):
    tsc = compiler()
    call(site, "package", "gen-sdk", "shapes.json", "--language", "typescript", "--out", "sdk")
    sdk = site.project / "sdk" / "nodejs"
    (sdk / "node_modules").symlink_to(node_modules())
    compiled = subprocess.run([tsc], cwd=sdk, capture_output=True, text=True, timeout=patience(120))
    assert compiled.stdout == ""
    check_signatures("typescript", sdk / "bin")


def node_project(site: Workspace, tsc: str) -> None:
    """Installs the compiled SDK for a program, and compiles the program against it."""
    call(site, "package", "gen-sdk", "shapes", "--language", "nodejs", "--out", "sdk")
    settings = json.loads((site.project / "Pulumi.yaml").read_text()) | {"runtime": "nodejs"}
    (site.project / "Pulumi.yaml").write_text(json.dumps(settings))
    modules = site.project / "node_modules"
    (modules / "@pulumi").mkdir(parents=True)
    for package in node_modules().iterdir():
        if package.name != "@pulumi":
            (modules / package.name).symlink_to(package)
    # The SDK is copied: a package behind a link would look for others beside the place to which the link leads.
    (modules / "@pulumi" / "pulumi").symlink_to(node_modules() / "@pulumi" / "pulumi")
    sdk = site.project / "sdk" / "nodejs"
    subprocess.run([tsc], cwd=sdk, check=True, timeout=patience(120))
    shutil.copy(sdk / "package.json", sdk / "bin")
    shutil.copytree(sdk / "bin", modules / "@pulumi" / "shapes")
    shutil.copy(PROGRAMS / "geometry_user_node" / "index.ts", site.project)
    options = ["--strict", "--skipLibCheck", "--target", "es2022", "--module", "commonjs", "--moduleResolution", "node",
               "--types", "node"]
    compiled = subprocess.run([tsc, *options, "index.ts"], cwd=site.project, capture_output=True, text=True,
                              timeout=patience(120))
    assert compiled.stdout == ""
    (site.project / "index.ts").unlink()
    (site.project / "package.json").write_text('{"name": "site", "main": "index.js"}')


def test_a_node_program_uses_all_of_the_sdk(site):
    node_project(site, compiler())
    site.run("config", "set", "shapes:region", "south")
    site.up()
    outputs = json.loads(site.run("stack", "output", "--json", "--show-secrets").out)
    assert outputs.pop("password") == "hidden word" and outputs.pop("answered") == "hidden word"
    assert set(outputs.values()) == {True}
    assert site.preview("--expect-no-changes").changed() == {}


def test_the_typescript_sdk_is_written_without_a_compiler(site):
    call(site, "package", "gen-sdk", "shapes.json", "--language", "nodejs", "--out", "sdk", "--version", "4.5.6")
    sdk = site.project / "sdk" / "nodejs"
    description = json.loads((sdk / "package.json").read_text())
    assert (description["name"], description["version"]) == ("@pulumi/shapes", "4.5.6")
    assert description["pulumi"] == {"resource": True, "name": "shapes", "version": "4.5.6"}
    sources = json.loads((sdk / "tsconfig.json").read_text())["files"]
    assert sources == sorted(path.relative_to(sdk).as_posix() for path in sdk.rglob("*.ts"))
    assert 'import {Inner} from "./deep/er";' in (sdk / "refs.ts").read_text()


def test_overlays_become_part_of_an_sdk(site):
    overlay = site.project / "overlays" / "python"
    (overlay / "extra").mkdir(parents=True)
    (overlay / "extra" / "made.py").write_text("BY_HAND = True\n")
    call(site, "package", "gen-sdk", "shapes.json", "--language", "python", "--out", "sdk", "--overlays", "overlays")
    root = site.project / "sdk" / "python" / "pulumi_shapes"
    assert (root / "extra" / "made.py").read_text() == "BY_HAND = True\n"
    assert "from .made import *" in (root / "extra" / "__init__.py").read_text()


def test_other_languages_are_their_plugins_affair(site):
    refused = call(site, "package", "gen-sdk", "shapes.json", "--language", "cobol", ok=False)
    assert "cannot generate an SDK for cobol" in refused.stderr and "pulumi-language-cobol" in refused.stderr


def test_the_plugin_of_a_language_writes_its_sdk(site):
    with_cobol(site)
    (site.project / "more" / "cobol").mkdir(parents=True)
    (site.project / "more" / "cobol" / "extra.cob").write_text("STOP RUN.")
    made = call(site, "package", "gen-sdk", "shapes.json", "--language", "cobol", "--out", "sdk", "--overlays", "more", "--local")
    assert "warning: mind the gap" in made.stderr
    told = json.loads((site.project / "sdk" / "cobol" / "sdk.json").read_text())
    assert told == {"name": "shapes", "same": True, "local": True, "extra": {"extra.cob": "STOP RUN."}}
    (site.project / "refused.json").write_text('{"name": "refused"}')  # the SDK made before stays
    refused = call(site, "package", "gen-sdk", "refused.json", "--language", "cobol", "--out", "sdk", ok=False)
    assert "error: no such package" in refused.stderr and "generation failed" in refused.stderr
    assert [path.name for path in (site.project / "sdk").rglob("*")] == ["cobol", "sdk.json"]


def test_the_plugin_of_a_language_links_its_sdk(site):
    with_cobol(site)
    folder = site.root / "elsewhere"
    folder.mkdir()
    added = subprocess.run([site.command.path, "package", "add", site.project / "shapes.json", "--language", "cobol"],
                           cwd=folder, env=site.environment(), text=True, capture_output=True, timeout=patience(60))
    assert added.returncode == 0, added.stderr
    assert "COPY shapes FROM sdks/shapes\n" in added.stdout and (folder / "sdks" / "shapes" / "sdk.json").exists()


def test_an_sdk_that_nobody_can_make_anew_stays_as_it_is(site):
    settings = {"name": "site", "runtime": "cobol", "packages": {"shapes": "shapes"},
                "plugins": {"providers": [{"name": "shapes", "path": str(PLUGIN)}]}}
    (site.project / "Pulumi.yaml").write_text(json.dumps(settings))
    kept = site.project / "sdks" / "shapes" / "kept.cob"
    kept.parent.mkdir(parents=True)
    kept.write_text("STOP RUN.")
    installed = site.run("install", "--no-plugins", check=False)
    assert "package 'shapes' of the project: its SDK stays as it is" in installed.err
    assert [path.name for path in (site.project / "sdks").rglob("*")] == ["shapes", "kept.cob"]


# ---- package add -------------------------------------------------------------------------------


def yaml_project(site: Workspace, **resources: dict) -> None:
    settings = {"name": "site", "runtime": "yaml", "plugins": {"providers": [{"name": "shapes", "path": str(PLUGIN)}]},
                "resources": resources}
    (site.project / "Pulumi.yaml").write_text(yaml.safe_dump(settings, sort_keys=False))


GREET = """packageDeclarationVersion: 1
name: shapes
version: 1.2.3
parameterization:
    name: greet
    version: 3.1.4
    value: Z3JlZXQgMy4xLjQgR29vZCBkYXk=
"""


def test_a_parameterized_package_is_added_to_a_project_in_yaml(site):
    yaml_project(site, hello={"type": "greet:index:Greeter", "properties": {"who": "world"}})
    added = call(site, "package", "add", "shapes", "--", "greet", "3.1.4", "Good day")
    assert f"Successfully generated an SDK for the greet package at {site.project}/sdks\n" in added.stdout
    declared = site.project / "sdks" / "greet" / "greet-3.1.4.yaml"
    assert declared.read_text() == GREET and [*declared.parent.iterdir()] == [declared]
    recorded = yaml.safe_load((site.project / "Pulumi.yaml").read_text())["packages"]
    assert recorded == {"greet": {"source": "shapes", "parameters": ["greet", "3.1.4", "Good day"]}}
    before = site.preview()
    assert before.changed()["hello"] == ["create"], before.out

    shutil.rmtree(site.project / "sdks")  # as after a checkout
    call(site, "install", "--no-plugins")
    assert declared.read_text() == GREET
    site.up()
    assert site.state().named("hello")["outputs"]["greeting"] == "Good day, world"
    # Another version replaces the first: no program would use two.
    call(site, "package", "add", "shapes", "--", "greet", "3.2.0", "Good day")
    assert [file.name for file in declared.parent.iterdir()] == ["greet-3.2.0.yaml"]


def test_a_package_without_parameters_is_declared_in_yaml_with_its_version(site):
    yaml_project(site)
    call(site, "package", "add", "shapes")
    text = (site.project / "sdks" / "shapes" / "shapes-1.2.3.yaml").read_text()
    assert text == "packageDeclarationVersion: 1\nname: shapes\nversion: 1.2.3\n"
    made = call(site, "package", "gen-sdk", "shapes", "--language", "yaml", "--out", "sdk")
    assert "SDK has been written to sdk/yaml" in made.stderr
    assert (site.project / "sdk" / "yaml" / "shapes-1.2.3.yaml").read_text() == text
    (site.project / "more" / "yaml").mkdir(parents=True)
    (site.project / "more" / "yaml" / "extra.yaml").write_text("a: b\n")
    refused = call(site, "package", "gen-sdk", "shapes", "--language", "yaml", "--overlays", "more", ok=False)
    assert "overlays are not supported for YAML" in refused.stderr


def test_the_file_for_programs_in_yaml_is_the_one_that_the_reference_writes(site):
    peer = peer_or_skip()
    if not shutil.which("pulumi-language-yaml"):
        pytest.skip("pulumi-language-yaml is not on PATH")
    resources = {"hello": {"type": "greet:index:Greeter", "properties": {"who": "world"}}}
    (site.project / "Pulumi.yaml").write_text(json.dumps({"name": "site", "runtime": "yaml", "resources": resources}))
    # The plugin is a program: for a folder, the reference would need its host of Python to install dependencies.
    plugin = with_tool(site, "pulumi-resource-shapes", f'exec {sys.executable} {PLUGIN}/__main__.py "$@"')
    site.with_command(peer).run("package", "add", str(plugin), "--", "greet", "3.1.4", "Good day")
    declared = site.project / "sdks" / "greet" / "greet-3.1.4.yaml"
    assert declared.read_text() == GREET
    assert site.preview().changed()["hello"] == ["create"], "its folder serves a run of ours"
    shutil.rmtree(declared.parent)
    call(site, "package", "add", str(plugin), "--", "greet", "3.1.4", "Good day")
    assert declared.read_text() == GREET
    assert site.with_command(peer).preview().changed()["hello"] == ["create"], "and ours a run of the reference"



def with_tool(site: Workspace, name: str, script: str) -> Path:
    """Puts a script on PATH in place of a real tool."""
    tool = site.root / "bin" / name
    tool.parent.mkdir(exist_ok=True)
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    site.env["PATH"] = f"{tool.parent}:{os.environ['PATH']}"
    return tool


def with_pip(site: Workspace) -> None:
    """Replaces Python by a script that notes what it would install. Other tests cover the real one."""
    python = with_tool(site, "python3",
                       'case "$*" in *"-m venv"*) mkdir -p "${3}/bin"; cp "$0" "${3}/bin/python"; exit;; '
                       f'*"-m pip"*) echo "pip $*" >> "{site.root}/pip"; exit;; esac\nexec {sys.executable} "$@"')
    site.env["PULUMI_PYTHON_CMD"] = str(python)


def test_a_package_is_added_to_a_project(site):
    (site.project / "Pulumi.yaml").write_text(
        "name: site\n# stays\nruntime: {name: python, options: {virtualenv: venv}}\n"
        f"plugins:\n  providers:\n    - name: shapes\n      path: {PLUGIN}\n")
    with_pip(site)
    (site.project / "requirements.txt").write_text("pulumi>=3\npulumi-shapes>=1 # the published one\n")
    added = call(site, "package", "add", "shapes")
    assert "You can import the SDK in your Python code with:\n\n  import pulumi_shapes as shapes\n" in added.stdout
    assert f"Successfully generated an SDK for the shapes package at {site.project}/sdks\n" in added.stdout
    assert "Added package Shapes" in added.stderr
    assert "Installing dependencies...\n\nCreating virtual environment...\n" in added.stdout
    assert (site.project / "requirements.txt").read_text() == "pulumi>=3\nsdks/shapes\n"
    assert "-r requirements.txt" in (site.root / "pip").read_text()
    text = (site.project / "Pulumi.yaml").read_text()
    assert "# stays\n" in text and yaml.safe_load(text)["packages"] == {"shapes": "shapes"}

    shutil.rmtree(site.project / "sdks")
    (site.project / "requirements.txt").write_text("pulumi>=3\n")
    call(site, "install", "--no-plugins")
    assert (site.project / "sdks" / "shapes" / "pulumi_shapes" / "scalars.py").exists()
    assert (site.project / "requirements.txt").read_text() == "pulumi>=3\nsdks/shapes\n"

    (site.project / "requirements.txt").unlink()
    call(site, "package", "add", "shapes")
    assert (site.project / "requirements.txt").read_text() == "sdks/shapes\n"


def local_plugin(site: Workspace, name: str, runtime: str, packages: dict[str, str]) -> Path:
    folder = site.root / name
    folder.mkdir()
    (folder / "PulumiPlugin.yaml").write_text(json.dumps({"runtime": runtime, "packages": packages}))
    return folder


def test_install_prepares_the_plugins_of_a_project_behind_what_they_need(site):
    with_pip(site)
    runs = "@pulumi/pulumi/cmd/run-plugin"
    serves = f"require('child_process').spawn('{sys.executable}', ['{PLUGIN}/__main__.py'], {{stdio: 'inherit'}})"
    with_tool(site, "npm", f'echo "$* in $PWD with $(ls sdks)" >> "{site.root}/npm"; mkdir -p node_modules/{runs}\n'
                           f'echo "{serves}" > node_modules/{runs}/index.js')
    outer = local_plugin(site, "outer", "nodejs", {"inner": "../inner"})
    (outer / "package.json").write_text("{}")
    inner = local_plugin(site, "inner", "python", {"shapes": str(PLUGIN)})
    (inner / "__main__.py").write_text(f"import runpy; runpy.run_path('{PLUGIN}/__main__.py', run_name='__main__')")
    settings = {"name": "site", "runtime": "yaml", "packages": {"outer": "../outer"}}
    (site.project / "Pulumi.yaml").write_text(json.dumps(settings))
    call(site, "install", "--no-plugins")
    assert (inner / "requirements.txt").read_text() == "sdks/shapes\n" and (inner / "sdks" / "shapes").exists()
    assert "-r requirements.txt" in (site.root / "pip").read_text()
    assert json.loads((outer / "package.json").read_text())["dependencies"] == {"@pulumi/shapes": "file:sdks/shapes"}
    assert f"in {outer} with shapes\n" in (site.root / "npm").read_text(), "it is installed when its SDKs are there"
    assert (site.project / "sdks" / "shapes" / "shapes-1.2.3.yaml").exists()


@pytest.mark.parametrize("file, first", [("Pulumi.yaml", "../a"), ("PulumiPlugin.yaml", "../b")])
def test_plugins_that_need_each_other_cannot_be_installed(site, file, first):
    local_plugin(site, "a", "nodejs", {"b": "../b"})
    local_plugin(site, "b", "nodejs", {"a": "../a"})
    (site.project / "Pulumi.yaml").unlink()
    (site.project / file).write_text(json.dumps({"name": "site", "runtime": "yaml", "packages": {"x": first}}))
    refused = call(site, "install", ok=False)
    second = "../b" if first == "../a" else "../a"
    assert f"installing `packages` from {file}: cycle found: {first} -> {second} -> {first}\n" in refused.stderr
    assert not (site.root / "a" / "sdks").exists()


@pytest.mark.parametrize("version, flag", [("uv 0.9.2 (of 2025)", " --no-workspace"), ("uv 0.8.0", " --no-workspace"),
                                           ("uv 0.7.22", ""), ("something else", " --no-workspace")])
def test_uv_takes_an_sdk_for_a_package_and_no_member_of_a_workspace(site, version, flag):
    (site.project / "Pulumi.yaml").write_text(
        "name: site\nruntime: {name: python, options: {toolchain: uv}}\n"
        f"plugins:\n  providers:\n    - name: shapes\n      path: {PLUGIN}\n")
    (site.project / "pyproject.toml").write_text('[project]\nname = "site"\nversion = "1"\n')
    with_tool(site, "uv", f'[ "$1" = --version ] && echo "{version}" && exit\necho "$*" >> "{site.root}/uv"')
    call(site, "package", "add", "shapes")
    assert (site.root / "uv").read_text().splitlines()[0] == f"add --no-sync{flag} sdks/shapes"


PNPM = """case "$*" in
--version) echo {version};;
"config get"*) echo '{before}';;
"config set"*) echo "$3 $4 $5 $6" > {root}/allowed;;
esac"""
BY_PLACE = "@pulumi/shapes@file:sdks/shapes"


@pytest.mark.parametrize("version, before, allowed", [
    ("10.34.1", '["other"]', 'onlyBuiltDependencies ["other","@pulumi/shapes"]'),
    ("10.34.2", "undefined", f'onlyBuiltDependencies ["{BY_PLACE}"]'),
    ("10.34.9", f'["{BY_PLACE}"]', f'onlyBuiltDependencies ["{BY_PLACE}"]'),
    ("11.0.0", "undefined", f'allowBuilds {{"{BY_PLACE}":true}}'),
])
def test_pnpm_may_compile_an_sdk(site, version, before, allowed):
    with_tool(site, "pnpm", PNPM.format(version=version, before=before, root=site.root))
    assert "allowScripts" not in added_to_node(site, "pnpm-lock.yaml")
    assert (site.root / "allowed").read_text() == f"{allowed} --location project\n"


def test_bun_and_npm_may_compile_an_sdk(site):
    with_tool(site, "npm", "exit")
    with_tool(site, "bun", "exit")
    assert added_to_node(site)["allowScripts"] == {"file:sdks/shapes": True}
    description = added_to_node(site, "bun.lock", {"trustedDependencies": ["other"]})
    assert description["trustedDependencies"] == ["other", "@pulumi/shapes"] and "allowScripts" not in description


def added_to_node(site: Workspace, lock: str = "", description: dict | None = None) -> dict:
    """Adds the package `shapes` to a program in TypeScript, and returns the package.json."""
    settings = {"name": "site", "runtime": "nodejs", "plugins": {"providers": [{"name": "shapes", "path": str(PLUGIN)}]}}
    (site.project / "Pulumi.yaml").write_text(json.dumps(settings))
    (site.project / "package.json").write_text(json.dumps(description or {}))
    if lock:
        (site.project / lock).write_text("")
    call(site, "package", "add", "shapes")
    return json.loads((site.project / "package.json").read_text())


@pytest.mark.parametrize("own", [True, False], ids=["its own compiler", "that of PATH"])
def test_an_sdk_is_compiled_by_its_own_compiler_before_that_of_path(site, own):
    call(site, "package", "gen-sdk", "shapes.json", "--language", "nodejs", "--out", "sdk", "--local")
    says = "mkdir bin; echo {} $* > bin/by"
    with_tool(site, "tsc", says.format("path"))
    if own:
        compiler = site.project / "node_modules" / "typescript" / "bin" / "tsc"
        compiler.parent.mkdir(parents=True)
        compiler.write_text(f"require('child_process').execSync('{says.format('own')}'.replace('$*', process.argv.slice(2)))")
    sdk = site.project / "sdk" / "nodejs"
    run = subprocess.run(["node", "./scripts/postinstall.js"], cwd=sdk, env=site.environment(), text=True, capture_output=True,
                         timeout=patience(60))
    assert run.returncode == 0, run.stderr
    assert (sdk / "bin" / "by").read_text().split()[0] == ("own" if own else "path")
    assert json.loads((sdk / "bin" / "package.json").read_text())["name"] == "@pulumi/shapes"


@pytest.mark.parametrize("text, expected", [
    ('{"name":"x","dependencies":{"a":"1"}}', '{"name":"x","dependencies":{"a":"1","@pulumi/shapes":"file:sdks/shapes"},'
                                              '"allowScripts":{"file:sdks/shapes":true}}'),
    ('{\n\t"name": "x"\n}\n', '{\n\t"name": "x",\n\t"dependencies": {\n\t\t"@pulumi/shapes": "file:sdks/shapes"\n\t},\n'
                              '\t"allowScripts": {\n\t\t"file:sdks/shapes": true\n\t}\n}\n'),
    ('{\r\n    "name": "x"\r\n}\r\n', '{\r\n    "name": "x",\r\n    "dependencies": {\r\n        "@pulumi/shapes": '
                                        '"file:sdks/shapes"\r\n    },\r\n    "allowScripts": {\r\n        '
                                        '"file:sdks/shapes": true\r\n    }\r\n}\r\n'),
    ("{}\n", '{\n  "dependencies": {\n    "@pulumi/shapes": "file:sdks/shapes"\n  },\n  "allowScripts": {\n    '
             '"file:sdks/shapes": true\n  }\n}\n'),
], ids=["one line", "tabs", "four blanks", "empty"])
def test_a_package_json_keeps_its_form(site, text, expected):
    settings = {"name": "site", "runtime": "nodejs", "plugins": {"providers": [{"name": "shapes", "path": str(PLUGIN)}]}}
    (site.project / "Pulumi.yaml").write_text(json.dumps(settings))
    (site.project / "package.json").write_bytes(text.encode())
    with_tool(site, "npm", "exit 0")
    call(site, "package", "add", "shapes")
    assert (site.project / "package.json").read_bytes().decode() == expected


def test_a_parameterized_package_is_added_where_there_is_no_project(site):
    folder = site.root / "elsewhere"
    folder.mkdir()
    (folder / "package.json").write_text('{\n    "name": "elsewhere",\n    "zeal": 1\n}\n')
    refused = subprocess.run([site.command.path, "package", "add", PLUGIN], cwd=folder, env=site.environment(), text=True,
                             capture_output=True, timeout=patience(60))
    assert refused.returncode == 1 and "pass --language LANG" in refused.stderr
    added = subprocess.run([site.command.path, "package", "add", PLUGIN, "--language", "typescript", "--", "greet", "3.1.4",
                            "Good day"], cwd=folder, env=site.environment(), text=True, capture_output=True, timeout=patience(60))
    assert added.returncode == 0, added.stderr
    assert 'import * as greet from "@pulumi/greet";' in added.stdout
    description = json.loads((folder / "package.json").read_text())
    assert description["dependencies"] == {"@pulumi/greet": "file:sdks/greet"} and description["zeal"] == 1
    sdk = folder / "sdks" / "greet"
    assert "registerPackage" in (sdk / "utilities.ts").read_text() and (sdk / "scripts" / "postinstall.js").exists()
    plugin = json.loads((sdk / "package.json").read_text())["pulumi"]
    assert plugin["name"] == "shapes" and plugin["parameterization"]["name"] == "greet"
