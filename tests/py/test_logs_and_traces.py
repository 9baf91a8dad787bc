# SPDX-License-Identifier: Apache-2.0
"""The log of the command (--verbose, --logtostderr, --logflow) and its traces (--otel-traces, --tracing).

Where KINGPOST_PEER names the real command, both are tested for what they have in common.
"""

import json
import re
import stat
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from harness import Command, Workspace, peer_or_skip

PROGRAM = """
import pulumi

class Component(pulumi.ComponentResource):
    def __init__(self, name, secret):
        super().__init__("telling:index:Component", name, {"secret": secret}, None, True)

Component("c", pulumi.Config().require_secret("password"))
"""
PLUGIN = """
import os, sys
from pulumi.provider import ConstructResult, Provider, main

class Telling(Provider):
    def construct(self, name, resource_type, inputs, options=None):
        print("constructing " + name, file=sys.stderr, flush=True)
        return ConstructResult("urn:pulumi:dev::shop::telling:index:Component::" + name, {})

open(os.environ["ARGUMENTS_FILE"], "w").write(" ".join(sys.argv[1:]))
main(Telling("1.0.0"), sys.argv[1:])
"""


@pytest.fixture(params=["kingpost", "peer"])
def either(request, tmp_path):
    return workspace(tmp_path, Command.kingpost() if request.param == "kingpost" else peer_or_skip())


@pytest.fixture
def ws(tmp_path):
    return workspace(tmp_path, Command.kingpost())


def workspace(root: Path, command: Command) -> Workspace:
    project, plugin = root / "project", root / "telling"
    project.mkdir()
    plugin.mkdir()
    (plugin / "PulumiPlugin.yaml").write_text("runtime: python\n")
    (plugin / "__main__.py").write_text(PLUGIN)
    (project / "Pulumi.yaml").write_text(
        f"name: shop\nruntime: python\nplugins:\n  providers:\n  - name: telling\n    path: {plugin}\n")
    (project / "__main__.py").write_text(PROGRAM)
    ws = Workspace(root, command, env={"ARGUMENTS_FILE": str(root / "arguments"), "TMPDIR": str(root)})
    ws.secret("password", "hunter22")
    return ws


def lines_of(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines() if line.startswith('{"time"')]


# ---- the log --------------------------------------------------------------------------------------------------------

def test_the_log_is_lines_of_json(either):
    lines = lines_of(either.up("--logtostderr", "-v=3").err)
    assert lines and all({"time", "level", "msg"} <= set(line) for line in lines)
    assert {line["level"] for line in lines} <= {"INFO", "WARN"}
    assert "hunter22" not in str(lines)


@pytest.mark.parametrize("level, there, absent", [
    (1, ["kingpost up, compatible with v3.", "ends with 0"], ["starts in"]),
    (3, ["resource plugin telling is at ", "LoadProvider telling took "], ["starts in"]),
    (5, ["starts in ", "begins: create urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"], ["provider calls"]),
    (7, ["provider calls: Construct telling:index:Component c begins", "provider calls: Construct telling:index:Component c took "],
     ["RegisterResource "]),
    (9, ["planning: RegisterResource telling:index:Component c begins"], ["event {"]),
    (11, ['event {"sequence":0,'], ["hunter22"]),
])
def test_each_level_tells_more(ws, level, there, absent):
    run = ws.up("--logtostderr", "--verbose", str(level), "--show-secrets")
    told = "\n".join(line["msg"] for line in lines_of(run.err))
    assert [text for text in there if text not in told] == []
    assert [text for text in absent if text in told] == []
    assert max(line["v"] for line in lines_of(run.err)) <= level
    assert "hunter22" not in run.err


def test_without_standard_error_the_log_is_a_file_of_its_own(ws):
    run = ws.up("-v", "5")
    where = re.search(r"The log file for this run is at (\S+)", run.err)[1]
    assert re.fullmatch(r"kingpost\.[^.]+\.\w+\.log\.INFO\.\d{8}-\d{6}\.\d+", Path(where).name)
    assert Path(where).parent == ws.root and stat.S_IMODE(Path(where).stat().st_mode) == 0o600
    assert any("starts in" in line["msg"] for line in lines_of(Path(where).read_text()))
    assert lines_of(run.err) == []


def test_failures_are_in_the_log_whatever_the_level(ws):
    (ws.project / "__main__.py").write_text("raise RuntimeError('it breaks: hunter22')\n")
    run = ws.up("--logtostderr", check=False)
    told = [line for line in lines_of(run.err) if line["level"] == "WARN"]
    assert any("it breaks: [secret]" in line["msg"] for line in told)
    assert "hunter22" not in run.err


def test_the_log_of_any_command(ws):
    run = ws.run("stack", "ls", "-v=1", "--logtostderr")
    assert [line["msg"] for line in lines_of(run.err)][-1] == "ends with 0"
    run = ws.run("stack", "select", "nowhere", "-v=1", "--logtostderr", check=False)
    assert lines_of(run.err)[-1]["msg"].startswith("ends with 6: ")


def test_plugins_log_at_the_level_that_flows(either):
    either.up("-v=4", "--logtostderr")
    assert not (either.root / "arguments").read_text().startswith("-")
    run = either.up("-v=4", "--logtostderr", "--logflow")
    assert (either.root / "arguments").read_text().startswith("--logtostderr -v=4 127.0.0.1:")
    assert run.code == 0


def test_the_log_has_the_output_of_plugins(ws):
    lines = lines_of(ws.up("-v=1", "--logtostderr").err)
    assert "telling (resource): constructing c" in [line["msg"] for line in lines]


# ---- traces ---------------------------------------------------------------------------------------------------------

def spans_of(text: str) -> list[dict]:
    return [span for line in text.splitlines() for resource in json.loads(line)["resourceSpans"]
            for scope in resource["scopeSpans"] for span in scope["spans"]]


def trace_of_plain_program(either: Workspace, **kw) -> str:
    """The trace of a program without a provider: the reference passes --tracing to plugins, and Python takes it for an address."""
    (either.project / "__main__.py").write_text("import pulumi\npulumi.export('size', 3)\n")
    file = either.root / "trace.json"
    either.up("--otel-traces", f"file://{file}", **kw)
    return file.read_text()


def test_a_trace_for_opentelemetry(either):
    text = trace_of_plain_program(either)
    spans = spans_of(text)
    assert all(re.fullmatch("[0-9a-f]{32}", span["traceId"]) for span in spans)
    ids = {span["spanId"] for span in spans}
    assert len(ids) == len(spans) and all(re.fullmatch("[0-9a-f]{16}", at) for at in ids)
    assert all(int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) for span in spans)
    if not either.command.is_peer:  # the reference begins some of its spans outside of its trace
        assert len({span["traceId"] for span in spans}) == 1
        assert len([span for span in spans if span.get("parentSpanId", "") not in ids]) == 1


def test_the_trace_tells_what_took_time(ws):
    file = ws.root / "trace.json"
    ws.run("up", "--yes", "--stack", "dev", "--otel-traces", f"file://{file}")
    spans = spans_of(file.read_text())
    by_id = {span["spanId"]: span for span in spans}

    def chain(span):
        return [span["name"], *(chain(by_id[span["parentSpanId"]]) if "parentSpanId" in span else [])]

    chains = {tuple(chain(span)) for span in spans}
    assert ("kingpost up",) in chains
    for run in ("preview", "update"):
        for name in ("Construct", "RegisterResource", "start of the SDK", "program", "LoadProvider"):
            assert (name, run, "kingpost up") in chains
    call = next(span for span in spans if span["name"] == "Construct")
    assert call["kind"] == 3 and {"key": "about", "value": {"stringValue": "telling:index:Component c"}} in call["attributes"]
    for span in spans:
        if "parentSpanId" in span:
            around = by_id[span["parentSpanId"]]
            assert int(around["startTimeUnixNano"]) <= int(span["startTimeUnixNano"])
            assert int(span["endTimeUnixNano"]) <= int(around["endTimeUnixNano"])


def test_a_failed_span_is_marked(ws):
    (ws.project / "__main__.py").write_text("raise RuntimeError('hunter22')\n")
    file = ws.root / "trace.json"
    ws.up("--otel-traces", f"file:{file}", check=False)
    spans = spans_of(file.read_text())
    assert next(span for span in spans if span["name"] == "kingpost up")["status"]["code"] == 2
    assert "hunter22" not in file.read_text()


def test_a_trace_of_a_pipeline_goes_on_here(either):
    spans = spans_of(trace_of_plain_program(
        either, env={"TRACEPARENT": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}))
    assert {span["traceId"] for span in spans} == {"0af7651916cd43dd8448eb211c80319c"}
    assert "b7ad6b7169203331" in {span.get("parentSpanId") for span in spans}


def test_a_trace_for_perfetto(ws):
    file = ws.root / "trace.json"
    ws.up("--tracing", f"file:{file}")
    document = json.loads(file.read_text())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    events = [event for event in document["traceEvents"] if event["ph"] == "X"]
    assert {"kingpost up", "update", "Construct"} <= {event["name"] for event in events}
    lanes: dict[int, int] = {}
    for event in sorted(events, key=lambda event: event["ts"]):
        assert lanes.get(event["tid"], 0) <= event["ts"] + 1, "no two of a row overlap"
        lanes[event["tid"]] = event["ts"] + event["dur"]


class Collector:
    def __init__(self, status: int):
        self.requests: list[tuple[str, dict, bytes]] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.requests.append((self.path, dict(self.headers), body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def collector():
    made = []

    def make(status=200):
        made.append(Collector(status))
        return made[-1]

    yield make
    for each in made:
        each.server.shutdown()
        each.server.server_close()


def test_a_collector_gets_the_trace_by_http(ws, collector):
    to = collector()
    ws.up("--otel-traces", to.url, env={"OTEL_EXPORTER_OTLP_HEADERS": "api-key=abc,team=infra"})
    (path, headers, body), = to.requests
    assert path == "/v1/traces" and headers["Content-Type"] == "application/json"
    assert (headers["api-key"], headers["team"]) == ("abc", "infra")
    assert "kingpost up" in {span["name"] for span in spans_of(body.decode())}


def test_a_collector_that_refuses_fails_nothing(ws, collector):
    run = ws.up("--otel-traces", collector(503).url + "/own/path?key=hidden")
    assert "the trace was not delivered" in run.err and "503" in run.err and "hidden" not in run.err


@pytest.mark.parametrize("flags, says", [
    (["--tracing", "http://localhost:9411/api/v1/spans"], "--tracing file:PATH for Perfetto"),
    (["--otel-traces", "grpc://localhost:4317"], "http://localhost:4318"),
    (["--profiling", "profile"], "perf record -g kingpost up"),
])
def test_impossible_flags_are_refused_before_any_step(ws, flags, says):
    run = ws.up(*flags, check=False)
    assert run.code == 2 and says in run.err
    assert ws.state().rows == []
