# SPDX-License-Identifier: Apache-2.0
"""Plugins and policy packs in source form: built from Go, cloned from git repositories, run by hand."""

import os
import shutil
import subprocess
import sys

import pytest
import yaml

from harness import Command, PROGRAMS, Workspace, peer_or_skip
from harness.cobol import with_cobol
from harness.git_server import git_server
from harness.patience import patience

GO = PROGRAMS / "go"
needs_go = pytest.mark.skipif(shutil.which("go") is None, reason="Go is not on PATH")

# Keys of the provider in Go, without an SDK of it.
PROGRAM = """
import pulumi
class Key(pulumi.CustomResource):
    def __init__(self, name, **inputs):
        super().__init__("vault:index:Key", name, inputs)
Key("first", bits=128, label=pulumi.Config().get("label") or "a")
"""

# A policy pack that refuses one label, with no more than the protocol.
PACK = """
package main

import (
	"context"
	"fmt"
	"os"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

type pack struct {
	pulumirpc.UnimplementedAnalyzerServer
	refused string
}

func (p *pack) Handshake(context.Context, *pulumirpc.AnalyzerHandshakeRequest) (
	*pulumirpc.AnalyzerHandshakeResponse, error) {
	return &pulumirpc.AnalyzerHandshakeResponse{}, nil
}

func (p *pack) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.0.0"}, nil
}

func (p *pack) GetAnalyzerInfo(context.Context, *emptypb.Empty) (*pulumirpc.AnalyzerInfo, error) {
	schema := &pulumirpc.PolicyConfigSchema{}
	return &pulumirpc.AnalyzerInfo{Name: "labels", Version: "1.0.0", SupportsConfig: true, Policies: []*pulumirpc.PolicyInfo{
		{Name: "label", Description: "Labels", EnforcementLevel: pulumirpc.EnforcementLevel_MANDATORY,
			ConfigSchema: schema}}}, nil
}

func (p *pack) Configure(_ context.Context, r *pulumirpc.ConfigureAnalyzerRequest) (*emptypb.Empty, error) {
	if label := r.PolicyConfig["label"].GetProperties().GetFields()["refused"]; label != nil {
		p.refused = label.GetStringValue()
	}
	return &emptypb.Empty{}, nil
}

func (p *pack) Analyze(_ context.Context, r *pulumirpc.AnalyzeRequest) (*pulumirpc.AnalyzeResponse, error) {
	label := r.Properties.Fields["label"].GetStringValue()
	if r.Type != "vault:index:Key" || label != p.refused {
		return &pulumirpc.AnalyzeResponse{}, nil
	}
	return &pulumirpc.AnalyzeResponse{Diagnostics: []*pulumirpc.AnalyzeDiagnostic{{PolicyName: "label",
		PolicyPackName: "labels", PolicyPackVersion: "1.0.0", EnforcementLevel: pulumirpc.EnforcementLevel_MANDATORY,
		Message: "the label " + label + " is refused", Urn: r.Urn}}}, nil
}

func (p *pack) AnalyzeStack(context.Context, *pulumirpc.AnalyzeStackRequest) (*pulumirpc.AnalyzeResponse, error) {
	return &pulumirpc.AnalyzeResponse{}, nil
}

func main() {
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{Init: func(s *grpc.Server) error {
		pulumirpc.RegisterAnalyzerServer(s, &pack{refused: "bad"})
		return nil
	}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(handle.Port)
	if err := <-handle.Done; err != nil {
		os.Exit(1)
	}
}
"""


def go_sources(folder, main):
    folder.mkdir(parents=True)
    for name in ("go.mod", "go.sum"):
        shutil.copy(GO / name, folder / name)
    (folder / "main.go").write_text(main)
    return folder


def go_provider(folder):
    go_sources(folder, (GO / "provider" / "main.go").read_text())
    (folder / "PulumiPlugin.yaml").write_text("runtime: go\n")
    return folder


def workspace(root, **settings):
    (root / "project").mkdir(parents=True)
    (root / "project" / "Pulumi.yaml").write_text(yaml.safe_dump({"name": "shop", "runtime": "python"} | settings))
    (root / "project" / "__main__.py").write_text(PROGRAM)
    ws = Workspace(root, Command.kingpost())
    # The test may use Go's earlier compilations.
    go = subprocess.run(["go", "env", "GOCACHE"], check=True, capture_output=True, text=True).stdout.strip()
    ws.env.update(XDG_CACHE_HOME=str(root / "cache"), GOCACHE=go)
    return ws


def built(ws):
    """The kept builds, with their age."""
    return {path.parent.name: path.stat().st_ino for path in (ws.root / "cache" / "kingpost" / "built").glob("*/program")}


def compiled(run):
    return any((e.get("progressEvent") or {}).get("message", "").startswith("Compiling") for e in run.events)


# ---- sources in Go --------------------------------------------------------------------------------------------------


@needs_go
def test_a_provider_in_go_is_built_once_for_what_it_is_made_of(tmp_path):
    provider = go_provider(tmp_path / "vault")
    ws = workspace(tmp_path / "ws", plugins={"providers": [{"name": "vault", "path": str(provider)}]})
    first = ws.up(timeout=600)
    assert first.changed()["first"] == ["create"] and compiled(first)
    one = built(ws)
    assert len(one) == 1 and list((ws.root / "cache" / "kingpost" / "built").glob("new-*")) == []
    again = ws.preview("--expect-no-changes")
    assert not compiled(again) and built(ws) == one

    # A file that was not there before counts as well, and what changes back is there still.
    (provider / "more.go").write_text("package main\n\nvar x int = text\n")
    broken = ws.preview(check=False, timeout=600)
    assert broken.code == 1 and compiled(broken) and built(ws) == one
    assert "more.go" in broken.diagnostics and "undefined: text" in broken.diagnostics
    assert "error in compiling Go: unable to run `go build`: exit status 1" in broken.diagnostics
    (provider / "more.go").unlink()
    assert not compiled(ws.preview("--expect-no-changes")) and built(ws) == one


def without_go(root):
    """PATH with the interpreters of the program alone."""
    folder = root / "without-go"
    folder.mkdir(exist_ok=True)
    for name, path in (("python3", sys.executable), ("python", sys.executable), ("sh", "/bin/sh")):
        link = folder / name
        if not link.exists():
            link.write_text(f'#!/bin/sh\nexec "{path}" "$@"\n')
            link.chmod(0o755)
    assert shutil.which("go", path=str(folder)) is None
    return str(folder)


@needs_go
def test_go_that_is_missing_is_told(tmp_path):
    provider = go_provider(tmp_path / "vault")
    ws = workspace(tmp_path / "ws", plugins={"providers": [{"name": "vault", "path": str(provider)}]})
    failed = ws.preview(check=False, env={"PATH": without_go(tmp_path)})
    assert failed.code == 1
    assert f"install Go and put it on PATH, or build the plugin vault in {provider} into an executable" in failed.diagnostics


@needs_go
def test_a_policy_pack_in_go_is_built_and_configured(tmp_path):
    provider = go_provider(tmp_path / "vault")
    pack = go_sources(tmp_path / "pack", PACK)
    (pack / "PulumiPolicy.yaml").write_text("runtime: go\nname: labels\nversion: 1.0.0\n")
    ws = workspace(tmp_path / "ws", plugins={"providers": [{"name": "vault", "path": str(provider)}]})
    assert ws.preview("--policy-pack", str(pack), timeout=600).code == 0
    ws.config(label="bad")
    refused = ws.preview("--policy-pack", str(pack), check=False)
    assert refused.code == 1 and "the label bad is refused" in refused.out + refused.diagnostics
    assert len(built(ws)) == 2
    config = tmp_path / "config.json"
    config.write_text('{"label": {"refused": "other"}}')
    assert ws.preview("--policy-pack", str(pack), "--policy-pack-config", str(config)).code == 0


# ---- sources in a language that has a plugin ------------------------------------------------------------------------


COBOL = {"runtime": {"name": "cobol", "options": {"dialect": "85", "loud": True}}}

# The output of a policy pack is shown, so it needs no policies.
COBOL_PACK = """
import sys
from concurrent import futures
import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import analyzer_pb2 as pb, analyzer_pb2_grpc, plugin_pb2

class Pack(analyzer_pb2_grpc.AnalyzerServicer):
    def GetAnalyzerInfo(self, request, context):
        return pb.AnalyzerInfo(name="labels", version="1.0.0", policies=[
            pb.PolicyInfo(name="label", enforcementLevel=pb.MANDATORY)])
    def Analyze(self, request, context):
        refused = request.properties.fields["value"].string_value == "bad"
        return pb.AnalyzeResponse(diagnostics=[pb.AnalyzeDiagnostic(
            policyName="label", policyPackName="labels", policyPackVersion="1.0.0", message="the label is refused",
            enforcementLevel=pb.MANDATORY, urn=request.urn)] if refused else [])
    def AnalyzeStack(self, request, context):
        return pb.AnalyzeResponse()
    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="1.0.0")

server = grpc.server(futures.ThreadPoolExecutor(4))
analyzer_pb2_grpc.add_AnalyzerServicer_to_server(Pack(), server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()
print(port)
print("the pack has arguments:", len(sys.argv) - 1)
server.wait_for_termination()
"""


def in_cobol(folder, description, source):
    folder.mkdir()
    (folder / description).write_text(yaml.safe_dump(COBOL))
    (folder / "main.cob").write_text(source)
    return folder


@pytest.fixture
def cobol(tmp_path):
    """A project whose provider is in a language that only a language plugin can run."""
    things = in_cobol(tmp_path / "things", "PulumiPlugin.yaml", (PROGRAMS / "things" / "__main__.py").read_text())
    project = tmp_path / "ws" / "project"
    project.mkdir(parents=True)
    (project / "Pulumi.yaml").write_text(yaml.safe_dump(
        {"name": "shop", "runtime": "yaml", "plugins": {"providers": [{"name": "things", "path": str(things)}]},
         "config": {"value": {"default": "good"}},
         "resources": {"first": {"type": "things:index:Thing", "properties": {"value": "${value}"}}}}))
    ws = Workspace(tmp_path / "ws", Command.kingpost())
    with_cobol(ws)
    return ws


def running(ws):
    """The processes whose command lines name this test's provider."""
    listed = subprocess.run(["ps", "-eo", "args"], check=True, capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if str(ws.root.parent / "things") in line]


def test_a_plugin_runs_the_sources_of_its_language(cobol, tmp_path):
    assert cobol.up().changed()["first"] == ["create"]
    assert (tmp_path / "things" / "asked").read_text() == f"resource {cobol.project}\n"
    assert running(cobol) == []
    (tmp_path / "things" / "main.cob").write_text("import sys\nprint('no', file=sys.stderr)\nsys.exit(3)\n")
    failed = cobol.preview(check=False)
    assert failed.code == 1 and "exit status 3" in failed.diagnostics and "compiled" in failed.diagnostics


def test_a_policy_pack_runs_by_the_plugin_of_its_language(cobol, tmp_path):
    pack = in_cobol(tmp_path / "pack", "PulumiPolicy.yaml", COBOL_PACK)
    shown = cobol.preview("--policy-pack", str(pack))
    assert "the pack has arguments: 1" in shown.out + shown.diagnostics
    assert (pack / "asked").read_text() == f"analyzer {cobol.project}\n"
    cobol.config(value="bad")
    refused = cobol.preview("--policy-pack", str(pack), check=False)
    assert refused.code == 1 and "the label is refused" in refused.out + refused.diagnostics


def test_a_language_without_a_plugin_is_told(cobol):
    del cobol.env["PATH"]
    failed = cobol.preview(check=False)
    assert failed.code == 1 and "no language plugin 'pulumi-language-cobol' found" in failed.diagnostics


# ---- git repositories -----------------------------------------------------------------------------------------------


def git(folder, *words):
    named = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.c"}
    return subprocess.run(["git", *words], cwd=folder, env=os.environ | named, check=True, capture_output=True,
                          text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path):
    """A bare repository with a plugin in a folder; https://git.test/acme/tools leads to it."""
    work, bare = tmp_path / "source", tmp_path / "acme" / "tools.git"
    (work / "echo").mkdir(parents=True)
    (work / "echo" / "PulumiPlugin.yaml").write_text("runtime: python\n")
    git(work, "init", "-q", "-b", "main")
    for version in ("1.0.0", "1.1.0"):
        (work / "echo" / "__main__.py").write_text(TOOL.format(version=version))
        git(work, "add", "-A")
        git(work, "commit", "-q", "-m", version)
        git(work, "tag", f"v{version}")
    (work / "echo" / "__main__.py").write_text(TOOL.format(version="newest"))
    git(work, "commit", "-q", "-a", "-m", "newest")
    bare.parent.mkdir()
    git(tmp_path, "clone", "-q", "--bare", str(work), str(bare))
    return bare


TOOL = """
import os, sys
print("{version}", *sys.argv[1:], sys.stdin.read().strip(), "served" if os.environ.get("PULUMI_RPC_TARGET") else "alone")
sys.exit(7 if "fail" in sys.argv else 0)
"""


@pytest.fixture
def tools(tmp_path, repository):
    """The command, in an environment in which https://git.test/acme/tools leads to that repository."""
    home = tmp_path / "home"
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PULUMI_HOME": str(home), "GIT_CONFIG_COUNT": "2",
           "GIT_CONFIG_KEY_0": f"url.file://{repository}.insteadOf", "GIT_CONFIG_VALUE_0": "https://git.test/acme/tools.git",
           "GIT_CONFIG_KEY_1": "protocol.file.allow", "GIT_CONFIG_VALUE_1": "always"}

    def call(*words, code=0, **options):
        run = subprocess.run([Command.kingpost().path, *words], cwd=tmp_path, env=env | options.pop("more", {}), text=True,
                             capture_output=True, timeout=patience(120), **({"input": ""} | options))
        assert run.returncode == code, run.stdout + run.stderr
        return run

    call.cached = lambda: sorted(p.name for p in (home / "plugins").glob("*") if p.is_dir())
    return call


ADDRESS = "git.test/acme/tools/echo"


@pytest.mark.parametrize("words, version", [
    ([ADDRESS], "1.1.0"), ([f"https://{ADDRESS}"], "1.1.0"), (["git://git.test/acme/tools.git/echo"], "1.1.0"),
    ([f"{ADDRESS}@v1.0.0"], "1.0.0"), ([ADDRESS, "1.0.0"], "1.0.0")])
def test_plugins_are_installed_from_git_repositories(tools, words, version):
    tools("plugin", "install", "resource", *words)
    assert tools.cached() == [f"resource-git.test_acme_tools.git_echo-v{version}"]
    assert "installing" not in tools("plugin", "install", "resource", *words).stderr


def test_a_commit_is_a_version(tools, repository):
    commit = git(repository, "rev-parse", "main")
    tools("plugin", "install", "tool", f"{ADDRESS}@{commit}")
    assert tools.cached() == [f"tool-git.test_acme_tools.git_echo-v0.0.0-x{commit}"]
    assert tools("plugin", "run", f"{ADDRESS}@{commit}").stdout == "newest  served\n"


def test_a_repository_without_tags_is_taken_at_its_newest_commit(tools, repository):
    git(repository, "tag", "-d", "v1.0.0", "v1.1.0")
    commit = git(repository, "rev-parse", "main")
    tools("plugin", "install", "resource", f"file://{repository}/echo")
    assert [name.partition("-v")[2] for name in tools.cached()] == [f"0.0.0-x{commit}"]


@pytest.mark.parametrize("words, code, says", [
    ([f"{ADDRESS}@v9.0.0"], 1, "has no tag for the version 9.0.0"),
    ([f"{ADDRESS}@main"], 2, "VERSION must be valid semver or git commit hash: main"),
    (["git.test/acme/tools/absent"], 1, "https://git.test/acme/tools.git has no folder 'absent'"),
    (["https://user:hunter2@git.test/acme/other"], 1, "cannot get https://git.test/acme/other.git: git says:"),
    ([ADDRESS, "--server", "https://x.test"], 2, "cannot specify a plugin download URL when the plugin name is a URL"),
    ([f"{ADDRESS}@v1.0.0", "1.1.0"], 2, "cannot specify a version when the version is part of the name")])
def test_a_repository_without_the_plugin_is_refused(tools, words, code, says):
    run = tools("plugin", "install", "resource", *words, code=code)
    assert says in run.stderr and "hunter2" not in run.stderr
    assert tools.cached() == []


@pytest.mark.parametrize("which", ["kingpost", "peer"])
def test_a_host_may_have_a_port_and_no_dot(tmp_path, repository, which):
    command = Command.kingpost() if which == "kingpost" else peer_or_skip()
    commit = git(repository, "rev-parse", "main")
    with git_server(tmp_path, tmp_path) as (address, certificate):
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PULUMI_HOME": str(tmp_path / "home"),
               "SSL_CERT_FILE": str(certificate), "GIT_SSL_CAINFO": str(certificate), "PULUMI_SKIP_UPDATE_CHECK": "1"}
        for more in ([], ["1.0.0"]):
            subprocess.run([command.path, "plugin", "install", "resource", f"{address}/acme/tools.git", *more], check=True,
                           cwd=tmp_path, env=env, timeout=patience(120), stdin=subprocess.DEVNULL)
        subprocess.run([command.path, "plugin", "install", "tool", f"{address}/acme/tools.git@{commit}"], check=True,
                       cwd=tmp_path, env=env, timeout=patience(120), stdin=subprocess.DEVNULL)
    name = address.removeprefix("https://") + "_acme_tools.git"
    folders = {path.name for path in (tmp_path / "home" / "plugins").iterdir() if path.is_dir()}
    assert folders == {f"resource-{name}-v1.0.0", f"resource-{name}-v1.1.0", f"tool-{name}-v0.0.0-x{commit}"}


# ---- plugin run -----------------------------------------------------------------------------------------------------


def test_a_plugin_is_run_with_arguments_and_input(tools, repository):
    run = tools("plugin", "run", f"{ADDRESS}@1.0.0", "--", "--loud", "two words", input="typed\n")
    assert run.stdout == "1.0.0 --loud two words typed served\n"
    failed = tools("plugin", "run", f"{ADDRESS}@1.0.0", "fail", code=7)
    assert failed.stdout == "1.0.0 fail  served\n" and failed.stderr == ""


def test_a_program_or_a_folder_is_run(tools, tmp_path):
    program = tmp_path / "pulumi-tool-shout"
    program.write_text('#!/bin/sh\necho "$1 from $PWD"\nexit 3\n')
    program.chmod(0o755)
    assert tools("plugin", "run", "./pulumi-tool-shout", "hi", code=3).stdout == f"hi from {tmp_path}\n"
    found = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert tools("plugin", "run", "shout", "hi", code=3, more=found).stdout == f"hi from {tmp_path}\n"
    assert tools("plugin", "run", "./source/echo").stdout == "newest  served\n"


def test_a_plugin_that_cannot_run_is_refused(tools):
    assert "unrecognized plugin kind: hammer" in tools("plugin", "run", "x", "--kind", "hammer", code=2).stderr
    assert 'invalid plugin name "9x"' in tools("plugin", "run", "9x", code=2).stderr
    assert "there is no plugin at" in tools("plugin", "run", "./absent", code=1).stderr
    off = {"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true"}
    assert "could not get plugin path: no tool plugin 'pulumi-tool-absent' found" in tools(
        "plugin", "run", "absent", code=1, more=off).stderr
