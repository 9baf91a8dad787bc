# SPDX-License-Identifier: Apache-2.0
"""Buckets of clouds against servers that speak their languages: the contract of all buckets, well and over a network
that fails. The contract itself is in tests/cpp/support/bucket_contract.h; kp_tests runs it."""

import os
import pathlib
import subprocess

import pytest

from harness.clouds import VERSITYGW_KEYS, moto, send, versitygw
from harness.faulty_proxy import FAULTS, FaultyProxy

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


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GOOGLE_", "AZURE_"))}


def check_contract(program: pathlib.Path, url: str, env: dict[str, str], tests: str = "[bucket-contract],[bucket-exact]"):
    ran = subprocess.run([program, tests], env={**clean_environment(), "KINGPOST_TEST_BUCKET": url, **env},
                         capture_output=True, text=True, timeout=300)
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
                         capture_output=True, text=True, timeout=60)
    assert ran.returncode != 0
    for secret in [*keys.values(), VERSITYGW_KEYS["AWS_SECRET_ACCESS_KEY"], "Signature="]:
        assert secret not in ran.stdout + ran.stderr
