# SPDX-License-Identifier: Apache-2.0
"""Resources that wait for something: their messages, exit status and events, and the resources that wait with them."""

import json

import pytest

from harness import Command, Workspace
from harness.commands import PROGRAMS

PROGRAM = """
name: site
runtime: yaml
plugins:
  providers:
    - {name: things, path: %s}
resources:
  queue: {type: "things:index:Thing", properties: {value: "%s"}}
  worker: {type: "things:index:Thing", properties: {value: "of ${queue.stamp}"}}
  apart: {type: "things:index:Thing", properties: {value: "%s"}}
outputs:
  stamp: ${queue.stamp}
  other: ${apart.stamp}
"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "project").mkdir()
    wants(tmp_path / "project", "one")
    return Workspace(tmp_path, Command.kingpost())


def wants(project, value):
    (project / "Pulumi.yaml").write_text(PROGRAM % (PROGRAMS / "things", value, value))


def up(site, *flags, code=0, **env):
    return site.run("up", "--yes", "--skip-preview", "--stack", "dev", "--color", "never", *flags, code=code, env=env)


def recorded(site):
    return {urn.rpartition("::")[2] for urn in site.state().resources if "::things:index:Thing::" in urn}


def test_a_create_that_is_awaited_ends_with_10_and_the_next_up_goes_on(site):
    result = up(site, code=10, THINGS_AWAIT="create:queue")
    assert "queue **create awaiting**" in result.out and "apart created" in result.out
    assert "    1 awaiting\n" in result.out and "errored" not in result.out and "failed" not in result.out
    assert "warning: resource is awaiting" in result.out
    assert "update has awaiting resources" in result.out and "error:" not in result.out + result.err
    assert recorded(site) == {"apart"}
    assert up(site).out.count(" created (") == 2
    assert recorded(site) == {"queue", "worker", "apart"}


def test_an_update_that_is_awaited_leaves_what_is_recorded(site):
    up(site)
    outputs = site.run("stack", "output", "--json", "--stack", "dev").out
    wants(site.project, "two")
    result = up(site, code=10, THINGS_AWAIT="update:queue")
    assert "queue **update awaiting**" in result.out and "worker" not in result.out and "apart updated" in result.out
    assert json.loads(site.run("stack", "output", "--json", "--stack", "dev").out)["stamp"] == json.loads(outputs)["stamp"]
    state = site.state()
    assert state.named("queue")["inputs"]["value"] == "one" and state.named("worker")["inputs"]["value"] == "of queue-1/one"
    assert not state.pending
    assert "~ 2 updated" in up(site).out


def test_events_say_what_is_awaited(site, tmp_path):
    log = tmp_path / "events.json"
    up(site, "--event-log", str(log), code=10, THINGS_AWAIT="create:queue")
    events = [json.loads(line) for line in log.read_text().splitlines()]
    (failed,) = [event["resOpFailedEvent"] for event in events if "resOpFailedEvent" in event]
    assert failed["awaited"] is True and failed["metadata"]["urn"].endswith("::queue")
    told = [event["diagnosticEvent"] for event in events if "diagnosticEvent" in event]
    assert {event["severity"] for event in told} == {"warning"}
    (summary,) = [event["summaryEvent"] for event in events if "summaryEvent" in event]
    assert summary["result"] == "failed" and summary["resourceChanges"] == {"create": 2}


def test_a_failure_outweighs_an_awaited_resource(site):
    result = up(site, "--continue-on-error", code=1, THINGS_AWAIT="create:queue", THINGS_FLAKY="create:apart")
    assert "    1 errored\n" in result.out or "    2 errored\n" in result.out
    assert "    1 awaiting\n" in result.out and "update has awaiting resources" not in result.out


def test_the_program_goes_on_after_a_failure_and_fails_at_its_end(site):
    result = up(site, "--continue-on-error", code=1, THINGS_FLAKY="create:queue")
    assert "create of queue is flaky" in result.out and "worker" not in result.out
    assert recorded(site) == {"apart"}
    outputs = json.loads(site.run("stack", "output", "--json", "--stack", "dev").out)
    assert outputs == {} and "resource queue [things:index:Thing] failed to register" in result.out
