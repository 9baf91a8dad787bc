# SPDX-License-Identifier: Apache-2.0
"""The stories of docs/screens.md that tests/py/test_screens.py does not have: each a few commands, with their output.

KINGPOST_ACCEPT=1 records the screens anew; read what changed before it is committed.
"""

import json
import os
import re
import sys
from pathlib import Path

from harness.commands import PROGRAMS, REPOSITORY
from harness.screens import CTRL_C, RECORDED, check
from test_screens import QUIET, Site, made, site  # noqa: F401  fixtures

# The history's lines about the machine are left out, and the version of Python.
OF_THE_MACHINE = re.compile(r'^ *"?(pulumi\.env|ci|git|vcs)\..*\n', re.M)
THING = "urn:pulumi:dev::site::things:index:Thing::"


def tell(told, name, *steps, scene="first", **env):
    """Records the output of commands, one after another. The last word of a step may be the expected exit code (else 0)."""
    text = ""
    for step in steps:
        args, code = (step[:-1], step[-1]) if isinstance(step[-1], int) else (step, 0)
        said = told.piped(*args, scene=scene, code=code, **env).rstrip("\n")
        text += f"$ kingpost {' '.join(args)}" + (f"   (ends with {code})" if code else "") + f"\n{said}\n\n"
    for path, word in ((Path(sys.executable), "PYTHON"), (REPOSITORY, "REPOSITORY")):
        text = text.replace(str(path), word)
    text = re.sub(r"(AGO took) \d+s", r"\1 Ns", OF_THE_MACHINE.sub("", text.rstrip("\n") + "\n"))
    check(f"story-{name}", re.sub(r'(runtime\.version"?: "?)[\d.]+', r"\1VERSION", text))


def test_a_new_stack(tmp_path):
    fresh = Site(tmp_path)
    tell(fresh, "new-stack", ("stack", "ls"), ("stack", "init", "dev"), ("stack",), ("stack", "ls"),
         ("stack", "init", "dev", 1), ("stack", "select", "nowhere", 6), ("stack", "select", "--create", "prod"),
         ("stack", "rename", "staging"), ("stack", "ls"), ("stack", "rm", "staging", "--yes"), ("stack", "--show-name", 6),
         ("stack", "rm", "dev", "--yes"), ("stack", "ls"))


def test_configuration_and_its_secrets(tmp_path):
    fresh = Site(tmp_path)
    fresh.piped("stack", "init", "dev")
    tell(fresh, "config", ("config", "set", "region", "eu-west-1"), ("config", "set", "--secret", "token", "hunter22"),
         ("config", "set", "--path", "servers[0].name", "a"), ("config", "set", "apiToken", "1415fc1f4eaeb5e096ee58c1480016", 1),
         ("config", "set", "--plaintext", "apiToken", "1415fc1f4eaeb5e096ee58c1480016"), ("config", "rm", "apiToken"),
         ("config",), ("config", "get", "token"),
         ("config", "get", "nothing", 1), ("config", "--json"), ("config", "rm", "region"), ("config", "--show-secrets"))


def test_history_and_outputs(site):  # noqa: F811
    site.piped("config", "set", "--secret", "token", "hunter22")
    tell(site, "history", ("stack", "history"), ("stack", "history", "--json"), ("stack", "output", "url"),
         ("stack", "output", "--json"), ("stack", "output", "nothing", 1), ("stack", "--show-urns"))


def test_the_state_is_edited(site):  # noqa: F811
    tell(site, "state", ("state", "delete", THING + "rules", "--yes", 1), ("state", "delete", THING + "nothing", "--yes", 1),
         ("state", "protect", THING + "key", "--yes"), ("state", "delete", THING + "key", "--yes", 1),
         ("state", "unprotect", THING + "key", "--yes"), ("state", "delete", THING + "key", "--yes"),
         ("stack", "export", "--file", "state.json"), ("stack", "import", "--file", "state.json"))


def test_a_wrong_passphrase(made):  # noqa: F811
    tell(made, "wrong-passphrase", ("preview", 1), ("stack", "output"), ("config",), ("stack", "export", "--show-secrets", 1),
         PULUMI_CONFIG_PASSPHRASE="wrong")


def test_somebody_holds_the_lock(site):  # noqa: F811
    folder = site.folder / "state" / ".pulumi" / "locks" / "organization" / "site" / "dev"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "00000000-0000-4000-8000-000000000000.json").write_text(json.dumps(
        {"pid": 4711, "username": "ann", "hostname": "elsewhere", "timestamp": "2026-01-02T03:04:05Z"}))
    tell(site, "lock", ("up", "--yes", 1), ("stack", "ls"), ("cancel", "--yes"), ("cancel", "--yes"))


def test_stores_that_are_not_there(tmp_path):
    tell(Site(tmp_path), "stores", ("login", "file:///nowhere/at/all", 1), ("login", "nonsense://x", 1),
         ("login", "https://pulumi.example.com", 1))


def test_a_plugin_is_missing(site):  # noqa: F811
    (site.folder / "plugins" / "things").unlink()
    # Chance decides whether the failure of the stack or that of its provider is printed first.
    said = f"$ kingpost preview   (ends with 1)\n{site.piped('preview', scene='first', code=1)}"
    if os.environ.get("KINGPOST_ACCEPT"):
        check("story-missing-plugin", said)
    recorded = (RECORDED / "story-missing-plugin.txt").read_text()
    assert sorted(said.strip().splitlines()) == sorted(recorded.strip().splitlines())


def test_a_provider_does_not_start(site):  # noqa: F811
    (site.folder / "plugins" / "things").unlink()
    plugin = site.folder / "plugins" / "things"
    plugin.mkdir()
    (plugin / "PulumiPlugin.yaml").write_text("runtime: python\n")
    (plugin / "__main__.py").write_text('import sys\nsys.exit("no licence was found")\n')
    tell(site, "provider-fails", ("up", *QUIET, 1))


def test_a_plan_that_no_longer_holds(site):  # noqa: F811
    site.piped("preview", "--save-plan", "plan.json")
    tell(site, "plan-mismatch", ("up", *QUIET, "--plan", "plan.json", 1), scene="second")


def test_the_world_has_drifted(site):  # noqa: F811
    thing = site.project / "things" / "rules-1.json"
    thing.write_text(json.dumps(json.loads(thing.read_text()) | {"value": ["a", "z"]}))
    (site.project / "things" / "key-1.json").unlink()
    alone = ("--parallel", "1")  # else the order of changes is that of the provider's answers
    tell(site, "drift", ("refresh", "--preview-only", *alone), ("refresh", "--preview-only", "--diff", *alone),
         ("refresh", *QUIET), ("refresh", "--preview-only", "--expect-no-changes", *alone))


def test_replacements_in_both_orders(site):  # noqa: F811
    site.piped("up", *QUIET, scene="chain")
    tell(site, "replacements", ("preview", "--diff", "--parallel", "1"), ("up", *QUIET, "--show-replacement-steps"), scene="chain2")


def test_a_policy_is_violated(made):  # noqa: F811
    tell(made, "policy", ("preview", "--policy-pack", str(PROGRAMS / "policies"), "--parallel", "1", 1))


def test_something_is_imported(site):  # noqa: F811
    (site.project / "things" / "found-1.json").write_text('{"value": "there already"}')
    tell(site, "import", ("import", "things:index:Thing", "found", "found-1", *QUIET),
         ("import", "things:index:Thing", "lost", "lost-1", *QUIET, 1))


def test_destroying_what_is_protected_and_what_fails(site):  # noqa: F811
    site.piped("up", *QUIET, scene="protected")
    tell(site, "destroy-protected", ("destroy", *QUIET, 1), ("destroy", *QUIET, "--exclude-protected"))
    site.piped("state", "unprotect", "--all", "--yes")
    site.piped("up", *QUIET, scene="undeletable")
    tell(site, "destroy-fails", ("destroy", *QUIET, "--continue-on-error", 1))


def test_some_are_chosen(site):  # noqa: F811
    tell(site, "target", ("up", *QUIET, "--target", "**rules"), ("preview", "--parallel", "1", "--exclude", "**rules"),
         ("preview", "--target", THING + "nothing", 1), scene="second")


def test_a_flood_of_output_is_shown_once_and_in_order(site):  # noqa: F811
    screen = site.screen("up", *QUIET, scene="flood", columns=60, rows=24)
    assert screen.finish() == 0
    numbers = re.findall(r"^ {4}flood (\d+)$", screen.text(), re.MULTILINE)
    assert numbers == [str(number) for number in range(3000)]
    frames = screen.raw.count(b"\x1b[J")
    assert frames < 200, "the rows are not drawn again for each line that is said"


def test_ctrl_c_in_a_terminal(site):  # noqa: F811
    """Checks the notice, the running steps, the second Ctrl-C, the pending operations, the lock and the terminal."""
    screen = site.screen("up", *QUIET, scene="second", rows=40, THINGS_DELAY_MS="60000")
    screen.wait_for("script    updating")
    screen.send(CTRL_C)
    screen.wait_for("Ctrl-C again stops at once")
    text = screen.text()
    assert "Interrupted: no other step begins. Waiting for:" in text
    assert re.search(r"^    updating script \([\d.]+s\)$", text, re.MULTILINE)
    screen.send(CTRL_C)
    assert screen.finish(60) == 8  # cancelled
    assert screen.last_modes == screen.modes, "the terminal is as it was"
    text = screen.text()
    assert text.count("Interrupted: no other step begins.") == 1 and text.count("Interrupted again: stopping at once.") == 1
    assert re.search(r"things:index:Thing +script +\*\*updating interrupted\*\*", text)
    assert "Left pending: updating script" in text and "`kingpost refresh`" in text
    assert not [line for line in text.splitlines() if "running, " in line and " done, " in line], "rows that are stale"
    assert "\x1b[?25l" not in screen.raw.decode() or screen.raw.decode().rstrip().endswith("\x1b[?25h")
    locks = site.folder / "state" / ".pulumi" / "locks"
    assert not list(locks.rglob("*.json")), "the lock is released"
    state = json.loads(site.piped("stack", "export"))["deployment"]
    assert [(p["type"], p["resource"]["urn"].split("::")[-1]) for p in state["pending_operations"]] == [("updating", "script")]
