# SPDX-License-Identifier: Apache-2.0
"""The bill of materials: an SPDX 2.3 document of the command, the wheel, and every package of which they hold something."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import zipfile
from importlib import metadata
from pathlib import Path

from linked import Package

_FIELD = re.compile(r"^License:[ \t]*(\S.*)$", re.MULTILINE)
_COMPILED_IN = ["pybind11"]  # Python packages whose headers are in the module of the wheel


def document(command: Path, wheels: list[Path], used: list[Package], version: str, epoch: int) -> str:
    digest = _sha256(command)
    items = [_item("kingpost", version, "Apache-2.0", purpose="APPLICATION", sha256=digest)]
    relations = [_relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-kingpost")]
    for package in used:
        item = _of_debian(package)
        items.append(item)
        relations.append(_relation("SPDXRef-kingpost", "STATIC_LINK" if package.archives else "CONTAINS", item["SPDXID"]))
    for wheel in wheels:
        for item in _of_wheel(wheel, version):
            items.append(item)
            first = item["SPDXID"] == f"SPDXRef-{_id(wheel.name)}"
            relations.append(_relation("SPDXRef-DOCUMENT", "DESCRIBES", item["SPDXID"]) if first else
                             _relation(f"SPDXRef-{_id(wheel.name)}", "CONTAINS", item["SPDXID"]))
    when = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"kingpost-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/kingpost-{version}-{digest}",
        "creationInfo": {"created": when, "creators": ["Tool: kingpost packaging/sbom.py"]},
        "packages": items, "relationships": relations}, indent=1) + "\n"


def _item(name: str, version: str, licence: str, purpose: str = "LIBRARY", sha256: str = "", **more: object) -> dict:
    item = {"SPDXID": f"SPDXRef-{_id(name)}", "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose, **more}
    if sha256:
        item["checksums"] = [{"algorithm": "SHA256", "checksumValue": sha256}]
    return item


def _of_debian(package: Package) -> dict:
    place = (f"pkg:deb/debian/{package.name}@{package.version.replace('+', '%2B').replace('~', '%7E').replace(':', '%3A')}"
             f"?arch={package.architecture}")
    return _item(f"{package.name}", package.version, "NOASSERTION", supplier="Organization: Debian",
                 sourceInfo=f"built from the Debian source package {package.source}", licenseComments=_licences(package),
                 externalRefs=[_purl(place)])


def _of_wheel(wheel: Path, version: str) -> list[dict]:
    """The wheel, the Debian packages of the libraries that auditwheel took along, and what was compiled in."""
    items = [_item(wheel.name, version, "Apache-2.0", purpose="ARCHIVE", sha256=_sha256(wheel))]
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            if "/sboms/" in name and name.endswith(".cdx.json"):
                items += [_of_auditwheel(component, wheel) for component in json.loads(archive.read(name))["components"]
                          if component.get("purl", "").startswith("pkg:deb/")]
    items += [_item(f"{name}-in-{wheel.name}", metadata.version(name), "NOASSERTION",
                    externalRefs=[_purl(f"pkg:pypi/{name}@{metadata.version(name)}")]) for name in _COMPILED_IN]
    return list({item["SPDXID"]: item for item in items}.values())


def _of_auditwheel(component: dict, wheel: Path) -> dict:
    return _item(f"{component['name']}-in-{wheel.name}", component.get("version", "NOASSERTION"), "NOASSERTION",
                 externalRefs=[_purl(component["purl"])])


def _purl(place: str) -> dict:
    return {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": place}


def _licences(package: Package) -> str:
    """As Debian's machine-readable copyright file names them; they are not all SPDX identifiers."""
    file = Path("/usr/share/doc") / package.name / "copyright"
    names = sorted({name.strip() for name in _FIELD.findall(file.read_text(errors="replace"))})
    return f"Debian's copyright file names: {', '.join(names)}" if names else f"see {file}"


def _relation(one: str, kind: str, other: str) -> dict:
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def _id(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]", "-", name)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
