# SPDX-License-Identifier: Apache-2.0
"""The Python module: functions and the configuration of a provider as dataclasses, in process and as a plugin."""

import json
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from typing import Annotated, Dict, List, Optional

import kingpost
import pulumi
import pytest
from module_support import ops, resource


@dataclass
class SiteConfig:
    endpoint: Annotated[str, kingpost.replace_on_change]
    retries: int = 3
    token: Annotated[Optional[str], kingpost.secret] = None
    tags: Dict[str, str] = field(default_factory=dict)


@dataclass
class SearchArgs:
    text: str
    max_hits: int = 2


@dataclass
class Found:
    """The results of a search."""

    paths: List[str]
    asked_of: str
    key: Annotated[Optional[str], kingpost.secret] = None


@dataclass
class PageInputs:
    path: str


def make_site():
    site = kingpost.Provider("site", "1.2.3")
    site.configuration(SiteConfig)

    @site.resource("site:index:Page")
    class Page:
        inputs: PageInputs
        config: SiteConfig
        url: str

        def create(self):
            self.url = f"{self.config.endpoint}/{self.inputs.path}?{self.config.retries}"
            return self.inputs.path

        def update(self, old):
            self.create()

    @site.function("site:index:search")
    def search(args: SearchArgs, config: SiteConfig) -> Found:
        """Looks for pages."""
        return Found([f"{args.text}-{i}" for i in range(args.max_hits)], config.endpoint, config.token)

    @site.function("site:index:count")
    async def count() -> Found:
        return Found([], site.config.endpoint)

    site.Page, site.search, site.count = Page, search, count
    return site


def stack_of(site, program, **config):
    config = {"site:endpoint": "https://a", **config}
    return kingpost.Stack("proj", "dev", program, providers={"site": site}, config=config)


def test_a_function_in_a_program():
    site = make_site()

    def program():
        found = site.ask(site.search, text="x", max_hits=1)
        pulumi.export("paths", found.apply(lambda result: result.paths))
        pulumi.export("asked", found.apply(lambda result: result.asked_of))
        raw = pulumi.runtime.invoke("site:index:search", {"text": "y"}).value
        pulumi.export("raw", raw["paths"])
        pulumi.export("counted", site.ask(site.count).apply(lambda result: result.asked_of))

    outputs = stack_of(site, program).up().outputs
    assert outputs == {"paths": ["x-0"], "asked": "https://a", "raw": ["y-0", "y-1"], "counted": "https://a"}


def test_a_secret_of_the_result_stays_one():
    site = make_site()
    stack = stack_of(
        site,
        lambda: pulumi.export("key", site.ask(site.search, text="x").apply(lambda result: result.key)),
        **{"site:token": kingpost.Secret("swordfish")},
    )
    assert stack.up().outputs == {"key": kingpost.Secret("swordfish")}
    assert "swordfish" not in json.dumps(stack.export())


def test_a_function_with_unknown_arguments_is_not_called():
    site = make_site()

    def program():
        page = site.declare(site.Page, "home", path="index")
        pulumi.export("paths", site.ask(site.search, text=page.url).apply(lambda result: result.paths))

    stack = stack_of(site, program)
    assert stack.preview().outputs == {"paths": kingpost.UNKNOWN}
    assert stack.up().outputs == {"paths": ["https://a/index?3-0", "https://a/index?3-1"]}


@pytest.mark.parametrize(
    "args, told",
    [
        ({"text": 7}, r"search failed: must be a string, not a number \(text\)"),
        ({}, r"search failed: is missing \(text\)"),
        ({"text": "x", "maxHitz": 1}, r"is not known; there are maxHits, text \(maxHitz\)"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(args, told):
    site = make_site()
    with pytest.raises(kingpost.Error, match=told):
        stack_of(site, lambda: pulumi.runtime.invoke("site:index:search", args).value and None).up()


def test_functions_that_cannot_be():
    site = make_site()
    with pytest.raises(TypeError, match="must say what it returns, a dataclass"):
        site.function("site:index:a")(lambda: None)
    with pytest.raises(ValueError, match="has a function site:index:search already"):
        site.function("site:index:search")
    with pytest.raises(ValueError, match="is no token of a function; write package:module:name"):
        site.function("search")
    with pytest.raises(TypeError, match="must take its arguments as one dataclass"):

        @site.function("site:index:b")
        def two(a: SearchArgs, b: int) -> Found: ...

    with pytest.raises(TypeError, match="site:index:search has no argument 'txt'; it has: max_hits, text"):
        site.ask(site.search, txt="x")
    with pytest.raises(TypeError, match="is no function of package site"):
        site.ask(print)
    with pytest.raises(ValueError, match="has a configuration already"):
        site.configuration(SiteConfig)
    with pytest.raises(RuntimeError, match="package site is not configured"):
        assert site.config


def test_the_configuration_is_checked_and_converted():
    site = make_site()
    program = lambda: pulumi.export("url", site.declare(site.Page, "home", path="index").url)
    settings = {"site:retries": "5", "site:tags": '{"a": "b"}'}
    assert stack_of(site, program, **settings).up().outputs == {"url": "https://a/index?5"}
    with pytest.raises(kingpost.Error, match="retries.*must be a whole number"):
        stack_of(site, program, **{"site:retries": "many"}).up()
    with pytest.raises(kingpost.Error, match="endpoint.*is missing"):
        kingpost.Stack("proj", "dev", program, providers={"site": site}).up()
    with pytest.raises(kingpost.Error, match="retrys.*is not known; there are endpoint, retries, tags, token"):
        stack_of(site, program, **{"site:retrys": "1"}).up()


def test_each_provider_resource_has_a_configuration_of_its_own():
    site = make_site()

    def program():
        for name in ("b", "c"):
            own = pulumi.ProviderResource("site", name, {"endpoint": f"https://{name}"})
            options = pulumi.ResourceOptions(provider=own)
            pulumi.export(name, site.declare(site.Page, f"page-{name}", options, path=name).url)
        pulumi.export("a", site.declare(site.Page, "page-a", path="a").url)

    expected = {name: f"https://{name}/{name}?3" for name in "abc"}
    stack = stack_of(site, program)
    assert stack.up().outputs == expected
    assert set(ops(stack.up(), "site:index:Page").values()) == {"same"}


def test_a_change_of_the_configuration():
    site = make_site()
    program = lambda: site.declare(site.Page, "home", path="index") and None
    stack = stack_of(site, program, **{"site:token": kingpost.Secret("swordfish")})
    stack.up()
    assert "swordfish" not in json.dumps(stack.export())
    stack.config["site:retries"] = "4"
    assert ops(stack.up(), "site:index:Page") == {"home": "same"}
    stack.config["site:endpoint"] = "https://b"
    result = stack.up()
    assert "replace" in str(ops(result, "site:index:Page")) and resource(result, "home").outputs["url"] == "https://b/index?4"


def test_the_schema_tells_of_both():
    schema = json.loads(make_site().get_schema(kingpost.SchemaRequest()))
    search = schema["functions"]["site:index:search"]
    assert search["description"] == "Looks for pages."
    assert search["inputs"]["required"] == ["text"] and search["inputs"]["properties"]["maxHits"]["default"] == 2
    assert search["outputs"]["properties"]["key"] == {"type": "string", "secret": True}
    assert search["outputs"]["required"] == ["askedOf", "paths"]
    assert "inputs" not in schema["functions"]["site:index:count"]
    assert schema["config"]["defaults"] == ["endpoint"] and schema["config"]["variables"]["token"]["secret"] is True
    assert schema["provider"]["requiredInputs"] == ["endpoint"]
    assert "config" not in schema["resources"]["site:index:Page"]["properties"]


def test_the_same_as_a_plugin():
    """Over the protocol, as any engine speaks it."""
    script = """
        import asyncio, sys
        sys.path.insert(0, ".")
        import grpc, kingpost
        from kingpost._provider_server import ProviderServicer
        from kingpost._wire import from_struct, to_struct
        from pulumi.runtime.proto import provider_pb2 as pb, provider_pb2_grpc
        from test_module_functions import make_site

        async def main():
            server = grpc.aio.server()
            provider_pb2_grpc.add_ResourceProviderServicer_to_server(ProviderServicer(make_site(), ""), server)
            port = server.add_insecure_port("127.0.0.1:0")
            await server.start()
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                stub = provider_pb2_grpc.ResourceProviderStub(channel)
                urn = "urn:pulumi:dev::proj::pulumi:providers:site::default"
                bad = await stub.CheckConfig(pb.CheckRequest(urn=urn, news=to_struct({"retries": "many"})))
                print(sorted((f.property, f.reason) for f in bad.failures))
                good = await stub.CheckConfig(pb.CheckRequest(urn=urn, news=to_struct({"endpoint": "e", "token": "t"})))
                checked = from_struct(good.inputs)
                print(checked["retries"], checked["token"])
                await stub.Configure(pb.ConfigureRequest(urn=urn, args=good.inputs))
                answer = await stub.Invoke(pb.InvokeRequest(tok="site:index:search", args=to_struct({"text": "x"})))
                found = from_struct(getattr(answer, "return"))
                print(found["paths"], found["askedOf"], found["key"], found["key"].value)
                page = "urn:pulumi:dev::proj::site:index:Page::home"
                made = await stub.Create(pb.CreateRequest(urn=page, properties=to_struct({"path": "p"})))
                print(made.id, from_struct(made.properties)["url"])
        asyncio.run(main())
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, cwd=__file__.rpartition("/")[0], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == [
        "[('endpoint', 'is missing'), ('retries', 'must be a whole number, not a string')]",
        "3 Secret([secret])",
        "['x-0', 'x-1'] e Secret([secret]) t",
        "p e/p?3",
    ], done.stderr
