# SPDX-License-Identifier: Apache-2.0
"""Stacks whose secrets a key service guards: AWS KMS, which moto plays, and a small Vault. Kingpost works alone, and in turns
with the real pulumi. Each reads the other's files."""

import base64
import json
import subprocess
from pathlib import Path

import pytest
import yaml

from harness import Command, peer_or_skip
from harness.clouds import moto, send
from harness.fake_vault import FakeVault
from harness.faulty_proxy import FaultyProxy
from harness.patience import patience

TOKEN = "canary-vault-token"
AWS_KEYS = {"AWS_ACCESS_KEY_ID": "CANARYACCESSKEY", "AWS_SECRET_ACCESS_KEY": "canary-secret-access-key"}
PROGRAM = """
import pulumi
pulumi.export("plain", pulumi.Config().get("plain"))
pulumi.export("hidden", pulumi.Config().get_secret("hidden"))
"""


class Project:
    """One project and its folder of state, worked on by one command or by several in turns."""

    def __init__(self, folder: Path, env: dict[str, str]):
        self.folder, self.project = folder, folder / "project"
        (folder / "state").mkdir()
        self.project.mkdir()
        (self.project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (self.project / "__main__.py").write_text(PROGRAM)
        self.env = env | {"PULUMI_BACKEND_URL": f"file://{folder}/state", "PULUMI_HOME": str(folder / "home")}
        self.told = ""  # all that any command has printed

    def run(self, command: Command, *args: str, ok: bool = True, stdin: str = "", **env: str) -> str:
        ran = subprocess.run([command.path, *args], cwd=self.project, input=stdin, text=True, capture_output=True,
                             env=command.environment(self.folder) | self.env | env, timeout=patience(120))
        self.told += ran.stdout + ran.stderr
        assert (ran.returncode == 0) == ok, f"{args}: {ran.stdout}{ran.stderr}"
        return ran.stdout if ok else ran.stderr

    @property
    def settings(self) -> dict:
        return yaml.safe_load((self.project / "Pulumi.dev.yaml").read_text())

    @property
    def checkpoint(self) -> dict:
        return json.loads((self.folder / "state/.pulumi/stacks/shop/dev.json").read_text())["checkpoint"]["latest"]

    def up(self, command: Command) -> dict:
        self.run(command, "up", "--yes", "--skip-preview", "--stack", "dev")
        return json.loads(self.run(command, "stack", "output", "--json", "--show-secrets", "--stack", "dev"))


@pytest.fixture
def vault():
    return FakeVault(TOKEN)


@pytest.fixture(scope="module")
def moto_kms(tmp_path_factory):
    """ "127.0.0.1:PORT" and a key's id."""
    with moto(tmp_path_factory.mktemp("moto")) as address:
        headers = {"X-Amz-Target": "TrentService.CreateKey", "Content-Type": "application/x-amz-json-1.1",
                   "Authorization": "AWS4-HMAC-SHA256 Credential=x/20200101/us-east-1/kms/aws4_request, Signature=x"}
        key = json.loads(send("POST", f"http://{address}/", b"{}", headers))["KeyMetadata"]["KeyId"]
        yield address, key


@pytest.fixture(params=["hashivault", "awskms"])
def service(request, vault, tmp_path):
    """A project, the URL of a key for it, and a function that counts the requests to the service."""
    if request.param == "hashivault":
        with vault.serving() as env:
            yield Project(tmp_path, env), "hashivault://team", lambda: len(vault.calls)
        return
    address, key = request.getfixturevalue("moto_kms")
    proxy = FaultyProxy(address)
    with proxy.serving() as at:
        url = f"awskms://{key}?region=us-east-1&endpoint=http://{at}&context_team=shop"
        yield Project(tmp_path, AWS_KEYS), url, lambda: proxy.requests


def values(project: Project, command: Command) -> tuple[str, str]:
    return tuple(project.run(command, "config", "get", key, "--stack", "dev").strip() for key in ("plain", "hidden"))


def test_a_stack_lives_under_a_key_service(service):
    project, url, asked = service
    kingpost = Command.kingpost()
    project.run(kingpost, "stack", "init", "dev", "--secrets-provider", url)
    assert asked() == 1  # the new data key, encrypted
    assert project.settings["secretsprovider"] == url
    assert len(base64.b64decode(project.settings["encryptedkey"])) > 32
    assert "encryptionsalt" not in project.settings

    project.run(kingpost, "config", "set", "plain", "seen", "--stack", "dev")
    assert asked() == 1
    project.run(kingpost, "config", "set", "--secret", "hidden", "canary-value", "--stack", "dev")
    assert asked() == 2
    assert project.settings["config"]["shop:hidden"]["secure"].startswith("v1:")
    project.run(kingpost, "up", "--yes", "--skip-preview", "--stack", "dev")
    assert asked() == 3  # for the settings and for the state
    provider = project.checkpoint["secrets_providers"]
    assert provider == {"type": "cloud", "state": {"url": url, "encryptedkey": project.settings["encryptedkey"]}}
    assert "canary-value" not in json.dumps(project.checkpoint)

    project.run(kingpost, "preview", "--stack", "dev")
    assert asked() == 4
    project.run(kingpost, "stack", "export", "--stack", "dev")
    assert asked() == 4  # which shows none
    assert "canary-value" not in project.told
    assert project.up(kingpost) == {"plain": "seen", "hidden": "canary-value"}


@pytest.mark.slow
def test_a_stack_is_worked_on_in_turns_with_the_reference(service):
    peer, kingpost = peer_or_skip(), Command.kingpost()
    project, url, _ = service
    for first, second, stack in ((kingpost, peer, "one"), (peer, kingpost, "two")):
        project.run(first, "stack", "init", "dev", "--secrets-provider", url)
        settings = project.settings
        project.run(first, "config", "set", "plain", "seen", "--stack", "dev")
        project.run(first, "config", "set", "--secret", "hidden", stack, "--stack", "dev")
        assert project.up(first)["hidden"] == stack
        assert values(project, second) == ("seen", stack)
        assert project.up(second)["hidden"] == stack
        project.run(second, "config", "set", "--secret", "hidden", stack + "!", "--stack", "dev")
        assert project.up(first)["hidden"] == stack + "!"
        for name in ("secretsprovider", "encryptedkey"):
            assert project.settings[name] == settings[name]
        assert project.checkpoint["secrets_providers"]["state"]["url"] == url
        project.run(first, "stack", "rm", "dev", "--yes", "--force")
        (project.project / "Pulumi.dev.yaml").unlink(missing_ok=True)


def test_a_provider_is_changed_in_all_directions(vault, moto_kms, tmp_path):
    address, key = moto_kms
    kingpost = Command.kingpost()
    aws = f"awskms://{key}?region=us-east-1&endpoint=http://{address}"
    with vault.serving() as env:
        project = Project(tmp_path, env | AWS_KEYS)
        project.run(kingpost, "stack", "init", "dev")
        project.run(kingpost, "config", "set", "--secret", "hidden", "canary-value", "--stack", "dev")
        project.up(kingpost)
        for provider in ("hashivault://a", aws, "hashivault://b", "hashivault://b", "passphrase", aws, "default"):
            before = project.settings
            project.run(kingpost, "stack", "change-secrets-provider", provider, "--stack", "dev", stdin="new words\n")
            env["PULUMI_CONFIG_PASSPHRASE"] = project.env["PULUMI_CONFIG_PASSPHRASE"] = "new words"
            after, state = project.settings, project.checkpoint["secrets_providers"]
            if "://" in provider:
                assert after["secretsprovider"] == provider and "encryptionsalt" not in after
                assert after["encryptedkey"] != before.get("encryptedkey")  # the same provider: another key
                assert state == {"type": "cloud", "state": {"url": provider, "encryptedkey": after["encryptedkey"]}}
            else:
                assert "secretsprovider" not in after and "encryptedkey" not in after
                assert state == {"type": "passphrase", "state": {"salt": after["encryptionsalt"]}}
            assert after["config"]["shop:hidden"] != before["config"]["shop:hidden"]
            assert project.up(kingpost)["hidden"] == "canary-value"


def test_an_override_is_asked_in_the_place_of_the_settings_provider(vault, tmp_path):
    kingpost = Command.kingpost()
    with vault.serving() as env:
        project = Project(tmp_path, env)
        project.run(kingpost, "stack", "init", "dev", "--secrets-provider", "hashivault://team")
        project.run(kingpost, "config", "set", "--secret", "hidden", "canary-value", "--stack", "dev")
        file = project.project / "Pulumi.dev.yaml"
        file.write_text(file.read_text().replace("hashivault://team", "hashivault://team?engine=gone"))
        before = file.read_text()
        refused = project.run(kingpost, "config", "get", "hidden", "--stack", "dev", ok=False)
        assert "permission denied" in refused and "gone/decrypt/team" in refused
        override = {"PULUMI_CLOUD_SECRET_OVERRIDE": "hashivault://team"}
        told = project.run(kingpost, "config", "get", "hidden", "--stack", "dev", **override)
        assert told.strip() == "canary-value"
        other = {"PULUMI_CLOUD_SECRET_OVERRIDE": "hashivault://team?engine=other"}
        refused = project.run(kingpost, "config", "get", "hidden", "--stack", "dev", ok=False, **other)
        assert "PULUMI_CLOUD_SECRET_OVERRIDE" in refused
        assert file.read_text() == before
        # A new stack's key is the override's.
        project.run(kingpost, "stack", "init", "other", "--secrets-provider", "hashivault://gone/x", **override)
        assert "secretsprovider: hashivault://team\n" in (project.project / "Pulumi.other.yaml").read_text()


@pytest.mark.parametrize(("url", "part"), [
    ("rot13://key", "unknown secrets provider type 'rot13'"),
    ("hashivault://team?engin=x", 'unknown query parameter "engin"'),
    ("hashivault://", "names no key"),
    ("awskms://key?zone=x", 'unknown query parameter "zone"'),
    ("awskms://key", "no AWS region is known"),
])
def test_a_provider_that_cannot_be_meant_is_refused_before_anything_is_made(vault, tmp_path, url, part):
    with vault.serving() as env:
        project = Project(tmp_path, env)
        refused = project.run(Command.kingpost(), "stack", "init", "dev", "--secrets-provider", url, ok=False)
        assert part in refused
        assert not (project.project / "Pulumi.dev.yaml").exists()
        assert not (project.folder / "state/.pulumi/stacks/shop/dev.json").exists()


def test_a_service_that_is_busy_is_asked_again_and_one_that_is_away_is_told(vault, tmp_path):
    kingpost = Command.kingpost()
    with vault.serving() as env:
        project = Project(tmp_path, env | {"VAULT_NAMESPACE": "ns1"})
        vault.failing = 2
        project.run(kingpost, "stack", "init", "dev", "--secrets-provider", "hashivault://team")
        assert vault.namespaces == {"ns1"}
        project.run(kingpost, "config", "set", "--secret", "hidden", "x", "--stack", "dev")
        vault.failing = 100
        refused = project.run(kingpost, "config", "get", "hidden", "--stack", "dev", ok=False)
        assert "Vault is sealed" in refused and "the key 'team' of Vault at http://127.0.0.1" in refused
        vault.failing = 0
        refused = project.run(kingpost, "config", "get", "hidden", "--stack", "dev", ok=False, VAULT_TOKEN="wrong")
        assert "update on transit/decrypt/team" in refused


def test_no_key_and_no_token_is_ever_shown(vault, moto_kms, tmp_path):
    address, key = moto_kms
    kingpost = Command.kingpost()
    with vault.serving() as env:
        project = Project(tmp_path, env | AWS_KEYS)
        project.run(kingpost, "stack", "init", "dev", "--secrets-provider", "hashivault://team")
        project.run(kingpost, "config", "set", "--secret", "hidden", "x", "--stack", "dev")
        loud = ("--verbose=9", "--logtostderr", "--stack", "dev")
        project.run(kingpost, "up", "--yes", *loud)
        project.run(kingpost, "stack", "export", "--show-secrets", *loud)
        project.run(kingpost, "config", "get", "hidden", *loud, ok=False, VAULT_ADDR="http://127.0.0.1:1",
                    VAULT_MAX_RETRIES="0")
        aws = f"awskms://{key}?region=us-east-1&endpoint=http://{address}"
        project.run(kingpost, "stack", "change-secrets-provider", aws, *loud)
        project.run(kingpost, "up", "--yes", *loud)
    everything = project.told + "".join(
        file.read_text(errors="replace") for file in tmp_path.rglob("*") if file.is_file())
    assert vault.plaintexts
    secrets = [TOKEN, AWS_KEYS["AWS_SECRET_ACCESS_KEY"], "X-Vault-Token", "Signature="]
    for plaintext in vault.plaintexts:
        secrets += [base64.b64encode(plaintext).decode(), plaintext.hex()]
    for secret in secrets:
        assert secret not in everything
