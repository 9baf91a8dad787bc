# SPDX-License-Identifier: Apache-2.0
"""`package add` and `install`: they make SDKs and add them to the dependencies of a program."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from harness import Workspace, peer_or_skip
from harness.package_site import PLUGIN, call, site, with_tool  # noqa: F401 - a fixture
from harness.patience import patience


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
