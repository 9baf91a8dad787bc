# SPDX-License-Identifier: Apache-2.0
"""The Python module serves providers and policies as plugins, to this command and, where KINGPOST_PEER names it, to the real
one. A plugin serves the same module that a stack uses in process."""

import asyncio
import json
import signal
import subprocess
import sys
import time

import kingpost
import pytest
from harness import Command, Workspace, peer_or_skip
from harness.patience import patience
from kingpost import _policy_server, _provider_server
from pulumi.runtime.proto import analyzer_pb2, provider_pb2

SITE = '''
import asyncio, json, pathlib
from dataclasses import dataclass
from typing import Annotated, List, Optional
import kingpost
import pulumi

site = kingpost.Provider("site", version="1.0.0")
FOLDER = pathlib.Path({folder!r})


@dataclass
class PageInputs:
    path: Annotated[str, kingpost.replace_on_change]
    text: str = "empty"
    tags: Optional[List[str]] = None
    token: Annotated[Optional[str], kingpost.secret] = None
    logo: Optional[kingpost.Asset] = None


@site.resource("site:index:Page")
class Page:
    """A page."""

    inputs: PageInputs
    size: int

    def create(self):
        if self.inputs.text == "explode":
            raise ValueError("the page is on fire")
        if self.inputs.text == "nameless":
            raise kingpost.Incomplete("it has no address")
        self.id = self.inputs.path
        self.write()
        if self.inputs.text == "slow":
            raise kingpost.Incomplete("it does not answer yet")
        return self.id

    def write(self):
        (FOLDER / self.inputs.path).write_text(self.inputs.text)
        self.size = len(self.inputs.text)

    async def read(self):
        file = FOLDER / self.id
        if not file.exists():
            return False
        self.inputs.text = file.read_text()
        self.size = len(self.inputs.text)

    def update(self, old):
        self.write()

    def delete(self):
        (FOLDER / self.id).unlink()


class PairArgs:
    text: pulumi.Input[str]


@site.component
class Pair(pulumi.ComponentResource):
    """Two pages."""

    size: pulumi.Output[int]

    def __init__(self, name: str, args: PairArgs, opts: Optional[pulumi.ResourceOptions] = None):
        super().__init__("site:index:Pair", name, {{}}, opts)
        inside = pulumi.ResourceOptions(parent=self)
        first = site.declare(Page, f"{{name}}-1", opts=inside, path=f"{{name}}-1", text=args["text"])
        site.declare(Page, f"{{name}}-2", opts=inside, path=f"{{name}}-2", text=args["text"])
        self.size = first.size
        self.register_outputs({{"size": self.size}})
'''

PROGRAM = """
import json
import pulumi

class Page(pulumi.CustomResource):
    size: pulumi.Output
    def __init__(self, name, opts=None, **inputs):
        super().__init__("site:index:Page", name, {"size": None, **inputs}, opts)

class Pair(pulumi.ComponentResource):
    size: pulumi.Output
    def __init__(self, name, text):
        super().__init__("site:index:Pair", name, {"text": text, "size": None}, remote=True)

inputs = json.loads(pulumi.Config().require("inputs"))
if inputs:
    page = Page("home", token=pulumi.Output.secret("t0ken"), logo=pulumi.StringAsset("*"), **inputs)
    pulumi.export("size", page.size)
    if inputs["text"] == "pair":
        pulumi.export("pair", Pair("p", "pair").size)
"""


@pytest.fixture(params=["kingpost", "peer"])
def command(request):
    return Command.kingpost() if request.param == "kingpost" else peer_or_skip()


@pytest.fixture
def served(command, tmp_path):
    """A project, whose provider is the folder beside it with a PulumiPlugin.yaml; and the folder of the pages."""
    pages, plugin, project = tmp_path / "pages", tmp_path / "site", tmp_path / "project"
    for folder in (pages, plugin, project):
        folder.mkdir()
    (plugin / "PulumiPlugin.yaml").write_text("runtime: python\n")
    (plugin / "pages.py").write_text(SITE.format(folder=str(pages)))
    (plugin / "__main__.py").write_text("import kingpost\nfrom pages import site\n\nkingpost.serve(site)\n")
    (project / "Pulumi.yaml").write_text(
        "name: shop\nruntime: python\nplugins:\n  providers:\n    - name: site\n      path: ../site\n"
    )
    (project / "__main__.py").write_text(PROGRAM)
    workspace = Workspace(tmp_path, command)
    return workspace, pages


def deploy(workspace, inputs, *args, check=True):
    workspace.run("config", "set", "inputs", json.dumps(inputs))
    return workspace.run("up", "--yes", "--skip-preview", *args, check=check)


def written(folder):
    return {file.name: file.read_text() for file in folder.iterdir()}


def test_life_of_a_served_resource(served):
    workspace, pages = served
    deploy(workspace, {"path": "a", "text": "hello", "tags": ["x"]})
    assert written(pages) == {"a": "hello"} and workspace.run("stack", "output", "size").out.strip() == "5"
    assert "t0ken" not in workspace.run("stack", "export").out
    assert "unchanged" in deploy(workspace, {"path": "a", "text": "hello", "tags": ["x"]}).out
    assert "~ 1 updated" in deploy(workspace, {"path": "a", "text": "bye", "tags": ["x"]}).out
    (pages / "a").write_text("drifted")
    workspace.run("refresh", "--yes", "--skip-preview")
    assert json.loads(workspace.run("stack", "export").out)["deployment"]["resources"][-1]["outputs"]["text"] == "drifted"
    assert "replaced" in deploy(workspace, {"path": "b", "text": "bye"}).out
    assert written(pages) == {"b": "bye"}
    workspace.run("destroy", "--yes", "--skip-preview")
    assert written(pages) == {}


@pytest.mark.parametrize(
    "inputs, told",
    [
        ({"path": "a", "text": 7}, "must be a string, not a number"),
        ({"path": "a", "text": "explode"}, "the page is on fire"),
    ],
)
def test_failures_of_a_served_resource_are_told(served, inputs, told):
    workspace, pages = served
    failed = deploy(workspace, inputs, check=False)
    assert failed.code != 0 and told in failed.out + failed.err and "Traceback" not in failed.out + failed.err
    assert written(pages) == {}


def test_an_incomplete_resource_is_recorded(served):
    workspace, pages = served
    failed = deploy(workspace, {"path": "a", "text": "slow"}, check=False)
    assert failed.code != 0 and "it does not answer yet" in failed.out + failed.err
    resources = json.loads(workspace.run("stack", "export").out)["deployment"]["resources"]
    assert resources[-1]["id"] == "a" and resources[-1]["initErrors"] == ["it does not answer yet"]
    assert "~ 1 updated" in deploy(workspace, {"path": "a", "text": "quick"}).out


def test_an_incomplete_resource_without_an_id_is_a_pending_operation(served):
    workspace, _ = served
    failed = deploy(workspace, {"path": "a", "text": "nameless"}, check=False)
    told = "Page raised Incomplete before its id was known: it has no address; set self.id first"
    assert failed.code != 0 and told in failed.out + failed.err
    deployment = json.loads(workspace.run("stack", "export").out)["deployment"]
    assert [pending["type"] for pending in deployment["pending_operations"]] == ["creating"]
    assert not any(resource["type"] == "site:index:Page" for resource in deployment["resources"])


def test_a_served_component(served):
    workspace, pages = served
    deploy(workspace, {"path": "a", "text": "pair"})
    assert sorted(written(pages)) == ["a", "p-1", "p-2"]
    assert workspace.run("stack", "output", "pair").out.strip() == "4"


def test_the_schema_is_accepted(served, command):
    workspace, _ = served
    if not command.is_peer:
        pytest.skip("package get-schema is the real command's")
    plugin = workspace.root / "site" / "pulumi-resource-site"
    plugin.write_text(f"#!/bin/sh\ncd {plugin.parent}\nexec {sys.executable} -m kingpost provider pages \"$@\"\n")
    plugin.chmod(0o755)
    schema = json.loads(workspace.run("package", "get-schema", str(plugin)).out)
    page = schema["resources"]["site:index:Page"]
    assert page["requiredInputs"] == ["path"] and page["inputProperties"]["token"]["secret"]
    assert page["inputProperties"]["logo"] == {"$ref": "pulumi.json#/Asset"}
    assert schema["resources"]["site:index:Pair"]["isComponent"]


# --- the protocol ---------------------------------------------------------------------------------

WHOLE = """
import asyncio
import kingpost

class Whole(kingpost.Provider):
    async def parameterize(self, request):
        if request.args is not None:
            return kingpost.ParameterizeResponse(request.args[0], "1.0.0")
        return kingpost.ParameterizeResponse(request.name, request.value.decode())

    def get_mapping(self, request):
        return kingpost.MappingResponse("whole", request.key.encode())

    def check_config(self, request):
        return kingpost.CheckResponse({**request.new_inputs, "retries": 3})

    def diff_config(self, request):
        return kingpost.DiffResponse(True, replaces=["region"], detailed={"region": "update-replace"})

    async def configure(self, request):
        self.region = request.inputs["region"]

    def invoke(self, request):
        if request.token == "whole:index:fail":
            raise ValueError("not today")
        assert isinstance(request.args["key"], kingpost.Secret) and request.args["later"] is kingpost.UNKNOWN
        return kingpost.InvokeResponse({"region": self.region, "back": request.args}, ["mind the gap"])

    def diff(self, request):
        return "nonsense"
"""


def test_every_method_over_the_wire(tmp_path):
    grpc = pytest.importorskip("grpc")
    from google.protobuf import empty_pb2, struct_pb2
    from pulumi.runtime import rpc
    from pulumi.runtime.proto import provider_pb2 as pb
    from pulumi.runtime.proto import provider_pb2_grpc

    def struct(**values):
        message = struct_pb2.Struct()
        message.update(values)
        return message

    (tmp_path / "whole.py").write_text(WHOLE)
    command = [sys.executable, "-m", "kingpost", "provider", "whole"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        try:
            channel = grpc.insecure_channel(f"127.0.0.1:{int(process.stdout.readline())}")
            provider = provider_pb2_grpc.ResourceProviderStub(channel)
            hands = provider.Handshake(pb.ProviderHandshakeRequest(engine_address=""))
            assert hands.accept_secrets and hands.accept_outputs and hands.supports_autonaming_configuration
            given = pb.ParameterizeRequest(args=pb.ParameterizeRequest.ParametersArgs(args=["mine"]))
            assert provider.Parameterize(given).name == "mine"
            value = pb.ParameterizeRequest.ParametersValue(name="mine", version="2.0.0", value=b"9.9.9")
            assert provider.Parameterize(pb.ParameterizeRequest(value=value)).version == "9.9.9"
            assert provider.GetMapping(pb.GetMappingRequest(key="terraform")).data == b"terraform"
            checked = provider.CheckConfig(pb.CheckRequest(urn="u", news=struct(region="here")))
            assert dict(checked.inputs) == {"region": "here", "retries": 3}
            compared = provider.DiffConfig(pb.DiffRequest(urn="u"))
            assert compared.changes == pb.DiffResponse.DIFF_SOME and compared.hasDetailedDiff
            assert compared.detailedDiff["region"].kind == pb.PropertyDiff.UPDATE_REPLACE
            configured = provider.Configure(pb.ConfigureRequest(args=checked.inputs, acceptSecrets=True))
            assert configured.supportsPreview and configured.acceptSecrets
            secret = {rpc._special_sig_key: rpc._special_secret_sig, "value": "k"}
            answer = provider.Invoke(pb.InvokeRequest(tok="whole:index:ask", args=struct(key=secret, later=rpc.UNKNOWN)))
            back = getattr(answer, "return")
            assert back["region"] == "here" and dict(back["back"]["key"]) == secret and back["back"]["later"] == rpc.UNKNOWN
            assert [failure.reason for failure in answer.failures] == ["mind the gap"]
            for call, message, code in (
                (lambda: provider.Invoke(pb.InvokeRequest(tok="whole:index:fail")), "ValueError: not today", "UNKNOWN"),
                (lambda: provider.Diff(pb.DiffRequest(urn="u")), "Whole.diff must return a kingpost.DiffResponse, not str", "UNKNOWN"),
                (lambda: provider.GetSchema(pb.GetSchemaRequest()), "provider Whole has no schema", "UNIMPLEMENTED"),
            ):
                with pytest.raises(grpc.RpcError) as failed:
                    call()
                assert (failed.value.details(), failed.value.code().name) == (message, code)
            assert provider.Cancel(empty_pb2.Empty()) == empty_pb2.Empty()
        finally:
            process.kill()


SLOW = """
import pathlib, time
import kingpost

class Slow(kingpost.Provider):
    def invoke(self, request):
        pathlib.Path("begun").touch()
        while not pathlib.Path("onwards").exists():
            time.sleep(0.01)
        return kingpost.InvokeResponse({"done": True})
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_plugin_that_is_told_to_end_does_so_once_its_calls_have(tmp_path, number):
    grpc = pytest.importorskip("grpc")
    from pulumi.runtime.proto import provider_pb2_grpc

    (tmp_path / "slow.py").write_text(SLOW)
    command = [sys.executable, "-m", "kingpost", "provider", "slow"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        try:
            with grpc.insecure_channel(f"127.0.0.1:{int(process.stdout.readline())}") as channel:
                stub = provider_pb2_grpc.ResourceProviderStub(channel)
                call = stub.Invoke.future(provider_pb2.InvokeRequest(tok="slow:index:ask"), timeout=patience(30))
                while not (tmp_path / "begun").exists() and not call.done():
                    time.sleep(0.01)
                process.send_signal(number)
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(0.3)
                (tmp_path / "onwards").touch()
                assert getattr(call.result(), "return")["done"] is True
            assert process.wait(patience(3)) == 0
        finally:
            process.kill()


# --- python -m kingpost ---------------------------------------------------------------------------


def module(folder, *args):
    process = subprocess.Popen(
        [sys.executable, "-m", "kingpost", *args], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        line = process.stdout.readline()
        if not line:
            return process.wait(30), process.stderr.read()
        process.terminate()
        return process.wait(30), line
    finally:
        process.kill()
        process.stdout.close()
        process.stderr.close()


def test_a_module_is_served_by_its_name(tmp_path):
    (tmp_path / "pages.py").write_text(SITE.format(folder=str(tmp_path)))
    (tmp_path / "two.py").write_text("import kingpost\na, b = kingpost.Provider('a'), kingpost.Provider('b')\n")
    (tmp_path / "cls.py").write_text("import kingpost\nclass Mine(kingpost.Provider):\n    pass\n")
    for args in (["pages"], ["pages:site", "127.0.0.1:1"], ["pages.py"], ["two:b"], ["cls"]):
        code, port = module(tmp_path, "provider", *args)
        assert code == 0 and int(port) > 0, (args, port)
    for args, told in (
        (["nowhere"], "there is no module 'nowhere'"),
        (["two"], "two has several providers; name one: two:NAME"),
        (["two:c"], "two.c is no kingpost.Provider"),
        ([], "which module?"),
    ):
        code, error = module(tmp_path, "provider", *args)
        assert code == 1 and told in error, (args, error)


# --- policies -------------------------------------------------------------------------------------

RULES = '''
import kingpost


@kingpost.policy(types="site:index:Page", config={"max_length": 10})
def short_texts(page):
    """Texts are short."""
    if len(page.properties["text"]) > page.config["max_length"]:
        page.violation(f"{page.name} is longer than {page.config['max_length']}", severity="high")


@kingpost.policy(level="remediate", types="site:index:Page")
def always_tagged(page):
    return None if page.properties.get("tags") else {"tags": ["untagged"]}


@kingpost.policy(level="advisory", types="site:index:Page")
def friendly(page):
    yield from () if "hello" in page.properties["text"] else ("say hello",)


@kingpost.stack_policy()
def few_pages(stack):
    if len(stack.of_type("site:index:Page")) > 1:
        return "too many pages"
'''


@pytest.fixture
def policed(served, tmp_path):
    workspace, pages = served
    pack = tmp_path / "rules"
    pack.mkdir()
    (pack / "PulumiPolicy.yaml").write_text("runtime: python\nname: rules\n")
    (pack / "rules.py").write_text(RULES)
    (pack / "__main__.py").write_text(
        "import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parent))\n"
        "import kingpost, rules\nfrom kingpost.serving import policies_in\n\nkingpost.serve_policies(policies_in(rules))\n"
    )
    return workspace, pages, str(pack)


def test_a_served_pack_stops_tells_and_remediates(policed, tmp_path):
    workspace, pages, pack = policed
    told = deploy(workspace, {"path": "a", "text": "hi"}, "--policy-pack", pack)
    assert "say hello" in told.out and written(pages) == {"a": "hi"}
    resources = json.loads(workspace.run("stack", "export").out)["deployment"]["resources"]
    assert resources[-1]["inputs"]["tags"] == ["untagged"]
    failed = deploy(workspace, {"path": "a", "text": "hello, all of you"}, "--policy-pack", pack, check=False)
    assert failed.code != 0 and "home is longer than 10" in failed.out and written(pages) == {"a": "hi"}
    (tmp_path / "settings.json").write_text(json.dumps({"short-texts": {"enforcementLevel": "mandatory", "max_length": 100}}))
    settings = ["--policy-pack", pack, "--policy-pack-config", str(tmp_path / "settings.json")]
    deploy(workspace, {"path": "a", "text": "hello, all of you"}, *settings)
    assert written(pages) == {"a": "hello, all of you"}
    # The same settings in the spelling of policy_config.
    (tmp_path / "settings.json").write_text(json.dumps({"short-texts": {"level": "disabled"}, "friendly": {"level": "mandatory"}}))
    failed = deploy(workspace, {"path": "a", "text": "good day to all of you"}, *settings, check=False)
    assert failed.code != 0 and "say hello" in failed.out and "longer than" not in failed.out
    (tmp_path / "settings.json").write_text(json.dumps({"all": {"level": "disabled"}}))
    deploy(workspace, {"path": "a", "text": "good day to all of you"}, *settings)
    failed = deploy(workspace, {"path": "a", "text": "pair"}, "--policy-pack", pack, check=False)
    assert failed.code != 0 and "too many pages" in failed.out


def test_exceptions_let_what_a_pack_forbids_pass(policed, tmp_path):
    workspace, pages, pack = policed
    urn = next(row["urn"] for row in deployed_pages(workspace, pages))
    exception = {"reason": "the landing page may talk", "match": [{"policies": ["short-texts"], "targets": [urn]}]}
    (tmp_path / "settings.json").write_text(json.dumps(
        {"version": 2, "policies": {"short-texts": "mandatory"}, "exceptions": {"EXC-7": exception}}))
    settings = ["--policy-pack", pack, "--policy-pack-config", str(tmp_path / "settings.json")]
    told = deploy(workspace, {"path": "a", "text": "hello, all of you"}, *settings)
    assert written(pages) == {"a": "hello, all of you"}
    assert "· [exempted]  short-texts  (1 violation)" in told.out and "longer than 10" not in told.out
    shown = deploy(workspace, {"path": "a", "text": "hello, everybody"}, *settings, "--show-policy-exceptions").out
    assert "· [exempted] [mandatory]" in shown and "longer than 10" in shown
    assert "EXC-7: the landing page may talk" in shown
    exception["match"][0]["targets"] = [urn + "-other"]
    (tmp_path / "settings.json").write_text(json.dumps(
        {"version": 2, "policies": {"short-texts": "mandatory"}, "exceptions": {"EXC-7": exception}}))
    failed = deploy(workspace, {"path": "a", "text": "hello, all of you"}, *settings, check=False)
    assert failed.code != 0 and "longer than 10" in failed.out


def deployed_pages(workspace, pages):
    """Deploys one page, and returns the recorded pages."""
    deploy(workspace, {"path": "a", "text": "hello"})
    assert written(pages) == {"a": "hello"}
    rows = json.loads(workspace.run("stack", "export").out)["deployment"]["resources"]
    return [row for row in rows if "text" in row.get("inputs", {})]


@pytest.mark.parametrize("pack", ["rules", "package/"])
def test_a_module_with_policies_is_a_pack_for_the_command(served, tmp_path, pack):
    workspace, pages = served
    if workspace.command.is_peer:
        pytest.skip("the real command wants a folder with a PulumiPolicy.yaml")
    project = tmp_path / "project"
    (project / "package").mkdir()
    for file in (project / "rules.py", project / "package" / "__init__.py"):
        file.write_text(RULES)
    told = deploy(workspace, {"path": "a", "text": "hi"}, "--policy-pack", pack)
    assert "say hello" in told.out and written(pages) == {"a": "hi"}
    failed = deploy(workspace, {"path": "a", "text": "pair"}, "--policy-pack", pack, check=False)
    assert failed.code != 0 and "too many pages" in failed.out
    lost = deploy(workspace, {"path": "a", "text": "hi"}, "--policy-pack", "absent", check=False)
    assert lost.code != 0 and "open absent/PulumiPolicy.yaml: no such file" in lost.out + lost.err


def test_a_module_with_policies_runs_with_the_interpreter_of_the_project(served, tmp_path):
    workspace, pages = served
    if workspace.command.is_peer:
        pytest.skip("the real command wants a folder with a PulumiPolicy.yaml")
    project, log = tmp_path / "project", tmp_path / "started.log"
    (project / "rules.py").write_text(RULES)
    interpreter = project / "env" / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    interpreter.write_text(f'#!/bin/sh\necho "$@" >>{log}\nexec {sys.executable} "$@"\n')
    interpreter.chmod(0o755)
    text = (project / "Pulumi.yaml").read_text()
    (project / "Pulumi.yaml").write_text(
        text.replace("runtime: python", "runtime:\n  name: python\n  options:\n    virtualenv: env"))
    told = deploy(workspace, {"path": "a", "text": "hi"}, "--policy-pack", "rules.py")
    assert "say hello" in told.out and written(pages) == {"a": "hi"}
    assert "-m kingpost policies rules" in log.read_text()


def test_policies_of_a_module_are_served_by_its_name(tmp_path):
    (tmp_path / "rules.py").write_text(RULES)
    (tmp_path / "none.py").write_text("")
    code, port = module(tmp_path, "policies", "rules")
    assert code == 0 and int(port) > 0
    code, error = module(tmp_path, "policies", "none")
    assert code == 1 and "none has no policies" in error


class Older:
    """A message without one of its fields, as in an older SDK."""

    def __init__(self, message, unknown):
        self._message, self._unknown = message, unknown

    def __getattr__(self, name):
        if name == self._unknown:
            raise AttributeError(name)
        return getattr(self._message, name)


def test_a_served_provider_works_with_messages_of_older_sdks(monkeypatch):
    class Echo(kingpost.Provider):
        def invoke(self, request):
            return kingpost.InvokeResponse({"preview": request.preview})

    served = _provider_server.ProviderServicer(Echo(), "")
    read = provider_pb2.ReadRequest(id="1", urn="urn:pulumi:dev::proj::site:index:Page::home")
    assert asyncio.run(served.Read(Older(read, "timeout"), None)).id == "1"
    answer = asyncio.run(served.Invoke(Older(provider_pb2.InvokeRequest(tok="a"), "preview"), None))
    assert getattr(answer, "return")["preview"] is False

    class Diagnostic:
        __slots__ = [field.name for field in analyzer_pb2.AnalyzeDiagnostic.DESCRIPTOR.fields if field.name != "severity"]

        def __init__(self, **fields):
            for name, value in fields.items():
                setattr(self, name, value)

    monkeypatch.setattr(analyzer_pb2, "AnalyzeDiagnostic", Diagnostic)
    pack = kingpost.PolicyPack("rules", [kingpost.policy(severity="high")(lambda page: "no")])
    found = _policy_server.PolicyServicer(pack, "")._diagnostic(*pack.analyze({"urn": "u", "type": "a", "name": "n", "properties": {}})[0])
    assert "no" in found.message


def test_serving_another_object_is_refused():
    with pytest.raises(TypeError, match="must be a kingpost.Provider, not dict"):
        kingpost.serve({})
