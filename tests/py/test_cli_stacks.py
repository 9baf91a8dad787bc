# SPDX-License-Identifier: Apache-2.0
"""The command without operations: flags, errors, exit codes, and the life of stacks and their configuration."""

import json
import os
import re
import subprocess
import time

import pytest

from harness import Command, Workspace
from harness.patience import patience


class Cli:
    """Runs the command in a project of its own, with a file backend of its own."""

    def __init__(self, folder):
        self.command = Command.kingpost()
        self.project = folder / "project"
        self.state = folder / "state"
        self.project.mkdir()
        self.state.mkdir()
        (self.project / "Pulumi.yaml").write_text("name: demo\nruntime: python\n")
        self.env = self.command.environment(folder) | {
            "PULUMI_HOME": str(folder / "home"), "PULUMI_BACKEND_URL": f"file://{self.state}"}

    def __call__(self, *args, ok=True, stdin="", **env):
        run = subprocess.run([self.command.path, *args], cwd=self.project, env=self.env | env, input=stdin,
                             capture_output=True, text=True, timeout=patience(60))
        if ok:
            assert run.returncode == 0, f"{args}: {run.stderr}"
        return run

    def json(self, *args):
        return json.loads(self(*args).stdout)


@pytest.fixture
def cli(tmp_path):
    return Cli(tmp_path)


@pytest.fixture
def dev(cli):
    cli("stack", "init", "dev")
    return cli


def test_a_new_stack_records_what_protects_its_secrets(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), init=False)
    (ws.project / "Pulumi.yaml").write_text("name: shop\nruntime: yaml\n")
    ws.run("stack", "init", "dev")
    recorded = ws.state().document["deployment"]["secrets_providers"]
    assert recorded["type"] == "passphrase"
    assert recorded["state"]["salt"] in (ws.project / "Pulumi.dev.yaml").read_text()


def test_version_is_one_parseable_line(cli):
    assert re.fullmatch(r"v3\.\d+\.\d+\n", cli("version").stdout)


def test_version_starts_quickly(cli):
    def once():
        start = time.perf_counter()
        cli("version")
        return time.perf_counter() - start

    assert min(once() for _ in range(10)) < patience(0.05)  # the aim is 0.02; the rest is for busy machines


@pytest.mark.parametrize("args, message", [
    (["stak", "ls"], "did you mean stack?"),
    (["stack", "ls", "--jsn"], "unknown flag: --jsn; did you mean --json?"),
    (["up", "--parallel", "many"], "--parallel"),
    (["stack", "ls", "surplus"], "surplus"),
])
def test_wrong_command_lines_are_refused(cli, args, message):
    run = cli(*args, ok=False)
    assert run.returncode == 2
    assert run.stderr.startswith("error: ") and message in run.stderr
    assert not list(cli.state.iterdir())


def test_every_command_has_help(cli):
    listing = cli("--help").stdout.partition("\n\nUse ")[0]
    assert "Commands:" in listing
    for path in re.findall(r"^  ([a-z][a-z -]*?)  +", listing, re.M):
        assert "Usage" in cli(*path.split(), "--help").stdout, path
    assert "--remote" not in cli("preview", "--help").stdout


def test_a_stack_is_made_selected_listed_and_removed(cli):
    run = cli("stack", "init", "dev", "--non-interactive")
    assert run.stdout == "" and "Created stack 'dev'" in run.stderr
    assert "encryptionsalt: v1:" in (cli.project / "Pulumi.dev.yaml").read_text()
    cli("--non-interactive", "stack", "init", "other", "--no-select")
    stacks = {s["name"]: s for s in cli.json("stack", "ls", "--json")}
    assert stacks["dev"]["current"] and not stacks["other"]["current"]
    assert stacks["dev"]["resourceCount"] == 0

    cli("stack", "select", "--stack", "other")
    assert cli("stack", "--show-name").stdout == "other\n"
    cli("stack", "rm", "--yes", "other")
    assert [s["name"] for s in cli.json("stack", "ls", "--json")] == ["dev"]
    assert not (cli.project / "Pulumi.other.yaml").exists()


def test_errors_have_the_texts_that_sdks_look_for(dev):
    missing = dev("stack", "select", "--stack", "nope", ok=False)
    assert missing.returncode == 6 and missing.stderr == "error: no stack named 'nope' found\n"
    double = dev("stack", "init", "dev", ok=False)
    assert double.returncode == 1 and "error: stack 'organization/demo/dev' already exists" in double.stderr


def test_no_stack_is_selected(cli):
    run = cli("stack", "output", ok=False)
    assert run.returncode == 6 and "no stack selected" in run.stderr


@pytest.mark.parametrize("name", ["..", "a/../b", "x/y/z/w", "a b", "ä", "a" * 101])
def test_names_that_would_be_trouble_are_refused(cli, name):
    run = cli("stack", "init", "--", name, ok=False)
    assert run.returncode != 0
    assert not [f for f in cli.state.rglob("*") if f.is_file() and "meta" not in f.name]


def test_outside_of_a_project(cli, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run = cli("-C", str(elsewhere), "preview", ok=False)
    assert run.returncode == 1 and "Pulumi.yaml" in run.stderr


def test_operations_ask_before_they_change_things(dev):
    for operation in ("up", "refresh", "destroy"):
        run = dev(operation, ok=False)
        assert run.returncode == 2 and "must be passed in to proceed when running in non-interactive mode" in run.stderr


def test_target_and_exclude_contradict_each_other(dev):
    run = dev("up", "--yes", "--target", "a", "--exclude", "b", ok=False)
    assert run.returncode == 2 and "target exclude" in run.stderr


def test_configuration_is_set_read_and_removed(dev):
    dev("config", "set", "name", "--plaintext", "--stack", "dev", "--non-interactive", "--", "-x")
    dev("config", "set", "--path", "outer.list[0]", "7")
    dev("config", "set", "token", "--secret", "--", "hunter22")
    dev("config", "set", "other:key", "v")
    text = (dev.project / "Pulumi.dev.yaml").read_text()
    assert "hunter22" not in text and "demo:name: -x" in text

    masked = dev.json("config", "--json")
    assert masked["demo:name"] == {"value": "-x", "secret": False}
    assert masked["demo:token"] == {"secret": True}
    assert masked["demo:outer"]["objectValue"] == {"list": [7]}
    shown = dev.json("config", "--json", "--show-secrets")
    assert shown["demo:token"] == {"value": "hunter22", "secret": True}
    assert "[secret]" in dev("config").stdout and "hunter22" not in dev("config").stdout

    assert dev("config", "get", "token").stdout == "hunter22\n"
    assert dev.json("config", "get", "--json", "--path", "outer.list[0]")["value"] == "7"
    dev("config", "rm", "name")
    missing = dev("config", "get", "name", ok=False)
    assert missing.returncode == 1 and "configuration key 'name' not found for stack 'dev'" in missing.stderr


def test_several_values_at_once(dev):
    dev("config", "set-all", "--stack", "dev", "--plaintext", "a=1=2", "--secret", "b=hidden", "--plaintext", "c=")
    assert dev.json("config", "--json", "--show-secrets") == {
        "demo:a": {"value": "1=2", "secret": False}, "demo:b": {"value": "hidden", "secret": True},
        "demo:c": {"value": "", "secret": False}}
    dev("config", "set-all", "--json", json.dumps({"demo:d": {"value": "x", "secret": False}}))
    dev("config", "rm-all", "a", "b", "c")
    assert list(dev.json("config", "--json")) == ["demo:d"]


def test_values_come_from_standard_input(dev):
    dev("config", "set", "lines", stdin="one\ntwo\n")
    assert dev("config", "get", "lines").stdout == "one\ntwo\n"
    # Only the end of the last line is not part of the value.
    dev("config", "set", "lines", stdin="one\n\n")
    assert dev("config", "get", "lines").stdout == "one\n\n"


def test_a_secret_is_not_replaced_by_clear_text_unless_asked(dev):
    project = dev.project / "Pulumi.yaml"
    project.write_text(project.read_text() + "config: {pin: {type: string, secret: true}}\n")
    refused = dev("config", "set", "pin", "1234", ok=False)
    assert refused.returncode == 1 and "'demo:pin' is declared as a secret in the project; run again with --secret" in refused.stderr
    dev("config", "set", "--secret", "word", "canary")
    refused = dev("config", "set", "word", "clear", ok=False)
    assert refused.returncode == 1 and "'demo:word' replaces a secret; run again with --secret" in refused.stderr
    assert dev("config", "get", "word").stdout == "canary\n"
    dev("config", "set", "word", "clear", "--plaintext")
    assert dev.json("config", "--json")["demo:word"] == {"value": "clear", "secret": False}


def test_a_new_passphrase_is_one_line(dev):
    dev("config", "set", "--secret", "token", "canary-value")
    dev("stack", "change-secrets-provider", "passphrase", stdin="new words \nnew words\n")  # with the confirmation
    assert dev("config", "get", "token", PULUMI_CONFIG_PASSPHRASE="new words").stdout == "canary-value\n"


def test_without_a_new_passphrase_nothing_is_encrypted_anew(dev):
    dev("config", "set", "--secret", "token", "canary-value")
    refused = dev("stack", "change-secrets-provider", "passphrase", stdin="", ok=False)
    assert refused.returncode != 0 and "the new passphrase is missing: standard input is empty" in refused.stderr
    assert dev("config", "get", "token").stdout == "canary-value\n"


def test_comments_stay(dev):
    file = dev.project / "Pulumi.dev.yaml"
    file.write_text(file.read_text() + "# important\nconfig:\n  demo:a: 1 # one\n")
    dev("config", "set", "b", "2")
    assert "# important" in file.read_text() and "# one" in file.read_text()


def test_a_wrong_passphrase_is_told_and_nothing_is_lost(dev):
    dev("config", "set", "token", "--secret", "hunter22")
    before = (dev.project / "Pulumi.dev.yaml").read_bytes()
    run = dev("config", "get", "token", ok=False, PULUMI_CONFIG_PASSPHRASE="wrong")
    assert run.returncode != 0 and "incorrect passphrase" in run.stderr
    assert (dev.project / "Pulumi.dev.yaml").read_bytes() == before


def test_tags(dev):
    dev("stack", "tag", "set", "owner", "me", "--stack", "dev")
    assert dev("stack", "tag", "get", "owner").stdout == "me\n"
    assert dev.json("stack", "tag", "ls", "--json") == {"owner": "me"}
    dev("stack", "tag", "rm", "owner")
    assert dev("stack", "tag", "get", "owner", ok=False).returncode == 1
    refused = dev("stack", "tag", "set", "owner", os.fsdecode(b"m\xe9"), ok=False)
    assert refused.returncode == 2 and "is not UTF-8" in refused.stderr and dev.json("stack", "tag", "ls", "--json") == {}


@pytest.mark.parametrize("args", [
    ("stack", "import", "--file", "/dev/zero"), ("up", "--yes", "--plan", "/dev/zero"), ("graph", "--plan", "/dev/zero"),
    ("import", "--file", "/dev/zero", "--yes")], ids=" ".join)
def test_files_without_an_end_are_refused(dev, args):
    dev("stack", "import", stdin=deployment(ROOT))
    refused = dev(*args, ok=False)
    assert refused.returncode == 1 and "/dev/zero is not text" in refused.stderr


def deployment(*resources):
    return json.dumps({"version": 3, "deployment": {
        "manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": ""}, "resources": list(resources)}})


def resource(name, **more):
    return {"urn": f"urn:pulumi:dev::demo::my:mod:Thing::{name}", "custom": False, "type": "my:mod:Thing"} | more


ROOT = {"urn": "urn:pulumi:dev::demo::pulumi:pulumi:Stack::demo-dev", "custom": False, "type": "pulumi:pulumi:Stack",
        "outputs": {"list": [1, 2.5, True], "key": {
            "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"hunter22\""}}}


def test_a_deployment_goes_in_and_out(dev):
    run = dev("stack", "import", stdin=deployment(ROOT, resource("a")))
    assert run.stdout == "Import complete.\n"
    for file in dev.state.rglob("*"):
        assert not file.is_file() or b"hunter22" not in file.read_bytes()

    sealed = dev("stack", "export", PULUMI_CONFIG_PASSPHRASE="not needed here").stdout
    assert "hunter22" not in sealed and json.loads(sealed)["version"] == 3
    clear = dev.json("stack", "export", "--show-secrets")
    assert clear["deployment"]["resources"][0]["outputs"]["key"]["plaintext"] == "\"hunter22\""
    dev("stack", "import", stdin=sealed)
    assert json.loads(dev("stack", "export").stdout)["deployment"]["resources"] == \
        json.loads(sealed)["deployment"]["resources"]

    assert dev.json("stack", "output", "--json") == {"list": [1, 2.5, True], "key": "[secret]"}
    assert dev.json("stack", "output", "--json", "--show-secrets")["key"] == "hunter22"
    assert dev("stack", "output", "key", "--show-secrets").stdout == "hunter22\n"
    assert "does not have output property 'x'" in dev("stack", "output", "x", ok=False).stderr


@pytest.mark.parametrize("document, message", [
    ("{", "could not read"),
    ('{"version": 9, "deployment": {}}', ""),
    ('{"version": 3}', 'neither a "deployment" nor a "checkpoint"'),
    ('{"version": 3, "resources": []}', 'neither a "deployment" nor a "checkpoint"'),
    (deployment(resource("a", urn="urn:pulumi:prod::demo::my:mod:Thing::a")), "is from a different stack"),
    (deployment(resource("a", parent="urn:pulumi:dev::demo::my:mod:Thing::gone")), "missing parent"),
])
def test_bad_deployments_are_refused_and_change_nothing(dev, document, message):
    dev("stack", "import", stdin=deployment(ROOT))
    before = dev("stack", "export").stdout
    run = dev("stack", "import", ok=False, stdin=document)
    assert run.returncode != 0 and run.stderr.startswith("error: ") and message in run.stderr
    assert dev("stack", "export").stdout == before


def test_a_checkpoint_goes_in_as_a_deployment_does(dev):
    dev("stack", "import", stdin=deployment(ROOT, resource("a")))
    before = dev.json("stack", "export")["deployment"]["resources"]
    checkpoint = dev.state / ".pulumi" / "stacks" / "demo" / "dev.json"
    backup = checkpoint.read_text()
    assert "checkpoint" in json.loads(backup)
    dev("stack", "import", stdin=deployment())
    assert "resources" not in dev.json("stack", "export")["deployment"]
    dev("stack", "import", stdin=backup)
    assert dev.json("stack", "export")["deployment"]["resources"] == before


def test_a_stack_of_another_project_is_not_made_from_here(dev):
    refused = dev("stack", "init", "organization/other/dev", ok=False)
    assert refused.returncode == 2 and 'project name "other" doesn\'t match Pulumi.yaml' in refused.stderr
    assert [stack["name"] for stack in dev.json("stack", "ls", "--all", "--json")] == ["dev"]


def test_resources_are_edited_in_the_state(dev):
    urn = resource("a")["urn"]
    dev("stack", "import", stdin=deployment(ROOT, resource("a"), resource("b", dependencies=[urn])))
    dev("state", "protect", urn, "--yes")
    assert "protected" in dev("state", "delete", urn, "--yes", ok=False).stderr
    dev("state", "unprotect", urn, "--yes")
    refused = dev("state", "delete", urn, "--yes", ok=False)
    assert "can't be safely deleted" in refused.stderr and "Thing::b" in refused.stderr
    dev("state", "rename", urn, "c", "--yes")
    rows = {r["urn"]: r for r in dev.json("stack", "export")["deployment"]["resources"]}
    assert rows[resource("b")["urn"]]["dependencies"] == [resource("c")["urn"]]
    dev("state", "delete", resource("c")["urn"], "--target-dependents", "--yes")
    assert len(dev.json("stack", "export")["deployment"]["resources"]) == 1


def test_protected_resources_are_deleted_from_the_state_by_force_alone(dev):
    below = resource("c", protect=True, dependencies=[resource("b")["urn"]])
    dev("stack", "import", stdin=deployment(ROOT, resource("a", protect=True), resource("b"), below))
    assert "protected" in dev("state", "delete", resource("a")["urn"], "--yes", ok=False).stderr
    refused = dev("state", "delete", resource("b")["urn"], "--target-dependents", "--yes", ok=False)
    assert f"{below['urn']} can't be safely deleted because it is protected" in refused.stderr
    dev("state", "delete", resource("b")["urn"], "--target-dependents", "--force", "--yes")
    dev("state", "delete", resource("a")["urn"], "--force", "--yes")
    dev("state", "delete", "--all", "--yes")
    assert "resources" not in dev.json("stack", "export")["deployment"]


def test_edits_of_the_state_say_which_resource_may_be_meant_and_refuse_to_choose(dev):
    a, b = resource("alpha")["urn"], resource("beta")["urn"]
    old = resource("alpha", delete=True)
    dev("stack", "import", stdin=deployment(ROOT, resource("alpha"), resource("beta", dependencies=[a]), old))
    wrong = dev("state", "protect", a[:-1] + "ß", "--yes", ok=False)
    assert "No such resource" in wrong.stderr and f"Did you mean:\n  {a}" in wrong.stderr
    for edit in (("delete", a), ("rename", a, "gamma")):
        refused = dev("state", *edit, "--yes", ok=False)
        assert "ambiguously referred to multiple resources" in refused.stderr
    assert dev("state", "protect", a, "--yes").stdout == "1 resources protected\n"
    rows = dev.json("stack", "export")["deployment"]["resources"]
    assert [bool(r.get("protect")) for r in rows if r["urn"] == a] == [True, False]
    dev("stack", "import", stdin=deployment(ROOT, resource("alpha"), resource("beta", dependencies=[a])))
    assert dev("state", "delete", a, b, "--yes").stdout == "2 resources deleted\n"


def test_a_repair_renames_what_has_lost_its_parent_and_what_names_it(dev):
    lost = "urn:pulumi:dev::demo::my:mod:Gone$my:mod:Thing::a"
    orphan = resource("a") | {"urn": lost, "parent": "urn:pulumi:dev::demo::my:mod:Gone::g"}
    dev("stack", "import", "--force", stdin=deployment(ROOT, orphan, resource("b", dependencies=[lost])))
    assert dev("state", "repair", "--yes").stdout == "State repaired successfully\n"
    rows = {r["urn"]: r for r in dev.json("stack", "export")["deployment"]["resources"]}
    assert lost not in rows and len(rows) == 3
    renamed = next(urn for urn in rows if urn.endswith("::a"))
    assert "$" not in renamed and rows[resource("b")["urn"]]["dependencies"] == [renamed]


def test_a_repair_tells_an_orphan_from_what_is_recorded_under_the_same_name(dev):
    kept = {"urn": "urn:pulumi:dev::demo::my:mod:Kept::k", "type": "my:mod:Kept", "custom": False, "parent": ROOT["urn"]}
    name = "urn:pulumi:dev::demo::my:mod:Kept$my:mod:Thing::a"
    child = resource("a") | {"urn": name, "parent": kept["urn"]}
    orphan = child | {"protect": True, "parent": "urn:pulumi:dev::demo::my:mod:Kept::gone"}
    dev("stack", "import", "--force", stdin=deployment(ROOT, kept, child, orphan))
    assert dev("state", "repair", "--yes").stdout == "State repaired successfully\n"
    rows = {r["urn"]: r for r in dev.json("stack", "export")["deployment"]["resources"]}
    assert rows[name]["parent"] == kept["urn"] and "protect" not in rows[name]
    renamed = rows[resource("a")["urn"]]
    assert renamed["protect"] and "parent" not in renamed


def test_resources_are_tainted_and_untainted_in_the_state(dev):
    dev("stack", "import", stdin=deployment(ROOT, resource("a"), resource("b")))

    def tainted():
        return [r["urn"] for r in dev.json("stack", "export")["deployment"]["resources"] if r.get("taint")]
    dev("state", "taint", resource("a")["urn"], resource("b")["urn"], "--yes")
    assert tainted() == [resource("a")["urn"], resource("b")["urn"]]
    dev("state", "untaint", resource("a")["urn"], "--yes")
    assert tainted() == [resource("b")["urn"]]


def test_a_state_is_repaired(dev):
    gone = resource("gone")["urn"]
    # b comes before a, on which it depends; c depends on a resource that is missing.
    broken = deployment(ROOT, resource("b", dependencies=[resource("a")["urn"]]), resource("a"),
                        resource("c", dependencies=[gone]))
    dev("stack", "import", "--force", stdin=broken)
    dev("state", "repair", "--yes")
    rows = {r["urn"]: r for r in dev.json("stack", "export")["deployment"]["resources"]}
    assert list(rows) == [ROOT["urn"], *(resource(name)["urn"] for name in "abc")]
    assert rows[resource("b")["urn"]]["dependencies"] == [resource("a")["urn"]]
    assert "dependencies" not in rows[resource("c")["urn"]]


def test_a_stack_with_resources_stays_unless_forced(dev):
    dev("stack", "import", stdin=deployment(ROOT))
    refused = dev("stack", "rm", "--yes", ok=False)
    assert refused.returncode == 1 and "still has resources" in refused.stderr
    dev("stack", "rm", "--yes", "--force", "--preserve-config")
    assert dev.json("stack", "ls", "--json") == [] and (dev.project / "Pulumi.dev.yaml").exists()


def test_a_stack_is_renamed_with_all_its_references(dev):
    dev("stack", "import", stdin=deployment(ROOT, resource("a", parent=ROOT["urn"])))
    dev("stack", "rename", "prod")
    rows = dev.json("stack", "export", "--stack", "prod")["deployment"]["resources"]
    assert [r["urn"] for r in rows] == ["urn:pulumi:prod::demo::pulumi:pulumi:Stack::demo-prod",
                                        "urn:pulumi:prod::demo::my:mod:Thing::a"]
    assert rows[1]["parent"] == rows[0]["urn"]
    assert (dev.project / "Pulumi.prod.yaml").exists() and dev("stack", "--show-name").stdout == "prod\n"


def test_a_stack_that_goes_to_another_project_takes_its_settings_along(dev):
    dev("stack", "import", stdin=deployment(ROOT))
    for key, value in {"size": "3", "aws:region": "eu-west-1"}.items():
        dev("config", "set", key, value)
    told = dev("stack", "rename", "organization/shop/prod").stdout
    assert "Renamed organization/demo/dev to organization/shop/prod" in told and "write 'name: shop' into" in told
    settings = (dev.project / "Pulumi.prod.yaml").read_text()
    assert "shop:size: " in settings and "aws:region: eu-west-1" in settings and "demo:" not in settings


def test_numbers_that_programs_get_otherwise_are_told_once(dev):
    with (dev.project / "Pulumi.dev.yaml").open("a") as settings:
        settings.write("config:\n  demo:mask: 0x1F\n  demo:account: 0123\n")
    shown = dev("config", "get", "account")
    assert shown.stdout == "0123\n"
    assert shown.stderr.count("demo:mask is written 0x1F, and programs get the number 31") == 1


def test_a_locked_stack_says_by_whom(dev):
    folder = dev.state / ".pulumi" / "locks" / "organization" / "demo" / "dev"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "11111111-1111-4111-8111-111111111111.json").write_text(json.dumps(
        {"pid": 1, "username": "someone", "hostname": "elsewhere", "timestamp": "2026-01-01T00:00:00Z"}))
    run = dev("stack", "import", ok=False, stdin=deployment(ROOT))
    assert run.returncode == 1 and "the stack is currently locked by" in run.stderr and "elsewhere" in run.stderr
    dev("cancel", "--yes", "--stack", "dev")
    dev("stack", "import", stdin=deployment(ROOT))


@pytest.mark.parametrize("name", ["kingpost", "pulumi"])
def test_messages_name_the_command_that_was_typed(dev, tmp_path, name):
    locks = dev.state / ".pulumi" / "locks" / "organization" / "demo" / "dev"
    locks.mkdir(parents=True, exist_ok=True)
    (locks / "00000000-0000-4000-8000-000000000000.json").write_text(json.dumps(
        {"pid": 1, "username": "ann", "hostname": "elsewhere", "timestamp": "2026-01-02T03:04:05Z"}))
    typed = tmp_path / "bin" / name
    typed.parent.mkdir()
    typed.symlink_to(dev.command.path)
    refused = subprocess.run([typed, "destroy", "--yes"], cwd=dev.project, env=dev.env, capture_output=True, text=True,
                             timeout=patience(60))
    assert refused.returncode == 1 and f"delete the lock file with `{name} cancel`" in refused.stderr
    shown = subprocess.run([typed, "stack", "--help"], env=dev.env, capture_output=True, text=True, timeout=patience(60))
    assert f"{name} stack [" in shown.stdout and f"\n  {name} stack " in shown.stdout, shown.stdout


@pytest.mark.parametrize("cut", [0, 1, 20, 100, -1])
def test_a_truncated_state_is_refused_and_left_alone(dev, cut):
    dev("stack", "import", stdin=deployment(ROOT))
    file = dev.state / ".pulumi" / "stacks" / "demo" / "dev.json"
    whole = file.read_bytes()
    file.write_bytes(whole[:cut] if cut else b"\0" * 10)
    broken = file.read_bytes()
    run = dev("stack", "export", ok=False)
    assert run.returncode != 0 and run.stderr.startswith("error: ")
    assert file.read_bytes() == broken


def test_whoami_about_and_organization(dev):
    who = dev.json("whoami", "--json")
    assert who["user"] and who["url"].startswith("file://")
    assert dev.json("about", "--json")["backend"]["url"] == who["url"]
    assert dev("org", "get-default").stdout == "organization\n"


def test_history_of_a_new_stack_is_empty(dev):
    assert dev.json("stack", "history", "--json", "--page-size", "1", "--page", "1", "--stack", "dev") == []


@pytest.mark.parametrize("size, text", [(9, "9 B"), (10, "10 B"), (999, "999 B"), (1000, "1.0 kB"), (1949, "1.9 kB"),
                                        (9960, "10 kB"), (12_500, "12 kB"), (12_550, "13 kB"), (999_960, "1000 kB"),
                                        (81_949_123, "82 MB"), (3_250_000_000, "3.3 GB")])
def test_sizes_of_plugins_are_rounded(dev, size, text):
    folder = dev.project.parent / "home" / "plugins" / "resource-thing-v1.2.3"
    folder.mkdir(parents=True)
    with (folder / "pulumi-resource-thing").open("wb") as file:
        file.truncate(size)
    said = dev("plugin", "ls").stdout
    assert f" {text} " in said and said.endswith(f"\n\nTOTAL plugin cache size: {text}\n")


def test_plugins_are_listed_and_removed(dev):
    folder = dev.project.parent / "home" / "plugins" / "resource-thing-v1.2.3"
    folder.mkdir(parents=True)
    (folder / "pulumi-resource-thing").write_text("#!/bin/sh\n")
    rows = dev.json("plugin", "ls", "--json")
    assert [(r["kind"], r["name"], r["version"]) for r in rows] == [("resource", "thing", "1.2.3")]
    assert dev("plugin", "ls").stdout.endswith("\n\nTOTAL plugin cache size: 10 B\n")
    dev("plugin", "rm", "resource", "thing", "1.2.3", "--yes")
    assert not folder.exists()
