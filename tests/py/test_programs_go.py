"""A Go program and a Go provider, both built with the Go SDK."""

import shutil
import subprocess

import pytest

from harness import Command, PROGRAMS, Workspace


@pytest.mark.slow
def test_go_program_with_go_provider(tmp_path):
    if not shutil.which("go"):
        pytest.skip("Go is not installed")
    plugin = tmp_path / "plugins" / "vault"
    plugin.mkdir(parents=True)
    subprocess.run(["go", "build", "-o", plugin / "pulumi-resource-vault", "./provider"], cwd=PROGRAMS / "go", check=True)
    ws = Workspace(tmp_path, Command.kingpost(), PROGRAMS / "go")
    assert ws.up(timeout=600).changed() == {"go-keys-dev": ["create"], "first": ["create"], "second": ["create"]}
    before = ws.outputs()
    assert len(before["secret"]) == 32 and before["secret"] not in ws.state_file.read_text()
    assert ws.preview("--expect-no-changes").changed() == {}
    ws.config(bits="256")
    assert ws.up().changed() == {"first": ["create-replacement", "replace", "delete-replaced"], "second": ["update"]}
    assert len(ws.outputs()["secret"]) == 64
    ws.config(bits="7")
    refused = ws.up(check=False)
    assert refused.code == 1 and "must be a multiple of eight" in refused.out + refused.err
    ws.destroy()
    assert ws.state().rows == []
