# SPDX-License-Identifier: Apache-2.0
"""Operations by the unmodified Automation API of the Python SDK, with the command under test as its `pulumi`.
test_automation_stacks.py covers stacks and settings. The SDKs of Node.js and Go do all of it in one test each.

Each test runs on Kingpost, and with -m slow also on the peer: the tests expect the reference's behaviour.
"""

import json
import os
import re
import subprocess
import threading
import zipfile

import pulumi
import pytest
from pulumi import automation as auto
from pulumi.automation import errors

from harness import PROGRAMS, node_modules
from harness.automation import OUR_OWN, Thing, secret, things, urn
from harness.fake_world import Fault
from harness.patience import patience
from harness.plugin_source import Source, asset_name, make_executable, things_archive
from harness.sdks import go_build

NO_CHANGES = "no changes were expected (for [a-z]+ )?but changes (were proposed|occurred)"


# Operations.

def test_the_life_of_a_stack(site):
    stack = site.stack(things("first", "second", hidden="hidden value"))
    lines, previewed = [], []
    preview = stack.preview(message="look", on_output=lines.append, on_event=previewed.append, diff=True)
    assert preview.change_summary == {auto.OpType.CREATE: 3} and "\n".join(lines) == preview.stdout
    assert stack.history() == [] and not site.world.things.counts
    assert previewed[0].prelude_event is not None and previewed[-1].cancel_event is not None
    assert [e.sequence for e in previewed] == list(range(len(previewed)))

    lines.clear()
    up = stack.up(message="begin", parallel=2, on_output=lines.append, on_event=site.hear, color="never")
    assert "\n".join(lines) == up.stdout and "first" in up.stdout and "\x1b" not in up.stdout
    assert "hidden value" not in up.stdout + up.stderr + repr(site.events)
    summary = next(e.summary_event for e in site.events if e.summary_event)
    assert summary.resource_changes == {auto.OpType.CREATE: 3} and not summary.maybe_corrupt
    done = {e.res_outputs_event.metadata.urn: e.res_outputs_event.metadata for e in site.events if e.res_outputs_event}
    assert done[urn("first")].new.outputs["stamp"] == 'first-1/"plain"'
    assert site.steps() == [("create", "first"), ("create", "second"), ("create", "site-dev")]
    assert up.outputs["names"].value == ["first", "second"]
    assert (up.summary.kind, up.summary.result, up.summary.message) == ("update", "succeeded", "begin")
    assert up.summary.resource_changes == {"create": 3} and up.summary.end_time >= up.summary.start_time
    assert up.summary.environment["exec.kind"] == "auto.inline"

    site.world.things.existing["first-1"]["value"] = "drifted"
    assert stack.preview_refresh(on_event=site.hear).change_summary[auto.OpType.UPDATE] == 1
    refreshed = stack.refresh(message="look again", on_event=site.hear)
    assert refreshed.summary.kind == "refresh" and refreshed.summary.resource_changes["update"] == 1
    assert stack.preview(on_event=site.hear).change_summary[auto.OpType.UPDATE] == 1
    site.steps()

    assert stack.preview_destroy(on_event=site.hear).change_summary == {auto.OpType.DELETE: 3}
    site.steps()
    destroyed = stack.destroy(message="end", on_event=site.hear, parallel=1)
    assert destroyed.summary.kind == "destroy" and destroyed.summary.message == "end"
    assert site.steps() == [("delete", "first"), ("delete", "second"), ("delete", "site-dev")]
    assert [h.kind for h in stack.history()] == ["destroy", "refresh", "update"]
    assert [h.kind for h in stack.history(page_size=2)] == ["destroy", "refresh"]
    assert [h.kind for h in stack.history(page_size=2, page=2)] == ["update"]
    assert stack.info().kind == "destroy"
    stack.destroy(remove=True)
    assert stack.workspace.list_stacks() == []


def test_operations_keep_to_what_they_are_told(site):
    def program():
        first = Thing("first", value)
        Thing("second", first.stamp if linked else "plain")
        Thing("third", value)

    value, linked = "one", True
    stack = site.stack(program)
    up = lambda **options: stack.up(on_event=site.hear, **options)
    up(target=[urn("first")], exclude=None)
    assert site.steps() == [("create", "first"), ("create", "site-dev")]
    up(exclude=[urn("second")], exclude_dependents=True)
    assert site.steps() == [("create", "third")]
    up()
    assert site.steps() == [("create", "second")]
    value = "two"
    up(target=[urn("first")], target_dependents=True)
    assert site.steps() == [("update", "first"), ("update", "second")]
    up(replace=[urn("third")])
    assert {o for o, n in site.steps()} == {"create-replacement", "replace", "delete-replaced"}
    up(expect_no_changes=True)
    value = "three"
    with pytest.raises(errors.CommandError, match=NO_CHANGES):
        stack.preview(expect_no_changes=True)
    preview = stack.preview(target=[urn("third")], on_event=site.hear)
    assert preview.change_summary[auto.OpType.UPDATE] == 1 and site.steps() == [("update", "third")]

    site.world.things.existing["first-1"]["value"] = "drifted"
    site.world.things.existing["third-2"]["value"] = "drifted"
    assert stack.preview_refresh(target=[urn("third")]).change_summary[auto.OpType.UPDATE] == 1
    assert stack.refresh(exclude=[urn("third")], exclude_dependents=True).summary.resource_changes["update"] == 1
    with pytest.raises(errors.CommandError, match=NO_CHANGES):
        stack.refresh(expect_no_changes=True)
    stack.refresh(expect_no_changes=True, clear_pending_creates=True, diff=True)

    with pytest.raises(errors.CommandError, match="second"):
        stack.destroy(target=[urn("first")])
    assert stack.preview_destroy(target=[urn("first")], target_dependents=True).change_summary[auto.OpType.DELETE] == 2
    site.steps()
    stack.destroy(target=[urn("first")], target_dependents=True, on_event=site.hear)
    assert site.steps() == [("delete", "first"), ("delete", "second")]


def test_protected_resources_can_be_left_out_of_a_destruction(site):
    def program():
        Thing("kept", opts=pulumi.ResourceOptions(protect=True))
        Thing("gone")

    stack = site.stack(program)
    stack.up()
    with pytest.raises(errors.CommandError):
        stack.destroy()
    stack.destroy(exclude_protected=True, continue_on_error=True, on_event=site.hear)
    assert "gone-1" not in site.world.things.existing and "kept-1" in site.world.things.existing


def test_an_update_goes_on_after_an_error_if_it_is_told_to(site):
    site.world.fault = Fault("create", "bad")
    stack = site.stack(things("bad", "good"))
    heard = []
    with pytest.raises(errors.CommandError, match="create of bad was told to fail"):
        stack.up(continue_on_error=True, on_event=heard.append)
    assert [e.res_op_failed_event.metadata.urn for e in heard if e.res_op_failed_event] == [urn("bad")]
    assert any(e.diagnostic_event and e.diagnostic_event.severity == "error" for e in heard)
    assert "good-1" in site.world.things.existing and stack.info().result == "failed"
    site.world.fault = None
    assert stack.up(refresh=True).summary.result == "succeeded"


@pytest.mark.slow  # Python starts for each pack
def test_policies_hold_and_are_configured(site):
    pack = str(site.copy(PROGRAMS / "policies", "policies"))
    stack = site.stack(things(judged="forbidden", brief="no"))
    with pytest.raises(errors.CommandError):
        stack.up(policy_packs=[pack], on_event=site.hear)
    told = {(e.policy_event.policy_name, e.policy_event.enforcement_level) for e in site.events if e.policy_event}
    assert told >= {("no-forbidden", "mandatory")}
    configured = site.root / "pack.json"
    configured.write_text(json.dumps({"no-forbidden": "disabled"}))
    site.events.clear()
    result = stack.up(policy_packs=[pack], policy_pack_configs=[str(configured)], on_event=site.hear)
    told = {(e.policy_event.policy_name, e.policy_event.enforcement_level) for e in site.events if e.policy_event}
    assert told == {("no-short", "advisory")} and result.summary.result == "succeeded"
    assert list(next(e.summary_event for e in site.events if e.summary_event).policy_packs.values()) == ["0.1.0"]


def test_an_update_keeps_to_its_plan(site):
    plan = str(site.root / "plan.json")
    stack = site.stack(things("first"), env_vars={"PULUMI_EXPERIMENTAL": "true"})
    stack.preview(plan=plan)
    with pytest.raises(errors.CommandError, match="second"):
        stack.up(program=things("first", "second"), plan=plan)
    assert "second-1" not in site.world.things.existing
    assert stack.up(plan=plan).summary.result == "succeeded"


def test_a_preview_lists_what_could_be_imported(site):
    listed = site.root / "import.json"
    stack = site.stack(things("there"))
    stack.up()

    def program():
        there = Thing("there")
        box = pulumi.ComponentResource("boxes:index:Box", "there", None, pulumi.ResourceOptions(depends_on=[there]))
        mine = pulumi.ProviderResource("things", "mine", {
            "region": "north", "key": pulumi.Output.secret("s3cr3t"), "later": Thing("unknown").stamp})
        Thing("found", opts=pulumi.ResourceOptions(parent=box, version="1.2.3"))
        Thing("inner", opts=pulumi.ResourceOptions(parent=there, provider=mine))

    preview = stack.preview(program=program, import_file=str(listed))
    assert "later" in preview.stderr + preview.stdout
    document = json.loads(listed.read_text())
    rows = {r["name"]: r for r in document["resources"]}
    assert rows["thereBox"] == {"type": "boxes:index:Box", "name": "thereBox", "component": True, "logicalName": "there"}
    assert rows["found"] == {"type": "things:index:Thing", "name": "found", "id": "<PLACEHOLDER>", "parent": "thereBox",
                             "version": "1.2.3"}
    assert rows["inner"] == {"type": "things:index:Thing", "name": "inner", "id": "<PLACEHOLDER>", "parent": "there",
                             "provider": "mine"}
    assert document["nameTable"] == {"there": urn("there")}
    assert rows["mine"]["inputs"].keys() == {"region", "key"} and "s3cr3t" not in listed.read_text()
    assert rows.keys() == {"thereBox", "found", "unknown", "mine", "inner"}


def test_a_preview_can_be_one_document(site):
    preview = site.stack(things("first")).preview(json=True)
    assert json.loads(preview.stdout)["changeSummary"] == {"create": 2}
    assert preview.change_summary == {auto.OpType.CREATE: 2}


def test_resources_are_imported(site):
    stack = site.stack()
    stack.up()
    result = stack.import_resources(
        message="take over", protect=False, generate_code=False,
        resources=[{"type": "things:index:Thing", "name": "found", "id": "found-1"},
                   {"type": "boxes:index:Box", "name": "box", "component": True},
                   {"type": "things:index:Thing", "name": "inner", "logicalName": "inside", "id": "found-2",
                    "parent": "box"}])
    assert (result.summary.kind, result.summary.message, result.generated_code) == ("resource-import", "take over", "")
    rows = {r["urn"].rsplit("::", 1)[1]: r for r in stack.export_stack().deployment["resources"]}
    assert rows["found"]["id"] == "found-1" and not rows["found"].get("protect")
    assert rows["inside"]["parent"].endswith("::box")


@OUR_OWN
def test_imports_bring_their_code(site):
    stack = site.stack()
    result = stack.import_resources(resources=[{"type": "things:index:Thing", "name": "found", "id": "found-1"}])
    assert "found = things.Thing(\"found\"" in result.generated_code
    assert stack.export_stack().deployment["resources"][-1]["protect"]
    with pytest.raises(errors.CommandError, match="converter"):
        stack.import_resources(converter="terraform", converter_args=["./state"])


def test_states_are_exported_and_imported(site):
    stack = site.stack(things("first", "second", hidden="hidden value"))
    stack.up()
    state = stack.export_stack()
    assert state.version in (3, 4) and "hidden value" in json.dumps(state.deployment)
    rows = state.deployment["resources"]
    state.deployment["resources"] = [r for r in rows if not r["urn"].endswith("::first")]
    stack.import_stack(state)
    assert "hidden value" not in "".join(f.read_text() for f in site.backend.rglob("*.json"))
    stack.up(on_event=site.hear)
    assert site.steps() == [("create", "first")]


# Failures.

def failing():
    raise ValueError("it cannot be done")


@pytest.mark.parametrize("verb", ["up", "preview"])
def test_an_inline_program_that_fails_says_so(site, verb):
    stack = site.stack(failing)
    with pytest.raises(errors.InlineSourceRuntimeError, match="it cannot be done"):
        getattr(stack, verb)(on_event=site.hear)
    assert any(e.diagnostic_event and "it cannot be done" in e.diagnostic_event.message for e in site.events)


def test_local_programs_that_fail_are_told_apart(site):
    with pytest.raises(errors.RuntimeError, match="failed with an unhandled exception"):
        site.local("raise ValueError('no')\n").up()
    with pytest.raises(errors.CommandError, match="SyntaxError"):
        site.local("def broken(:\n").preview()


def test_two_updates_of_a_stack_exclude_each_other(site):
    begun, go_on = threading.Event(), threading.Event()

    def waiting():
        begun.set()
        go_on.wait(30)

    stack = site.stack(waiting)
    ended = []
    running = threading.Thread(target=lambda: ended.append(stack.up()))
    running.start()
    try:
        assert begun.wait(30)
        # Only the service tells a program that an update is in progress. `stack ls` tells users.
        assert stack.workspace.list_stacks()[0].update_in_progress is None
        if not site.command.is_peer:
            listed = subprocess.check_output([site.bin / "pulumi", "stack", "ls"], cwd=site.project, text=True)
            assert re.search(r"^dev\*? +in progress ", listed, flags=re.MULTILINE), listed
        with pytest.raises(errors.ConcurrentUpdateError):
            site.stack().refresh()
    finally:
        go_on.set()
        running.join()
    assert ended[0].summary.result == "succeeded"


def test_a_lock_that_was_left_behind_is_cancelled(site):
    stack = site.stack()
    stack.up()
    lock = site.backend / ".pulumi" / "locks" / "organization" / "site" / "dev" / "left-behind.json"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text(json.dumps({"pid": 1, "username": "someone", "hostname": "elsewhere",
                                "timestamp": "2024-01-01T00:00:00Z"}))
    with pytest.raises(errors.ConcurrentUpdateError):
        stack.up()
    stack.cancel()
    assert not lock.exists() and stack.up().summary.result == "succeeded"


@OUR_OWN
def test_operations_in_the_cloud_are_refused(site):
    stack = auto.create_or_select_remote_stack_git_source("organization/site/dev", "https://example.com/none.git",
                                                          branch="main")
    with pytest.raises(errors.CommandError, match="the Pulumi Cloud backend must be used for remote operations"):
        stack.up()


# Local programs.

LOCAL = """
import pulumi
from harness.automation import Thing
pulumi.log.debug("a debugging message")
Thing("first", pulumi.Config().get("value") or "plain")
pulumi.export("value", pulumi.Config().get("value"))
"""


def test_local_programs_take_every_option(site, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(os.path.abspath(__file__)))
    stack = site.local(LOCAL)
    settings = site.root / "settings.yaml"
    settings.write_text((site.project / "Pulumi.dev.yaml").read_text() + "config:\n  site:value: from the file\n")
    common = dict(config_file=str(settings), color="always", log_flow=True, log_verbosity=1, log_to_std_err=True,
                  tracing=(site.root / "trace").as_uri().replace("///", "/"), debug=True, suppress_outputs=True,
                  suppress_progress=True, parallel=3, message="all of it", diff=True)
    preview = stack.preview(**common, refresh=True, expect_no_changes=False, run_program=True)
    assert preview.change_summary == {auto.OpType.CREATE: 2} and "\x1b[" in preview.stdout
    up = stack.up(**common, refresh=True, continue_on_error=True, on_event=site.hear, run_program=True)
    said = [e.diagnostic_event.message for e in site.events if e.diagnostic_event and e.diagnostic_event.severity == "debug"]
    assert any("a debugging message" in message for message in said) and "Outputs:" not in up.stdout
    assert up.outputs["value"].value == "from the file"
    assert up.summary.environment["exec.kind"] == "auto.local" and up.summary.message == "all of it"
    assert stack.refresh(**common, run_program=True).summary.resource_changes == {"same": 2}
    assert stack.refresh(**common, run_program=False, preview_only=True)
    assert stack.preview_refresh(**common).change_summary == {auto.OpType.SAME: 2}
    assert stack.preview_destroy(**common, run_program=True, refresh=True).change_summary[auto.OpType.DELETE] == 2
    assert stack.destroy(**common, preview_only=True) and "first-1" in site.world.things.existing
    stack.destroy(**common, run_program=True, refresh=True, continue_on_error=True)
    assert "first-1" not in site.world.things.existing


def test_inline_programs_are_run_where_an_operation_wants_them(site):
    ran = []

    def program():
        ran.append(pulumi.runtime.is_dry_run())
        Thing("first")

    stack = site.stack(program)
    stack.up()
    assert ran == [False]
    stack.refresh()
    stack.destroy(preview_only=True)
    assert ran == [False]
    stack.refresh(run_program=True)
    stack.preview_destroy(run_program=True)
    stack.destroy(run_program=True)
    assert len(ran) == 4 and site.world.things.existing.keys() == {"found-1", "found-2"}


def test_older_sdks_follow_the_events_in_a_file(site, monkeypatch):
    monkeypatch.setattr(auto.LocalWorkspace, "pulumi_version", "3.200.0")
    stack = site.stack(things("first"))
    assert stack.preview().change_summary == {auto.OpType.CREATE: 2}
    stack.up(on_event=site.hear)
    assert site.events[-1].cancel_event is not None
    assert site.steps() == [("create", "first"), ("create", "site-dev")]


# Plugins and dependencies.

@OUR_OWN
def test_plugins_are_installed_listed_and_removed(site):
    source = Source({f"/{asset_name()}": things_archive()})
    try:
        workspace = site.stack().workspace
        assert workspace.list_plugins() == []
        workspace.install_plugin_from_server("things", "v1.0.0", source.url)
        workspace.install_plugin("things", "v1.0.0")  # it is there
        assert len(source.asked) == 1
        plugin, = workspace.list_plugins()
        assert (plugin.name, plugin.kind, plugin.version) == ("things", "resource", "1.0.0") and plugin.size > 250000
        assert plugin.install_time is not None
        workspace.remove_plugin("things", ">=2.0.0")
        assert len(workspace.list_plugins()) == 1
        workspace.remove_plugin("things", ">=0.9.0 <2.0.0")
        assert workspace.list_plugins() == []
        workspace.remove_plugin("things", "1.0.0")  # it is gone
        with pytest.raises(errors.CommandError, match="invalid plugin semver"):
            workspace.install_plugin("things", "newest")
    finally:
        source.close()


@OUR_OWN
def test_install_runs_the_package_manager_of_each_runtime(site):
    """Scripts stand in for npm, go and the other tools, and print how they were called."""
    for tool in ("npm", "pnpm", "go", "uv", "poetry"):
        make_executable(site.bin / tool, f'#!/bin/sh\necho "{tool} $*"; echo "$PWD" > called-by\n'.encode())
    workspace = site.local(LOCAL).workspace
    moved = "Deleted requirements.txt, dependencies for this project are tracked in pyproject.toml"
    needs = [("python", {"toolchain": "uv"}, ["requirements.txt"],
              ["uv init --bare --no-package --no-pin-python --name site", "uv add --no-sync -r requirements.txt", moved,
               "uv sync"]),
             ("python", {"toolchain": "poetry"}, ["requirements.txt"], [moved, "poetry install --no-ansi"]),
             ("python", {}, ["pyproject.toml"], []),
             ("python", {"toolchain": "uv"}, [], ["uv sync"]),
             ("python", {"toolchain": "poetry"}, [], ["poetry install --no-ansi"]),
             ("nodejs", {}, ["package.json"], ["npm install --no-audit --no-fund --loglevel=error"]),
             ("nodejs", {}, ["pnpm-lock.yaml"], ["pnpm install --use-stderr"]),
             ("nodejs", {"packagemanager": "npm"}, [], ["npm install --no-audit --no-fund --loglevel=error"]),
             ("go", {}, ["go.mod"], ["go mod tidy -compat=1.18"])]
    for runtime, options, files, commands in needs:
        for file in files:
            (site.project / file).touch()
        (site.project / "Pulumi.yaml").write_text(
            json.dumps({"name": "site", "runtime": {"name": runtime, "options": options}}))
        lines = []
        workspace.install(no_plugins=True, use_language_version_tools=True, reinstall=True, on_output=lines.append)
        assert [n for n in lines if n and not n.endswith(("dependencies", "dependencies..."))] == commands
    assert (site.project / "called-by").read_text().strip() == str(site.project)
    assert not (site.project / "requirements.txt").exists()  # pyproject.toml lists its packages now
    make_executable(site.bin / "go", b"#!/bin/sh\necho 'no network' >&2; exit 3\n")
    with pytest.raises(errors.CommandError, match="no network\\nerror: installing dependencies: `go mod tidy .* failed"):
        workspace.install(no_plugins=True)
    workspace.install(no_plugins=True, no_dependencies=True)


@OUR_OWN
@pytest.mark.slow
def test_a_program_gets_an_environment_of_its_own(site):
    wheel = site.project / "needed-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("needed.py", "answer = 42\n")
        archive.writestr("needed-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: needed\nVersion: 1.0\n")
        archive.writestr("needed-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("needed-1.0.dist-info/RECORD", "")
    stack = site.local("import needed\n")
    (site.project / "requirements.txt").write_text(f"./{wheel.name}\n")
    (site.project / "Pulumi.yaml").write_text("name: site\nruntime: {name: python, options: {virtualenv: own}}\n")
    stack.workspace.install()
    seen = subprocess.check_output([site.project / "own" / "bin" / "python", "-c", "import needed; print(needed.answer)"])
    assert seen == b"42\n"


# Parts for which the SDK calls the command directly.

@OUR_OWN
def test_the_interface_for_single_commands_works(site):
    api = site.stack().workspace.cli_api
    common = dict(cwd=str(site.project), color="never", disable_integrity_checking=True, fully_qualify_stack_names=True,
                  logflow=True, logtostderr=True, memprofilerate=1, verbose=1)
    assert "dev" in api.cancel("dev", **common).stdout
    assert api.org_get_default(**common).stdout.strip() == "organization"
    made = api._import("things:index:Thing", "found", "found-1", **common, generate_code=False, message="m", protect=True,
                       parallel=1, suppress_outputs=True, suppress_progress=True, urns=True,
                       diff=True, debug=True, skip_plugin_pre_install=True, stack="dev", exec_kind="auto.local", output="json")
    assert json.loads(made.stdout)["result"] == "succeeded"
    assert "found-1" in (site.backend / ".pulumi/stacks/site/dev.json").read_text()
    api.new("python", cwd=str(site.project), dir="other", force=True, generate_only=True, name="other", offline=True)
    assert "name: other\n" in (site.project / "other" / "Pulumi.yaml").read_text()


@OUR_OWN
def test_the_passphrase_of_a_stack_is_changed(site, monkeypatch):
    """As ChangeSecretsProvider of the Go SDK does, which writes the new passphrase to standard input."""
    stack = site.stack(things("first", hidden="s3cr3t"))
    stack.set_config("key", secret("also s3cr3t"))
    stack.up()

    def change(provider, new):
        return subprocess.run(["pulumi", "stack", "change-secrets-provider", "--stack", "dev", provider,
                               "--non-interactive"], cwd=site.project, input=new, capture_output=True, text=True)

    refused = change("rot13://key", "")
    assert refused.returncode != 0 and "unknown secrets provider" in refused.stderr
    before = (site.project / "Pulumi.dev.yaml").read_text()
    changed = change("passphrase", "another passphrase")
    assert changed.returncode == 0, changed.stderr
    assert "Migrating old configuration and state to new secrets provider" in changed.stdout
    assert (site.project / "Pulumi.dev.yaml").read_text() != before
    with pytest.raises(errors.CommandError, match="incorrect passphrase"):
        stack.outputs()
    assert change("passphrase", "x").returncode != 0
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "another passphrase")
    assert stack.outputs()["hidden"].value == "s3cr3t" and stack.get_config("key").value == "also s3cr3t"
    assert stack.up(expect_no_changes=True).outputs["hidden"].secret


# The other SDKs.

def automate(site, *argv, **more):
    run = subprocess.run([*argv, str(site.root)], cwd=site.root, env=os.environ | more, capture_output=True, text=True,
                         timeout=patience(240))
    assert run.returncode == 0, run.stdout + run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def test_the_node_sdk_does_all_of_it(site):
    modules = node_modules()
    program = site.copy(PROGRAMS / "node-automation", "program")
    (program / "node_modules").symlink_to(modules)
    seen = automate(site, "node", str(program))
    assert (seen["absent"], seen["twice"], seen["concurrent"]) == (
        "StackNotFoundError", "StackAlreadyExistsError", "ConcurrentUpdateError")
    assert (seen["failing"], seen["environments"]) == ("CommandError", "CommandError")
    assert seen["version"] == site.version and seen["listed"] == [["dev", True]] and seen["selected"] == "dev"
    assert seen["organization"] == ("CommandError" if site.command.is_peer else "organization")
    assert (seen["plugins"], seen["me"]["url"]) == ([], site.backend.as_uri())
    assert seen["config"] == {
        "site:value": {"value": "-one", "secret": False}, "site:a": {"value": "1", "secret": False},
        "other:b": {"value": "zwei=2", "secret": True}, "site:c": {"value": "3", "secret": False},
        "site:deep": {"value": '{"list":["s3cr3t"]}', "objectValue": {"list": ["s3cr3t"]}, "secret": True}}
    assert (seen["one"]["value"], seen["left"]) == ("s3cr3t", ["site:deep", "site:value"])
    assert seen["tags"][0] == "me" and seen["tags"][1]["owner"] == "me"
    assert seen["preview"] == {"create": 3} and sorted(seen["importable"]) == ["first", "second"]
    assert seen["previewed"] == seen["up"]["steps"] == ["create first", "create second"]
    assert seen["up"]["outputs"] == {"value": {"value": "-one", "secret": False}, "hidden": {"value": "s3cr3t", "secret": True}}
    assert seen["up"]["shown"]
    assert seen["up"]["summary"] == ["update", "succeeded", "begin", {"create": 3}, "auto.inline", True]
    assert seen["targeted"] == [] and seen["replaced"] == ["create-replacement first", "delete-replaced first", "replace first"]
    assert (seen["unchanged"], seen["refreshed"], seen["refreshPreview"]["same"]) == ("succeeded", "succeeded", 1)
    assert (seen["rows"], seen["imported"], seen["waited"], seen["history"]) == (4, "resource-import", True, 2)
    assert seen["destroyPreview"] == {"delete": 1} and seen["left_over"] == 0  # the waiting program declared nothing
    assert site.world.things.existing.keys() == {"found-2"}


@pytest.mark.slow
def test_the_go_sdk_does_all_of_it(site):
    program = go_build("./automation", site.root / "automation")
    seen = automate(site, str(program))
    assert [seen[k] for k in ("absent", "twice", "concurrent", "environments", "failing")] == [True] * 5
    assert (seen["version"].removeprefix("v"), seen["user"]) == (site.version, site.backend.as_uri())
    assert (seen["listed"], seen["plugins"]) == (1, 0)
    assert {k: (v["Value"], v["Secret"]) for k, v in seen["config"].items()} == {
        "site:value": ("-one", False), "site:a": ("1", False), "other:b": ("zwei=2", True), "site:c": ("3", False),
        "site:deep": ('{"list":["s3cr3t"]}', True)}
    assert (seen["one"], seen["tag"]) == ("s3cr3t", "me")
    assert seen["preview"] == {"create": 3}
    assert seen["previewed"] == seen["up"]["steps"] == ["create first", "create second"]
    assert seen["up"]["shown"] and seen["up"]["hidden"] and seen["up"]["value"] == "s3cr3t"
    assert (seen["up"]["message"], seen["up"]["changes"]) == ('"a \\"quoted\\" message"', {"create": 3})
    assert seen["replaced"] == ["create-replacement first", "delete-replaced first", "replace first"]
    assert (seen["refreshed"], seen["refreshPreview"]["same"]) == ("succeeded", 1)
    assert (seen["imported"], seen["deep"], seen["history"], seen["left"]) == (
        "resource-import", '{"list":["s3cr3t"]}', 2, 0)
    assert seen["destroyPreview"]["delete"] >= 3 and site.world.things.existing.keys() == {"found-2"}
