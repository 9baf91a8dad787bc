# SPDX-License-Identifier: Apache-2.0
"""`policy new`: policy packs from templates."""

import json
import sys

import pytest

from harness import PROGRAMS, REPOSITORY, node_modules
from harness.new_folder import folder  # noqa: F401 - a fixture
from harness.screens import ENTER, Screen

POLICIES = sorted(folder.name for folder in (REPOSITORY / "cpp" / "cli" / "templates" / "policies").iterdir())
BUCKET = """\
name: shop
runtime: yaml
plugins:
  providers:
    - {name: aws, path: ./aws}
resources:
  NAME: {type: "aws:s3/bucket:Bucket", properties: {acl: public-read}}
"""
LONG = "n" * 61


def aws(app):
    """Writes a provider of buckets that is good enough for a preview."""
    things = (PROGRAMS / "things" / "__main__.py").read_text()
    (app / "aws").mkdir()
    (app / "aws" / "PulumiPlugin.yaml").write_text("runtime: python\n")
    (app / "aws" / "__main__.py").write_text(
        things.replace('"things:index:Thing": {"inputProperties"', '"aws:s3/bucket:Bucket": {"inputProperties"')
        .replace('"name": "things"', '"name": "aws"').replace('"deleteFirst": {"type"', '"acl": TEXT, "deleteFirst": {"type"'))


def bring_policy_packages(template, pack):
    if "script" in template:
        (pack / "node_modules").symlink_to(node_modules(PROGRAMS / "node-policies"))
    else:
        python = pack / "venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)


@pytest.mark.parametrize("template", POLICIES)
def test_a_policy_pack_that_is_made_works_at_once(folder, template):
    run = folder("policy", "new", template, "--dir", "pack", "--generate-only")
    assert run.stdout.startswith("Created Policy Pack!\nYour new Policy Pack is ready to go! ✨\n\n"
                                 "To install dependencies for the Policy Pack, run `kingpost install`\n")
    assert f"up --policy-pack {folder.root / 'pack'}" in run.stdout.replace("\n", " ")
    bring_policy_packages(template, folder.root / "pack")
    app = folder.root / "app"
    app.mkdir()
    aws(app)
    good = BUCKET.splitlines()[-1].replace("NAME", "short").replace("public-read", "private")
    (app / "Pulumi.yaml").write_text(f'{BUCKET.replace("NAME", LONG)}{good}\n')
    folder("stack", "init", "dev", cwd=app)
    log = folder.root / "events.json"
    folder("preview", "--policy-pack", "../pack", "--event-log", str(log), cwd=app, code=1)
    violations = [event["policyEvent"] for event in map(json.loads, log.read_text().splitlines()) if "policyEvent" in event]
    said = "everybody could read this bucket" if template.startswith("aws") else "has more than 60 characters"
    assert [said in violation["message"] for violation in violations] == [True], violations
    assert violations[0]["resourceUrn"].endswith("::" + LONG)  # and not the other bucket, which keeps the policy


def test_a_policy_pack_is_chosen_in_a_terminal(folder):
    (folder.root / "pack").mkdir()
    screen = Screen([str(folder.command.path), "policy", "new", "--generate-only"], folder.root / "pack", folder.env)
    screen.wait_for("Please choose a template:")
    screen.send("aws-p" + ENTER)
    assert screen.finish() == 0
    assert "Created Policy Pack!" in screen.text()
    assert "everybody could read this bucket" in (folder.root / "pack" / "__main__.py").read_text()


def test_a_policy_pack_from_a_folder_takes_options_and_what_it_needs(folder):
    pack = folder.root / "tpl"
    pack.mkdir()
    (pack / "PulumiPolicy.yaml").write_text("# ours\nruntime: python\ndescription: Ours\n")
    (pack / "__main__.py").write_text("print('${PROJECT}')\n")
    (folder.root / "tools").mkdir()
    uv = folder.root / "tools" / "uv"
    uv.write_text('#!/bin/sh\necho "uv $* into $UV_PROJECT_ENVIRONMENT"\n')
    uv.chmod(0o755)
    run = folder("policy", "new", "./tpl", "--dir", "made", "--runtime-options", "toolchain=uv",
                 PATH=f"{uv.parent}:{folder.env['PATH']}")
    made = folder.root / "made"
    assert f"uv sync into {made / 'venv'}" in run.stdout and "Finished installing dependencies" in run.stdout
    assert "To install dependencies" not in run.stdout
    assert (made / "PulumiPolicy.yaml").read_text() == (
        "# ours\nruntime:\n  name: python\n  options:\n    toolchain: uv\n    virtualenv: venv\ndescription: Ours\n")
    assert (made / "__main__.py").read_text() == "print('${PROJECT}')\n"


def test_templates_of_policy_packs_are_listed_and_refused_by_name(folder):
    listing = folder("policy", "new", "--list-templates").stdout
    assert [line.split()[0] for line in listing.splitlines() if line.startswith("  ")] == POLICIES
    missing = folder("policy", "new", "pythn", "--offline", "--dir", "pack", code=1)
    assert "did you mean 'python'? `kingpost policy new --list-templates`" in missing.stderr
    assert "a template must be provided" in folder("policy", "new", "--dir", "pack", code=2).stderr
    folder("policy", "new", "python", "--dir", "pack", "--generate-only")
    assert "is not empty; use --force" in folder("policy", "new", "python", "--dir", "pack", code=1).stderr
    folder.template()
    assert "there is no template in ./tpl" in folder("policy", "new", "./tpl", "--dir", "other", code=1).stderr
