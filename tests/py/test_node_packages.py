# SPDX-License-Identifier: Apache-2.0
"""The package manager that `install` runs for Node.js programs, its folder, and the message when it is missing.

The managers are scripts that write down how they were called.
"""

import json
from pathlib import Path

import pytest
from harness import Command, Workspace

MANAGERS = ("npm", "pnpm", "yarn", "bun")
SCRIPT = '#!/bin/sh\necho "$(basename "$0") $* in $PWD" >> "$CALLS"\n'


class Installing:
    def __init__(self, root: Path):
        self.ws = Workspace(root, Command.kingpost(), init=False)
        self.project, self.calls, self.bin = self.ws.project, root / "calls", root / "bin"
        self.bin.mkdir()
        self.have(*MANAGERS)
        self.describe()
        (self.project / "package.json").write_text('{"name": "shop"}')

    def have(self, *managers: str) -> None:
        for name in MANAGERS:
            (self.bin / name).unlink(missing_ok=True)
        for name in managers:
            (self.bin / name).write_text(SCRIPT)
            (self.bin / name).chmod(0o755)

    def describe(self, **options) -> None:
        runtime = json.dumps({"name": "nodejs", "options": options})
        (self.project / "Pulumi.yaml").write_text(f"name: shop\nruntime: {runtime}\n")

    def run(self, **env: str):
        # Only the programs that the scripts need from the system's folders, which may hold an npm.
        tools = self.ws.root / "tools"
        tools.mkdir(exist_ok=True)
        for name in ("sh", "basename"):
            if not (tools / name).exists():
                (tools / name).symlink_to(f"/usr/bin/{name}")
        path = {"PATH": f"{self.bin}:{tools}", "CALLS": str(self.calls)}
        return self.ws.run("install", "--no-plugins", env=path | env, check=False)

    def called(self, **env: str) -> str:
        self.calls.unlink(missing_ok=True)
        run = self.run(**env)
        assert run.code == 0, run.err
        return self.calls.read_text().strip() if self.calls.exists() else ""


@pytest.fixture
def installing(tmp_path):
    return Installing(tmp_path)


QUIETLY = {"npm": "npm install --no-audit --no-fund --loglevel=error", "pnpm": "pnpm install --use-stderr",
           "yarn": "yarn install", "bun": "bun install"}


@pytest.mark.parametrize("name", MANAGERS)
def test_the_manager_that_is_named_installs(installing, name):
    installing.describe(packagemanager=name)
    (installing.project / "yarn.lock").touch()
    assert installing.called() == f"{QUIETLY[name]} in {installing.project}"


@pytest.mark.parametrize("lock, name", [("yarn.lock", "yarn"), ("pnpm-lock.yaml", "pnpm"), ("bun.lock", "bun"),
                                        ("bun.lockb", "bun"), ("package-lock.json", "npm")])
@pytest.mark.parametrize("above", [False, True], ids=["here", "above"])
def test_a_lock_file_tells_the_manager(installing, lock, name, above):
    ((installing.ws.root if above else installing.project) / lock).touch()
    assert installing.called() == f"{QUIETLY[name]} in {installing.project}"
    # A manager that is not on PATH is ignored.
    installing.have("npm")
    assert installing.called().startswith("npm install")


def test_yarn_may_be_preferred(installing):
    (installing.project / "pnpm-lock.yaml").touch()
    assert installing.called(PULUMI_PREFER_YARN="true").startswith("yarn")
    assert installing.called(PULUMI_PREFER_YARN="0").startswith("pnpm")
    installing.describe(packagemanager="npm")
    assert installing.called(PULUMI_PREFER_YARN="true").startswith("npm")


def test_only_what_production_needs(installing):
    for name in MANAGERS:
        installing.describe(packagemanager=name, production=True)
        assert ("--production" in installing.called()) == (name != "bun")


@pytest.mark.parametrize("name", MANAGERS)
def test_a_manager_that_is_missing_is_named(installing, name):
    installing.describe(packagemanager=name)
    installing.have(*(other for other in MANAGERS if other != name))
    run = installing.run()
    assert run.code == 1
    assert f"Could not find `{name}` executable.\nInstall {name} and make sure it is in your PATH." in run.err


def test_without_any_manager_npm_is_asked_for(installing):
    installing.have()
    run = installing.run()
    assert run.code != 0 and "could not find npm on the $PATH; npm is installed with Node.js" in run.err


def test_an_unknown_manager_is_refused(installing):
    installing.describe(packagemanager="cargo")
    run = installing.run()
    assert run.code != 0
    assert 'packagemanager option must be one of auto, npm, yarn, pnpm or bun, got "cargo"' in run.err


def test_a_package_in_yaml_is_for_pnpm(installing):
    (installing.project / "package.json").rename(installing.project / "package.yaml")
    assert installing.called().startswith("pnpm install")
    installing.have("npm")
    assert "which requires pnpm, but pnpm could not be found on the $PATH" in installing.run().err
    installing.describe(packagemanager="yarn")
    assert 'but the runtime package manager is set to "yarn"' in installing.run().err


@pytest.mark.parametrize("files", [
    {"package.json": '{"workspaces": ["pro*"]}'},
    {"package.json": '{"workspaces": {"packages": ["other", "project"]}}'},
    {"package.json": "{}", "pnpm-workspace.yaml": "packages:\n- project\n"},
], ids=["npm", "yarn", "pnpm"])
def test_a_workspace_is_installed_whole(installing, files):
    root = installing.ws.root
    for name, text in files.items():
        (root / name).write_text(text)
    assert installing.called().endswith(f"in {root}")
    # A package that is no member stands for itself.
    for name in files:
        (root / name).write_text('{"workspaces": ["other"]}' if name.endswith("json") else "packages: [other]\n")
    assert installing.called().endswith(f"in {installing.project}")


def test_a_program_without_a_package_needs_nothing(installing):
    (installing.project / "package.json").unlink()
    assert installing.called() == ""
