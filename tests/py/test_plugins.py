# SPDX-License-Identifier: Apache-2.0
"""Plugins from a server on this machine: downloaded when they are missing, or installed by the user."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import zipfile

import pytest
import yaml

from harness import Command, Workspace, peer_or_skip
from harness.fake_world import World
from harness.patience import patience
from harness.plugin_source import (Source, archive, asset_name, make_executable, self_signed, things_archive,
                                   things_files)
from harness.processes import kill_group

# Registers one thing as generated SDKs do. Its configuration gives the options that lead to a plugin.
PROGRAM = """
import json, pulumi
from google.protobuf import struct_pb2
from pulumi.runtime import settings
from pulumi.runtime.proto import resource_pb2
options = json.loads(pulumi.Config("shop").require("plugin"))
checksums = {k: bytes.fromhex(v) for k, v in options.pop("checksums", {}).items()}
inputs = struct_pb2.Struct()
inputs.update({"value": "v"})
settings.get_monitor().RegisterResource(resource_pb2.RegisterResourceRequest(
    type="things:index:Thing", name="thing", custom=True, object=inputs, acceptSecrets=True, acceptResources=True,
    pluginChecksums=checksums, **options))
"""
PATH = "/" + asset_name()
CACHED = ["resource-things-v1.0.0", "resource-things-v1.0.0.lastused", "resource-things-v1.0.0.lock"]
MISSING = "no resource plugin 'pulumi-resource-things' found in the workspace at version v1.0.0"


@pytest.fixture
def source():
    served = Source({PATH: things_archive()})
    yield served
    served.close()


def shop(root, command, source, stack="dev", **options):
    """Makes a project whose program needs the plugin `things` and may download it."""
    if not (root / "project").exists():
        (root / "project").mkdir(parents=True)
        (root / "project" / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (root / "project" / "__main__.py").write_text(PROGRAM)
    known = list((root / "backend").glob(f".pulumi/stacks/*/{stack}.json"))
    ws = Workspace(root, command, stack=stack, init=not known,
                   env={"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "false"})
    plugin = {"version": "1.0.0"} | ({"pluginDownloadURL": source.url} if source else {}) | options
    file = ws.project / f"Pulumi.{stack}.yaml"
    settings = (yaml.safe_load(file.read_text()) if file.exists() else None) or {}
    settings["config"] = {"shop:plugin": json.dumps(plugin)}
    file.write_text(yaml.safe_dump(settings))
    return ws


def cached(ws):
    folder = ws.home / "plugins"
    return sorted(os.listdir(folder)) if folder.exists() else []


def said(run):
    return run.out + run.err + run.diagnostics


def progress(run):
    """The messages about downloads and installations, without amounts."""
    seen = {(p["type"], p["id"], p["message"], p["done"]) for e in run.events if (p := e.get("progressEvent"))}
    return sorted(seen)


def sums(source, path=PATH):
    from harness.plugin_source import PLATFORM
    return {PLATFORM: hashlib.sha256(source.files[path]).hexdigest()}


def expected_progress(kind, message):
    return [(kind, f"{kind}:things-1.0.0", f"{message} plugin things-1.0.0", done) for done in (False, True)]


EXPECTED_PROGRESS = (expected_progress("plugin-download", "Downloading")
                     + expected_progress("plugin-install", "Installing"))


def test_a_missing_plugin_is_downloaded_when_it_is_used(tmp_path, source):
    ws = shop(tmp_path, Command.kingpost(), source)
    run = ws.up()
    assert ws.state().named("thing")["outputs"]["stamp"]
    assert source.asked == [PATH] and cached(ws) == CACHED
    assert progress(run) == EXPECTED_PROGRESS
    assert "Downloading plugin things-1.0.0: starting" in run.out and "things-1.0.0: done" in run.out
    mode = (ws.home / "plugins" / CACHED[0] / "pulumi-resource-things").stat().st_mode
    assert mode & 0o111 and not (ws.home / "plugins" / CACHED[0] / "ballast").stat().st_mode & 0o111
    ws.up()
    assert source.asked == [PATH], "a plugin that is there was asked for"


def test_the_plugins_of_the_state_are_installed_before_anything_else(tmp_path, source):
    ws = shop(tmp_path, Command.kingpost(), source)
    ws.up()
    shutil.rmtree(ws.home / "plugins")
    program = (ws.project / "__main__.py").read_text()
    (ws.project / "__main__.py").write_text("raise SystemExit(1)\n")  # before any provider is needed
    assert progress(ws.up("--skip-plugin-pre-install", check=False)) == []
    assert progress(ws.up(check=False)) == EXPECTED_PROGRESS
    (ws.project / "__main__.py").write_text(program)
    shutil.rmtree(ws.home / "plugins")
    run = ws.destroy()
    assert progress(run) == EXPECTED_PROGRESS
    kinds = [next(k for k in e if k not in ("sequence", "timestamp")) for e in run.events]
    assert kinds.index("progressEvent") < kinds.index("resourcePreEvent")
    for event in (e["progressEvent"] for e in run.events if "progressEvent" in e):
        assert 0 <= event["received"] <= event["total"], event


def test_the_cache_and_the_events_are_the_peers(tmp_path, source):
    seen = {}
    for command in (peer_or_skip(), Command.kingpost()):
        ws = shop(tmp_path / command.name, command, source)
        ws.up()
        first = cached(ws)
        shutil.rmtree(ws.home / "plugins")
        seen[command.name] = (first, cached(ws), progress(ws.refresh()), progress(ws.destroy()))
    assert seen["kingpost"] == seen["peer"]


def test_a_plugin_that_the_peer_installs_is_found_and_the_other_way_round(tmp_path, source):
    ws = shop(tmp_path, Command.kingpost(), source)
    peer = shop(tmp_path, peer_or_skip(), source)
    peer.run("plugin", "install", "resource", "things", "1.0.0", "--server", source.url)
    ws.up()
    assert source.asked == [PATH]
    shutil.rmtree(ws.home / "plugins")
    ws.run("plugin", "install", "resource", "things", "1.0.0", "--server", source.url)
    peer.refresh()
    assert source.asked == [PATH, PATH]


@pytest.mark.parametrize("variable", ["^http://127.0.0.1:[0-9]+/old=URL", "^http://(?P<host>[^/]+)/old=http://${host}"])
def test_overrides_replace_the_url(tmp_path, source, variable):
    ws = shop(tmp_path, Command.kingpost(), None, pluginDownloadURL=source.url + "/old")
    ws.up(env={"PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES": variable.replace("URL", source.url)})
    assert source.asked == [PATH]


def test_a_plugin_without_a_url_is_looked_for_where_the_overrides_say(tmp_path, source):
    ws = shop(tmp_path, Command.kingpost(), None)
    ws.up(env={"PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES": f"^github://api.github.com/pulumi/pulumi-things={source.url}"})
    assert source.asked == [PATH]


def test_the_checksum_is_verified(tmp_path, source):
    good = sums(source)
    shop(tmp_path / "good", Command.kingpost(), source, checksums=good).up()
    bad = {platform: "00" + digest[2:] for platform, digest in good.items()}
    ws = shop(tmp_path / "bad", Command.kingpost(), source, checksums=bad)
    run = ws.up(check=False)
    assert run.code != 0 and cached(ws) == ["resource-things-v1.0.0.lock"]
    actual = next(iter(good.values()))
    assert f"invalid checksum, expected 00{actual[2:]}, actual {actual}" in said(run)
    assert source.asked == [PATH, PATH], "the command downloaded a file with a wrong checksum again"
    # A recorded provider keeps its checksum: a destroy refuses another file.
    later = shop(tmp_path / "good", Command.kingpost(), source, checksums=good)
    shutil.rmtree(later.home / "plugins")
    source.files[PATH] = archive({"pulumi-resource-things": b"#!/bin/sh\necho evil\n"}, ("pulumi-resource-things",))
    run = later.destroy(check=False)
    assert run.code != 0 and "invalid checksum" in said(run)


def test_a_missing_plugin_is_reported(tmp_path, source):
    source.files.clear()
    ws = shop(tmp_path, Command.kingpost(), source)
    run = ws.up(check=False)
    assert run.code != 0 and cached(ws) == ["resource-things-v1.0.0.lock"]
    assert ("Could not automatically download and install resource plugin 'pulumi-resource-things' at version v1.0.0, "
            "install the plugin using `kingpost plugin install resource things v1.0.0 --server") in said(run)
    assert f"404 HTTP error fetching plugin from {source.url}{PATH}" in said(run)
    assert source.asked == [PATH]


def test_a_download_that_breaks_off_is_repeated(tmp_path, source):
    source.cut[PATH] = 2
    shop(tmp_path / "some", Command.kingpost(), source).up()
    assert source.asked == [PATH] * 3
    source.cut[PATH] = 99
    ws = shop(tmp_path / "all", Command.kingpost(), source)
    run = ws.up(check=False)
    assert run.code != 0 and "failed all 5 attempts" in said(run) and "the connection ended before" in said(run)
    assert cached(ws) == ["resource-things-v1.0.0.lock"]
    source.cut.clear()
    ws.up()


def test_redirects_are_followed(tmp_path, source):
    source.files["/elsewhere"] = source.files.pop(PATH)
    source.moved[PATH] = "/elsewhere"
    shop(tmp_path, Command.kingpost(), source).up()
    assert source.asked == [PATH, "/elsewhere"]


def test_an_archive_that_would_leave_its_folder_is_refused(tmp_path, source):
    source.files[PATH] = archive(things_files() | {"../../evil": b"gotcha"}, ("pulumi-resource-things",))
    ws = shop(tmp_path, Command.kingpost(), source)
    run = ws.up(check=False)
    assert run.code != 0 and '"../../evil" lies outside of it' in said(run)
    assert cached(ws) == ["resource-things-v1.0.0.lock"] and not list(tmp_path.rglob("evil"))


def test_two_operations_at_once_download_once(tmp_path, source):
    spaces = [shop(tmp_path, Command.kingpost(), source, stack=name) for name in ("one", "two")]
    source.go_on.clear()
    running = [ws.start("up") for ws in spaces]
    assert source.half_way.wait(60)
    source.go_on.set()
    for process in running:
        out, _ = process.communicate(timeout=patience(120))
        assert process.returncode == 0, out
    assert source.asked == [PATH] and cached(spaces[0]) == CACHED


def test_acquisition_can_be_switched_off(tmp_path, source):
    ws = shop(tmp_path, Command.kingpost(), source)
    run = ws.up(check=False, env={"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true"})
    assert run.code != 0 and MISSING in said(run)
    assert source.asked == [] and cached(ws) == []


def test_nothing_is_downloaded_for_a_provider_that_is_debugged(tmp_path, source):
    ws = shop(tmp_path, Command.kingpost(), source)
    with World() as world:
        ws.env["PULUMI_DEBUG_PROVIDERS"] = f"things:{world.port}"
        for run in (ws.up(), ws.refresh(), ws.destroy()):
            assert progress(run) == []
    said_to_it = {call.split()[0] for calls in world.calls.values() for _, call in calls}
    assert {"create", "read", "delete"} <= said_to_it
    assert source.asked == [] and cached(ws) == []


def test_a_download_that_was_killed_is_done_again(tmp_path, source):
    ws = shop(tmp_path, Command.kingpost(), source)
    source.go_on.clear()
    process = ws.start("up")
    assert source.half_way.wait(60)
    kill_group(process)
    assert set(cached(ws)) <= {CACHED[0], CACHED[0] + ".partial", CACHED[0] + ".lock"}
    source.go_on.set()
    assert json.loads(ws.run("plugin", "ls", "--json").out) == []
    ws.run("cancel", "--yes", "--stack", "dev", check=False)
    ws.up()
    assert cached(ws) == CACHED


def test_an_interrupt_ends_a_download(tmp_path, source):
    ws = shop(tmp_path, Command.kingpost(), source)
    source.go_on.clear()
    process = ws.start("up")
    assert source.half_way.wait(60)
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=patience(30))
    assert process.returncode != 0 and "thing" not in ws.state().names, out
    assert cached(ws) == ["resource-things-v1.0.0.lock"]


# ---- plugin install -------------------------------------------------------------------------------------------------

@pytest.fixture
def ws(tmp_path):
    return Workspace(tmp_path, Command.kingpost(), init=False)


def install(ws, *args, **kw):
    return ws.run("plugin", "install", *args, **kw)


def listed(ws):
    return [(p["kind"], p["name"], p["version"]) for p in json.loads(ws.run("plugin", "ls", "--json").out)]


def test_install_by_hand(ws, source):
    digest = next(iter(sums(source).values()))
    server = ("--server", source.url)
    run = install(ws, "resource", "things", "v1.0.0", *server, "--checksum", digest,
                  env={"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true"})
    assert "[resource plugin things-1.0.0] installing" in run.err
    assert listed(ws) == [("resource", "things", "1.0.0")]
    assert install(ws, "resource", "things@1.0.0", *server).err == "" and source.asked == [PATH]
    install(ws, "resource", "things", "1.0.0", *server, "--reinstall")
    assert source.asked == [PATH, PATH]
    wrong = install(ws, "resource", "things", "1.0.0", *server, "--reinstall", "--checksum", "00" * 32, check=False)
    assert wrong.code == 1 and f"[resource plugin things-1.0.0] downloading from {source.url}: " in wrong.err
    assert "invalid checksum, expected 0000" in wrong.err
    assert listed(ws) == []
    ws.run("plugin", "rm", "--all", "--yes")


def test_secrets_of_a_url_are_used_and_not_told(ws, source):
    source.files.clear()
    server = source.url.replace("://", "://me:hunter2@")
    run = install(ws, "resource", "things", "1.0.0", "--server", server, check=False)
    assert run.code == 1 and "404 HTTP error" in run.err and "hunter2" not in run.err
    assert source.tokens == ["Basic bWU6aHVudGVyMg=="]


@pytest.mark.parametrize("form", ["archive", "folder", "program"])
def test_install_from_a_file(ws, form):
    if form == "archive":
        path = ws.root / "things.tar.gz"
        path.write_bytes(things_archive())
    elif form == "folder":
        path = ws.root / "folder"
        path.mkdir()
        for name, content in things_files().items():
            make_executable(path / name, content)
    else:
        path = make_executable(ws.root / "program", b"#!/bin/sh\n")
    install(ws, "resource", "things", "2.0.0", "--file", str(path))
    assert listed(ws) == [("resource", "things", "2.0.0")]
    assert os.access(ws.home / "plugins" / "resource-things-v2.0.0" / "pulumi-resource-things", os.X_OK)


@pytest.mark.parametrize("args, words", [
    (("fruit", "things"), "unrecognized plugin kind: fruit"),
    (("resource",), "missing plugin name argument"),
    (("resource", "things", "latest"), "invalid plugin semver: latest"),
    (("resource", "things", "--file", "x"), "missing plugin version argument"),
    (("resource", "things", "1.0.0", "--file", "absent"), "there is no file absent"),
    (("resource", "things", "1.0.0", "--checksum", "xyz"), "--checksum was not a valid hex string"),
    (("resource", "things@1.0.0", "2.0.0"), "cannot specify a version when the version is part of the name"),
    (("resource", "things", "--server", "http://127.0.0.1:1"), "GetLatestVersion is not supported"),
    (("language", "python"), "is part of this program"),
    (("--file", "x"), "only valid if a specific package"),
    (("resource", "things", "1.0.0", "--server", "ftp://acme.com"), "unknown plugin source scheme"),
], ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else "")
def test_a_plugin_that_cannot_be_installed_is_refused(ws, args, words):
    run = install(ws, *args, check=False)
    assert run.code != 0 and words in run.err, run.err
    assert listed(ws) == []


def test_install_what_the_project_needs(ws, source):
    """The packages of a Node.js project name its plugins. `plugin install` reads them without node and without a stack."""
    (ws.project / "Pulumi.yaml").write_text("name: shop\nruntime: nodejs\n")
    package = ws.project / "node_modules" / "@pulumi" / "things"
    package.mkdir(parents=True)
    (package / "package.json").write_text(json.dumps(
        {"name": "@pulumi/things", "version": "v1.0.0", "pulumi": {"resource": True, "server": source.url}}))
    install(ws)
    assert listed(ws) == [("resource", "things", "1.0.0")]


def test_releases_of_a_github_server(ws):
    """Asks a server with a certificate of its own for the latest version, the list of files, then the file."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    certificate, key = self_signed(ws.root)
    source = Source(certificate=(certificate, key))
    repository = "/repos/acme/pulumi-things/releases"
    source.files = {
        f"{repository}/latest": b'{"tag_name": "v1.0.0"}',
        f"{repository}/tags/v1.0.0": json.dumps(
            {"assets": [{"name": asset_name(), "url": source.url + "/assets/1"}]}).encode(),
        "/assets/1": things_archive()}
    arguments = ("resource", "things", "--server", f"github://{source.address}/acme")
    untrusted = install(ws, *arguments, check=False)
    assert untrusted.code == 1 and "SSL_CERT_FILE" in untrusted.err, untrusted.err
    host = source.address.partition(":")[0]
    install(ws, *arguments, env={"SSL_CERT_FILE": str(certificate), "GITHUB_TOKEN": "hunter2", "GH_HOST": host})
    assert listed(ws) == [("resource", "things", "1.0.0")]
    assert source.asked == [f"{repository}/latest", f"{repository}/tags/v1.0.0", "/assets/1"]
    assert set(source.tokens) == {"token hunter2"}
    source.tokens.clear()
    install(ws, *arguments, "--reinstall", env={"SSL_CERT_FILE": str(certificate), "GITHUB_TOKEN": "hunter2"})
    assert set(source.tokens) == {""}, "the token went to a host that the user did not name"
    # The command asks once more without a token that was refused.
    source.status[f"{repository}/latest"] = 401
    refused = install(ws, *arguments, "--reinstall", check=False,
                      env={"SSL_CERT_FILE": str(certificate), "GITHUB_TOKEN": "hunter2"})
    assert refused.code == 1 and "401 HTTP error" in refused.err and "" in source.tokens
    source.close()


def test_a_plugin_in_source_form_gets_its_dependencies(ws):
    wheel = ws.root / "plugin" / "lamp-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("lamp.py", "LIGHT = 1\n")
        file.writestr("lamp-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: lamp\nVersion: 1.0\n")
        file.writestr("lamp-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("lamp-1.0.dist-info/RECORD", "")
    (ws.root / "plugin" / "PulumiPlugin.yaml").write_text("runtime: python\n")
    (ws.root / "plugin" / "__main__.py").write_text("import lamp\n")
    (ws.root / "plugin" / "requirements.txt").write_text(f"./{wheel.name}\n")
    install(ws, "resource", "lamps", "1.0.0", "--file", str(ws.root / "plugin"))
    python = ws.home / "plugins" / "resource-lamps-v1.0.0" / "venv" / "bin" / "python"
    assert subprocess.run([python, "-c", "import lamp; print(lamp.LIGHT)"], capture_output=True).stdout == b"1\n"
    (ws.root / "plugin" / "requirements.txt").write_text("./absent.whl\n")
    failed = install(ws, "resource", "lamps", "2.0.0", "--file", str(ws.root / "plugin"), check=False)
    assert failed.code == 1 and "installing the dependencies of plugin lamps-2.0.0" in failed.err
    assert "absent.whl" in failed.err
    assert listed(ws) == [("resource", "lamps", "1.0.0")]


# ---- assets ---------------------------------------------------------------------------------------------------------

ASSETS = """
import pulumi
class Thing(pulumi.CustomResource):
    def __init__(self, name, value):
        super().__init__("things:index:Thing", name, {"value": value})
url = pulumi.Config("shop").require("url")
Thing("page", pulumi.RemoteAsset(url + "/page.html?token=hunter2"))
Thing("pack", pulumi.RemoteArchive(url + "/pack.tar.gz"))
"""


def test_assets_and_archives_are_fetched(tmp_path):
    source = Source({"/page.html": b"<p>hello</p>", "/pack.tar.gz": archive({"a.txt": b"a"})})
    ws = shop(tmp_path, Command.kingpost(), source)
    plugin = ws.root / "things"
    plugin.mkdir()
    for name, content in things_files().items():
        make_executable(plugin / name, content)
    project = {"name": "shop", "runtime": "python", "plugins": {"providers": [{"name": "things", "path": "../things"}]}}
    (ws.project / "Pulumi.yaml").write_text(yaml.safe_dump(project))
    (ws.project / "__main__.py").write_text(ASSETS)
    ws.config(**{"shop:url": source.url})
    ws.up()
    for name, path in (("page", "/page.html"), ("pack", "/pack.tar.gz")):
        assert ws.state().named(name)["inputs"]["value"]["hash"] == hashlib.sha256(source.files[path]).hexdigest()
    assert ws.preview("--expect-no-changes").changed() == {}
    source.files["/page.html"] = b"<p>good-bye</p>"
    assert ws.up().changed() == {"page": ["update"]}
    del source.files["/page.html"]
    run = ws.up(check=False)
    assert run.code != 0 and f"404 HTTP error fetching {source.url}/page.html" in said(run)
    assert "hunter2" not in run.err
    source.close()
