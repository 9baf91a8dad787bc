# SPDX-License-Identifier: Apache-2.0
"""The Python module: which secrets manager encrypts a stack, at its first update and after a change of the manager."""

import json

import kingpost
import pulumi
import pytest
import yaml
from harness.fake_vault import FakeVault
from module_support import Thing, World

KEY = "hashivault://team"
PLAINTEXT = "swordfish"


@pytest.fixture
def vault(monkeypatch):
    service = FakeVault("canary-vault-token")
    with service.serving() as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        yield service


def program():
    Thing("a", password=pulumi.Output.secret(PLAINTEXT))
    pulumi.export("password", pulumi.Output.secret(PLAINTEXT))


@pytest.fixture
def opened(tmp_path, monkeypatch):
    monkeypatch.delenv("PULUMI_CONFIG_PASSPHRASE", raising=False)

    def stack_of(**options):
        options = {"backend": f"file://{tmp_path}", **options}
        return kingpost.Stack("proj", "dev", program, providers={"test": World()}, **options)

    stack_of.files = lambda: [p.read_text() for p in tmp_path.rglob("*") if p.is_file() and p.suffix in (".json", ".yaml")]
    return stack_of


def provider_of(stack):
    return stack.export()["deployment"]["secrets_providers"]


def test_a_new_stack_under_a_key_service(vault, opened):
    stack = opened(secrets_provider=KEY)
    assert stack.up().outputs["password"].value == PLAINTEXT
    found = provider_of(stack)
    assert found["type"] == "cloud" and found["state"]["url"] == KEY and found["state"]["encryptedkey"]
    assert vault.calls and not any(PLAINTEXT in text for text in opened.files())
    # A later caller needs no provider and no passphrase.
    assert opened().outputs()["password"].value == PLAINTEXT
    assert opened(secrets_provider=KEY).up().summary == {"same": 2}
    assert provider_of(opened()) == found


def test_another_provider_than_the_stack_has_is_refused_with_the_remedy(vault, opened):
    opened(passphrase="one").up()
    other = opened(passphrase="one", secrets_provider=KEY)
    with pytest.raises(kingpost.Error, match=r"encrypted by passphrase, not by hashivault://team; call stack.change_sec"):
        other.up()
    other.change_secrets_provider(KEY)  # the remedy
    assert other.up().summary == {"same": 2} and provider_of(other)["type"] == "cloud"
    with pytest.raises(kingpost.Error, match="encrypted by hashivault://team, not by passphrase"):
        opened(passphrase="one", secrets_provider="passphrase").outputs()


def test_from_a_passphrase_to_a_key_and_to_another_passphrase(vault, opened):
    stack = opened(passphrase="one")
    stack.up()
    before = provider_of(stack)
    stack.change_secrets_provider(KEY)
    assert opened().outputs()["password"].value == PLAINTEXT  # no passphrase at all
    stack.change_secrets_provider("passphrase", passphrase="two")
    assert provider_of(stack)["type"] == "passphrase" and provider_of(stack) != before
    assert stack.up().summary == {"same": 2}  # the same object goes on with the new one
    assert opened(passphrase="two").outputs()["password"].value == PLAINTEXT
    with pytest.raises(kingpost.WrongPassphrase):
        opened(passphrase="one").outputs()
    assert not any(PLAINTEXT in text for text in opened.files())


def test_nothing_is_changed_where_something_is_missing(vault, opened):
    stack = opened(passphrase="one")
    with pytest.raises(kingpost.UnknownStack):
        stack.change_secrets_provider(KEY)
    stack.up()
    before = opened.files()
    with pytest.raises(kingpost.Error, match="unknown secrets provider type 'rot13'"):
        stack.change_secrets_provider("rot13://x")
    with pytest.raises(kingpost.WrongPassphrase):
        opened(passphrase="wrong").change_secrets_provider("passphrase", passphrase="two")
    vault.token = "another token than the stack's user has"
    with pytest.raises(kingpost.Error):
        stack.change_secrets_provider(KEY)
    assert sorted(opened.files()) == sorted(before)
    with pytest.raises(kingpost.Error, match="unknown secrets provider type 'rot13'"):
        opened(secrets_provider="rot13://x")


def test_in_memory_too(vault):
    stack = kingpost.Stack("proj", "dev", program, providers={"test": World()}, secrets_provider=KEY)
    stack.up()
    assert provider_of(stack)["state"]["url"] == KEY
    stack.change_secrets_provider("passphrase", passphrase="two")
    assert stack.outputs()["password"].value == PLAINTEXT and stack.up().summary == {"same": 2}


def test_the_settings_file_of_a_project_goes_along(vault, tmp_path):
    project, state = tmp_path / "project", tmp_path / "state"
    project.mkdir()
    state.mkdir()
    (project / "Pulumi.yaml").write_text("name: proj\nruntime: yaml\nconfig:\n  hidden: {type: string}\n"
                                         "outputs:\n  hidden: ${hidden}\n")
    settings = project / "Pulumi.dev.yaml"

    def opened(**options):
        return kingpost.Stack("proj", "dev", project, backend=f"file://{state}", **options)

    first = opened(passphrase="one", config={"hidden": kingpost.Secret(PLAINTEXT)})
    assert first.up().outputs["hidden"] == kingpost.Secret(PLAINTEXT)
    # As the command leaves it behind.
    salt = provider_of(first)["state"]["salt"]
    settings.write_text(json.dumps({"encryptionsalt": salt, "config": {}}))
    first.change_secrets_provider(KEY)
    written = yaml.safe_load(settings.read_text())
    assert written["secretsprovider"] == KEY and written["encryptedkey"] and "encryptionsalt" not in written
    assert provider_of(first)["state"]["encryptedkey"] == written["encryptedkey"]
    # A second stack's settings name the key service before its first update, and its state does then.
    (project / "Pulumi.next.yaml").write_text(settings.read_text())
    second = kingpost.Stack("proj", "next", project, backend=f"file://{state}", config={"hidden": kingpost.Secret("x")})
    second.up()
    assert provider_of(second)["state"]["encryptedkey"] == written["encryptedkey"]
