# SPDX-License-Identifier: Apache-2.0
"""Buckets of clouds against servers that speak their languages: the contract of all buckets, well and over a network
that fails. The contract itself is in tests/cpp/support/bucket_contract.h; kp_tests runs it."""

import os
import pathlib
import subprocess

import pytest

from harness.clouds import (
    AZURITE_ACCOUNT,
    AZURITE_KEY,
    VERSITYGW_KEYS,
    azurite,
    azurite_permission,
    fake_gcs_server,
    moto,
    send,
    versitygw,
)
from harness.fake_gcs import FakeGcs
from harness.faulty_proxy import FAULTS, FaultyProxy
from harness.patience import patience

S3_PARAMETERS = "disableSSL=true&s3ForcePathStyle=true&region=us-east-1"


@pytest.fixture(scope="module")
def kp_tests() -> pathlib.Path:
    command = os.environ.get("KINGPOST_BIN") or pathlib.Path(__file__).parents[2] / "build" / "bin" / "kingpost"
    program = pathlib.Path(command).parent / "kp_tests"
    if not program.exists():
        pytest.skip("kp_tests is not built: cmake --build build --target kp_tests")
    return program


@pytest.fixture(scope="module")
def moto_s3(tmp_path_factory):
    with moto(tmp_path_factory.mktemp("moto")) as address:
        send("PUT", f"http://{address}/team")
        yield address


@pytest.fixture(scope="module")
def versity_s3(tmp_path_factory):
    with versitygw(tmp_path_factory.mktemp("versitygw")) as address:
        yield address


@pytest.fixture(scope="module")
def azure(tmp_path_factory):
    with azurite(tmp_path_factory.mktemp("azurite")) as address:
        yield address


@pytest.fixture(scope="module")
def google(tmp_path_factory):
    with fake_gcs_server(tmp_path_factory.mktemp("gcs")) as address:
        yield address


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GOOGLE_", "AZURE_"))}


def check_contract(program: pathlib.Path, url: str, env: dict[str, str], tests: str = "[bucket-contract],[bucket-exact]"):
    ran = subprocess.run([program, tests], env={**clean_environment(), "KINGPOST_TEST_BUCKET": url, **env},
                         capture_output=True, text=True, timeout=patience(300))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "All tests passed" in ran.stdout
    return ran


def s3_url(address: str, root: str) -> str:
    return f"s3://team/{root}?endpoint={address}&{S3_PARAMETERS}"


def test_moto_keeps_the_contract(kp_tests, moto_s3):
    check_contract(kp_tests, s3_url(moto_s3, "plain"), {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y"})


def test_versitygw_keeps_the_contract_and_likes_every_signature(kp_tests, versity_s3):
    check_contract(kp_tests, s3_url(versity_s3, "plain"), VERSITYGW_KEYS)


def test_checksums_that_are_asked_for_are_accepted(kp_tests, versity_s3):
    url = s3_url(versity_s3, "sums")
    url += "&request_checksum_calculation=when_supported&response_checksum_validation=when_supported"
    check_contract(kp_tests, url, VERSITYGW_KEYS, "a real bucket keeps the contract of buckets")


@pytest.mark.parametrize("every", [3, 7])
def test_a_network_that_fails_changes_nothing(kp_tests, moto_s3, every):
    proxy = FaultyProxy(moto_s3, every)
    with proxy.serving() as address:
        check_contract(kp_tests, s3_url(address, f"faults{every}"),
                       {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y", "AWS_MAX_ATTEMPTS": "8"},
                       "a real bucket keeps *,of eight *")
    assert set(proxy.met) == set(FAULTS)


def test_a_wrong_key_is_refused_and_shows_nothing(kp_tests, versity_s3):
    keys = {**VERSITYGW_KEYS, "AWS_SECRET_ACCESS_KEY": "canary-wrong-secret"}
    ran = subprocess.run([kp_tests, "a real bucket keeps the contract of buckets", "-s"],
                         env={**clean_environment(), "KINGPOST_TEST_BUCKET": s3_url(versity_s3, "wrong"), **keys},
                         capture_output=True, text=True, timeout=patience(60))
    assert ran.returncode != 0
    for secret in [*keys.values(), VERSITYGW_KEYS["AWS_SECRET_ACCESS_KEY"], "Signature="]:
        assert secret not in ran.stdout + ran.stderr


ROLE = "arn:aws:iam::123456789012:role/ci"


def aws_access(kind: str, address: str, home: pathlib.Path) -> tuple[str, dict[str, str]]:
    """The additions to the URL and the environment that give an identity by moto's STS or metadata service."""
    (home / "token").write_text("web-identity-token\n")
    (home / ".aws").mkdir()
    (home / ".aws/config").write_text(
        f"[profile ci]\nrole_arn = {ROLE}\nsource_profile = base\n"
        f"[profile base]\naws_access_key_id = x\naws_secret_access_key = y\n")
    env = {"HOME": str(home), "AWS_ENDPOINT_URL_STS": f"http://{address}"}
    keys = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y"}
    return {"role": (f"&role={ROLE}", env | keys), "profile": ("&profile=ci", env),
            "web-identity": ("", env | {"AWS_WEB_IDENTITY_TOKEN_FILE": str(home / "token"), "AWS_ROLE_ARN": ROLE}),
            "machine": ("", env | {"AWS_EC2_METADATA_SERVICE_ENDPOINT": f"http://{address}"})}[kind]


@pytest.mark.parametrize("kind", ["role", "profile", "web-identity", "machine"])
def test_roles_of_aws_are_taken_on(kp_tests, moto_s3, tmp_path, kind):
    more, env = aws_access(kind, moto_s3, tmp_path)
    check_contract(kp_tests, s3_url(moto_s3, kind) + more, env, "a real bucket keeps the contract of buckets")


def azure_url(address: str, root: str) -> str:
    return f"azblob://team/{root}?domain={address}&protocol=http"


def azure_access(kind: str, address: str) -> dict[str, str]:
    """The same permission, given in another way."""
    account = {"AZURE_STORAGE_ACCOUNT": AZURITE_ACCOUNT}
    if kind == "key":
        return account | {"AZURE_STORAGE_KEY": AZURITE_KEY}
    if kind == "permission":
        where = {"AZURE_STORAGE_DOMAIN": address, "AZURE_STORAGE_PROTOCOL": "http"}
        return account | where | {"AZURE_STORAGE_SAS_TOKEN": azurite_permission()}
    return {"AZURE_STORAGE_CONNECTION_STRING": f"DefaultEndpointsProtocol=http;AccountName={AZURITE_ACCOUNT};AccountKey="
            f"{AZURITE_KEY};BlobEndpoint=http://{address}/{AZURITE_ACCOUNT};"}


@pytest.mark.parametrize("kind", ["key", "permission", "connection-string"])
def test_azurite_keeps_the_contract(kp_tests, azure, kind):
    tests = "[bucket-contract],[bucket-exact]" if kind == "key" else "a real bucket keeps *,a put that *"
    check_contract(kp_tests, azure_url(azure, kind), azure_access(kind, azure), tests)


def test_a_network_that_fails_changes_nothing_for_azure(kp_tests, azure):
    proxy = FaultyProxy(azure, 3)
    with proxy.serving() as address:
        check_contract(kp_tests, azure_url(address, "faults"), azure_access("key", address),
                       "a real bucket keeps *,of eight *")
    assert set(proxy.met) == set(FAULTS)


def test_fake_gcs_server_keeps_the_contract(kp_tests, google):
    check_contract(kp_tests, "gs://team/plain", {"STORAGE_EMULATOR_HOST": google, "KINGPOST_TEST_DELETES_ANY_VERSION": "1"})


def test_a_bucket_of_google_keeps_the_contract(kp_tests):
    with FakeGcs("").serving() as address:
        check_contract(kp_tests, "gs://team/plain", {"STORAGE_EMULATOR_HOST": address},
                       "a real bucket keeps *,a put that *")


def test_a_network_that_fails_changes_nothing_for_google(kp_tests):
    with FakeGcs("").serving() as google:
        proxy = FaultyProxy(google, 7)
        with proxy.serving() as address:
            check_contract(kp_tests, "gs://team/faults", {"STORAGE_EMULATOR_HOST": address},
                           "a real bucket keeps *,of eight *")
    assert set(proxy.met) == set(FAULTS)


def test_writes_that_come_too_early_for_google_are_made_later(kp_tests):
    gcs = FakeGcs("", seconds_between_writes=0.3)
    with gcs.serving() as address:
        check_contract(kp_tests, "gs://team/early", {"STORAGE_EMULATOR_HOST": address},
                       "a real bucket keeps the contract of buckets")
    assert gcs.too_early


@pytest.mark.parametrize("kind", ["key", "permission", "connection-string"])
def test_azure_refusals_show_nothing(kp_tests, azure, kind):
    wrong = azure_access(kind, azure)
    canary = "Y2FuYXJ5LWtleS10aGF0LWlzLXdyb25n"
    wrong = {name: value.replace(AZURITE_KEY, canary) for name, value in wrong.items()}
    if kind == "permission":
        wrong["AZURE_STORAGE_SAS_TOKEN"] = azurite_permission()[:-8] + "canary"
    ran = subprocess.run([kp_tests, "a real bucket keeps the contract of buckets", "-s"],
                         env={**clean_environment(), "KINGPOST_TEST_BUCKET": azure_url(azure, "wrong"), **wrong},
                         capture_output=True, text=True, timeout=patience(60))
    assert ran.returncode != 0
    for secret in (canary, "canary", "sig=", "SharedKey "):
        assert secret not in ran.stdout + ran.stderr
