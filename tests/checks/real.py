#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The stories of tests/real with the published providers that the registry of Go modules has, and with a Kubernetes control
plane and an SSH server on this machine. Providers and control plane are built once, into build/real.

usage: real.py                 builds what is missing and plays the stories
       real.py --install       builds it alone
       real.py ARGUMENT...     hands these to pytest

KINGPOST_REAL_PROVIDERS names a folder with more plugins and with Terraform providers, KINGPOST_KUBECONFIG another cluster. With
KINGPOST_PEER the reference's host for YAML is built too, unless PATH has one."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from stages import REPOSITORY, SKIPPED

sys.path[:0] = [str(REPOSITORY / "tests" / "real"), str(REPOSITORY / "tests" / "py")]
from runner import cluster, ssh  # noqa: E402

FOLDER = REPOSITORY / "build" / "real"


@dataclass(frozen=True)
class Module:
    """A provider's module. The stories take the SDKs of `version` from PyPI and npm."""

    path: str
    at: str
    version: str
    neighbour: str   # a module of its repository, for which its go.mod names a folder, and the version to take instead
    embedded: dict[str, str]   # files that its own build makes from others


PROVIDERS = {
    # The newest that the registry of modules has: the commit of the day before 4.25.0 was released.
    "kubernetes": Module(path="github.com/pulumi/pulumi-kubernetes/provider/v4", at="v4.0.0-20260115033456-f47bc2d6f199",
                         version="4.25.0", neighbour="github.com/pulumi/pulumi-kubernetes/sdk/v4@v4.25.0",
                         embedded={"schema-embed.json": "schema.json", "terraform-mapping-embed.json": "terraform-mapping.json"}),
}


# The host for programs in YAML that the reference of this version brings along.
YAML_HOST = "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml@v1.38.3"


def build(name: str, module: Module, target: Path) -> None:
    """The module as it is in the registry, checked by Go's database of checksums."""
    if target.exists():
        return
    told = subprocess.run(["go", "mod", "download", "-json", f"{module.path}@{module.at}"], check=True, capture_output=True)
    sources = FOLDER / "sources" / name
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(json.loads(told.stdout)["Dir"], sources)
    subprocess.run(["chmod", "-R", "u+w", sources], check=True)
    command = sources / "cmd" / f"pulumi-resource-{name}"
    for embedded, source in module.embedded.items():
        document = json.loads((command / source).read_text())
        if embedded.startswith("schema"):
            document["version"] = module.version
        (command / embedded).write_text(json.dumps(document))
    subprocess.run(["go", "mod", "edit", f"-replace={module.neighbour.split('@')[0]}={module.neighbour}"], cwd=sources, check=True)
    flags = f"-s -w -X {module.path}/pkg/version.Version={module.version}"
    subprocess.run(["go", "build", "-mod=mod", "-trimpath", f"-ldflags={flags}", "-o", target, f"./cmd/pulumi-resource-{name}"],
                   cwd=sources, check=True)
    shutil.rmtree(sources)


def providers() -> Path:
    """A folder of plugins: those that are built here, and beside them the plugins and Terraform providers that are given."""
    folder = FOLDER / "providers"
    folder.mkdir(parents=True, exist_ok=True)
    for name, module in PROVIDERS.items():
        build(name, module, folder / f"pulumi-resource-{name}")
    if given := os.environ.get("KINGPOST_REAL_PROVIDERS"):
        for file in (*Path(given).glob("pulumi-resource-*"), *Path(given).glob("terraform-provider-*")):
            link = folder / file.name
            if file.name.removeprefix("pulumi-resource-") not in PROVIDERS:
                link.unlink(missing_ok=True)
                link.symlink_to(file.absolute())
    return folder


def hosts() -> list[str]:
    """Folders that PATH lacks: the one of the host without which the reference runs no program in YAML."""
    if not os.environ.get("KINGPOST_PEER") or shutil.which("pulumi-language-yaml"):
        return []
    folder = FOLDER / "hosts" / YAML_HOST.split("@")[1]
    if not (folder / "pulumi-language-yaml").exists():
        environment = os.environ | {"GOBIN": str(folder)}
        subprocess.run(["go", "install", "-trimpath", "-ldflags=-s -w", YAML_HOST], env=environment, check=True)
    return [str(folder)]


def main(arguments: list[str]) -> int:
    if not shutil.which("go"):
        print("go cannot be found, which would build the providers", file=sys.stderr)
        return SKIPPED
    program = FOLDER / "cluster" / "cluster"
    found = providers()
    path = os.pathsep.join([*hosts(), os.environ["PATH"]])
    cluster.build(program)
    if arguments == ["--install"]:
        return 0
    with contextlib.ExitStack() as stack:
        config = os.environ.get("KINGPOST_KUBECONFIG") or stack.enter_context(cluster.running(program, FOLDER / "cluster" / "run"))
        environment = os.environ | {"KINGPOST_REAL_PROVIDERS": str(found), "KINGPOST_KUBECONFIG": str(config), "PATH": path}
        if sshd := ssh.server():
            environment |= stack.enter_context(ssh.running(sshd, FOLDER / "ssh"))
        tests = ["-p", "no:cacheprovider", "-n", str(os.cpu_count()), "--dist", "worksteal", "-rs", *(arguments or ["tests/real"])]
        return subprocess.run([sys.executable, "-m", "pytest", "-q", *tests], cwd=REPOSITORY, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
