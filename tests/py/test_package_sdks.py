# SPDX-License-Identifier: Apache-2.0
"""SDKs generated from schemas, and programs that use these SDKs and the core SDK alone."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness import Workspace
from harness.cobol import with_cobol
from harness.commands import PROGRAMS, REPOSITORY, node_modules
from harness.package_site import DATA, PLUGIN, call, site, with_tool  # noqa: F401 - a fixture
from harness.patience import patience

SIGNATURES = REPOSITORY / "tests" / "checks" / "sdk_signatures.py"

# The reference never writes the class that the first names. It writes the second as one that does not compile.
ONLY_HERE = {"FilterArgs", 'from "./deep/er"'}
ONLY_THERE = {'from "deep/er"'}


def lines(text: str) -> list[str]:
    return text.splitlines()


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
    assert "outside of the SDK's folder" in refused.stderr
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
    assert description["dependencies"]["@pulumi/pulumi"] == "^3.269.0", "the first version that has existsResource"
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
