# SPDX-License-Identifier: Apache-2.0
"""Places in the services of clouds, for tests of the whole command. Each has the settings that lead the command to it. Tests
see, lay away and put back its objects without the command."""

from __future__ import annotations

import hashlib
import json
import os
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree import ElementTree

from .clouds import (
    AZURITE_ACCOUNT,
    AZURITE_KEY,
    VERSITYGW_KEYS,
    azurite,
    azurite_permission,
    fake_gcs_server,
    held_by,
    moto,
    send,
    versitygw,
)

# moto needs a signature, but does not check it.
SIGNED = "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=x"
MOTO_KEYS = {"AWS_ACCESS_KEY_ID": "CANARYACCESSKEY", "AWS_SECRET_ACCESS_KEY": "canary-secret-access-key"}


@dataclass
class Service:
    """One place in one service."""

    address: str
    url: Callable[[str], str]  # of the service at an address
    env: dict[str, str]
    list_keys: Callable[[], list[str]]
    read: Callable[[str], bytes]
    write: Callable[[str, bytes], None]
    remove: Callable[[str], None]
    root: str = ""
    laid_away: dict[str, dict[str, bytes]] = field(default_factory=dict)

    def below(self, name: str) -> Service:
        return replace(self, root=f"{name}/", url=lambda at: self.url(at).replace("ROOT", name), laid_away={})

    def env_at(self, address: str) -> dict[str, str]:
        """The environment that leads the command to this place by an address: a proxy's, or the service's own."""
        emulator = {"STORAGE_EMULATOR_HOST": address} if "STORAGE_EMULATOR_HOST" in self.env else {}
        return self.env | emulator | {"PULUMI_BACKEND_URL": self.url(address)}

    def read_below_root(self, key: str) -> bytes:
        return self.read(self.root + key)

    @property
    def keys(self) -> list[str]:
        return [key.removeprefix(self.root) for key in self.list_keys() if key.startswith(self.root)]

    def held(self) -> list[str]:
        """The objects that keep others away from a stack."""
        return held_by(self.keys, self.read_below_root)

    def lay_away(self, name: str) -> None:
        self.laid_away[name] = {key: self.read_below_root(key) for key in self.keys}

    def restore(self, name: str) -> None:
        for key in self.keys:
            self.remove(self.root + key)
        for key, content in self.laid_away[name].items():
            self.write(self.root + key, content)


@dataclass
class ServiceStates:
    """The questions of a ProcessWorld to a database, for a place in a service."""

    service: Service

    @property
    def env(self) -> dict[str, str]:
        return self.service.env_at(self.service.address)

    def lay_away(self, name: str) -> None:
        self.service.lay_away(name)

    def restore(self, name: str) -> None:
        self.service.restore(name)


def s3_url(at: str) -> str:
    return f"s3://team/ROOT?endpoint={at}&disableSSL=true&s3ForcePathStyle=true&region=us-east-1"


def elements(document: bytes, name: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(document).iter() if
            element.tag.rpartition("}")[2] == name]


def moto_service(folder: Path) -> Iterator[Service]:
    with moto(folder) as address:
        place, signed = f"http://{address}/team", {"Authorization": SIGNED}
        send("PUT", place)

        def write(key: str, content: bytes) -> None:
            send("PUT", f"{place}/{key}", content, signed)

        def remove(key: str) -> None:
            send("DELETE", f"{place}/{key}", headers=signed)

        yield Service(address, s3_url, MOTO_KEYS, lambda: elements(send("GET", f"{place}?list-type=2"), "Key"),
                      lambda key: send("GET", f"{place}/{key}", headers=signed), write, remove)


def versitygw_service(folder: Path) -> Iterator[Service]:
    data = folder / "data" / "team"
    with versitygw(folder) as address:
        def write(key: str, content: bytes) -> None:
            (data / key).parent.mkdir(parents=True, exist_ok=True)
            (data / key).write_bytes(content)
            # The server keeps it beside the file, and answers without one for a file that lacks it.
            os.setxattr(data / key, "user.etag", f'"{hashlib.md5(content).hexdigest()}"'.encode())

        yield Service(address, s3_url, VERSITYGW_KEYS,
                      lambda: [str(f.relative_to(data)) for f in data.rglob("*") if f.is_file()],
                      lambda key: (data / key).read_bytes(), write, lambda key: (data / key).unlink())


def azurite_service(folder: Path) -> Iterator[Service]:
    with azurite(folder) as address:
        place, may = f"http://{address}/{AZURITE_ACCOUNT}/team", azurite_permission()
        env = {"AZURE_STORAGE_ACCOUNT": AZURITE_ACCOUNT, "AZURE_STORAGE_KEY": AZURITE_KEY}

        def write(key: str, content: bytes) -> None:
            send("PUT", f"{place}/{key}?{may}", content, {"x-ms-blob-type": "BlockBlob"})

        def remove(key: str) -> None:
            send("DELETE", f"{place}/{key}?{may}")

        yield Service(address, lambda at: f"azblob://team/ROOT?domain={at}&protocol=http&localemu=true", env,
                      lambda: elements(send("GET", f"{place}?restype=container&comp=list&{may}"), "Name"),
                      lambda key: send("GET", f"{place}/{key}?{may}"), write, remove)


def google_service(folder: Path) -> Iterator[Service]:
    with fake_gcs_server(folder) as address:
        objects = f"http://{address}/storage/v1/b/team/o"

        def path(key: str) -> str:
            return f"{objects}/{urllib.parse.quote(key, safe='')}"

        def write(key: str, content: bytes) -> None:
            name = urllib.parse.urlencode({"uploadType": "media", "name": key})
            send("POST", f"http://{address}/upload/storage/v1/b/team/o?{name}", content, {"Content-Type": "text/plain"})

        def remove(key: str) -> None:
            send("DELETE", path(key))

        yield Service(address, lambda _: "gs://team/ROOT",
                      {"STORAGE_EMULATOR_HOST": address, "GOOGLE_OAUTH_ACCESS_TOKEN": "canary-token"},
                      lambda: [item["name"] for item in json.loads(send("GET", objects)).get("items", [])],
                      lambda key: send("GET", f"{path(key)}?alt=media"), write, remove)


SERVICES: dict[str, Callable[[Path], Iterator[Service]]] = {
    "moto": moto_service, "versitygw": versitygw_service, "azurite": azurite_service, "fake-gcs-server": google_service}
