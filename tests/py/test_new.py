# SPDX-License-Identifier: Apache-2.0
"""`new` and `up TEMPLATE`: projects from the templates in the command, from folders, archives and git repositories."""

import functools
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import zipfile
from pathlib import Path

import pytest

from harness import Command, PROGRAMS, REPOSITORY, node_modules, peer_or_skip
from harness.patience import patience
from harness.processes import kill_group, wait_for
from harness.screens import DOWN, ENTER, Screen

BUILT_IN = sorted(folder.name for folder in (REPOSITORY / "cpp" / "cli" / "templates" / "data").iterdir())
MANIFEST = """\
name: ${PROJECT}
description: ${DESCRIPTION}
# what runs it
runtime: python
template:
  description: Shops
  quickstart: Read the manual.
  config:
    size:
      description: How many
      default: 2
    token:
      secret: true
      default: hunter22
    aws:region:
      description: Where
"""


class Folder:
    """A folder that holds only a state and a home."""

    def __init__(self, root: Path, command: Command | None = None):
        self.command = command or Command.kingpost()
        self.root = root
        (root / "state").mkdir()
        self.env = self.command.environment(root) | {
            "PULUMI_HOME": str(root / "home"), "PULUMI_BACKEND_URL": f"file://{root / 'state'}",
            "PULUMI_TEMPLATE_GIT_REPOSITORY": str(root / "no-repository"), "GIT_CONFIG_GLOBAL": "/dev/null"}

    def __call__(self, *args, cwd=None, code=0, **env):
        run = subprocess.run([self.command.path, *args], cwd=cwd or self.root, env=self.env | env, text=True,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=patience(300))
        assert run.returncode == code, f"{args}: {run.stdout}{run.stderr}"
        return run

    def template(self, name="tpl", manifest=MANIFEST, **files):
        folder = self.root / name
        folder.mkdir(parents=True)
        (folder / "Pulumi.yaml").write_text(manifest)
        (folder / "__main__.py").write_text('import pulumi\npulumi.export("of", "${PROJECT}")\n')
        for path, text in files.items():
            (folder / path).write_text(text)
        return folder


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


def contents(root: Path) -> dict:
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}


# ---- the templates in the command ------------------------------------------------------------------------------------

def bring_packages(template, app):
    """Installs the packages that `install` would fetch, from those that the tests already have."""
    if template.startswith(("typescript", "javascript")):
        (app / "node_modules").symlink_to(node_modules())
    if template.startswith("go"):
        if not shutil.which("go"):
            pytest.skip("go is not on PATH")
        for name in ("go.mod", "go.sum"):
            shutil.copy(PROGRAMS / "go" / name, app)


@pytest.mark.parametrize("template", [pytest.param(name, marks=pytest.mark.slow if name == "go-component" else ())
                                      for name in BUILT_IN])
def test_what_is_made_can_be_deployed_at_once(folder, template):
    options = ["--runtime-options", f"virtualenv={sys.prefix}"] if template.startswith("python") else []
    folder("new", template, "--dir", "app", "--yes", "--generate-only", *options)
    app = folder.root / "app"
    bring_packages(template, app)
    folder("stack", "init", "dev", cwd=app)
    folder("up", "--yes", "--skip-preview", cwd=app)
    outputs = json.loads(folder("stack", "output", "--json", cwd=app).stdout)
    plain = template.removesuffix("-component") == template.removesuffix("-provider")
    assert outputs == ({"stack": "dev"} if plain else {"greeting": "Hello, world!"} if "component" in template
                       else {"path": "note.txt"})
    note = app / "note.txt"
    assert note.exists() == template.endswith("-provider")
    folder("preview", "--expect-no-changes", cwd=app)
    folder("destroy", "--yes", "--skip-preview", cwd=app)
    assert not note.exists()


def test_templates_are_listed(folder):
    listing = folder("new", "--list-templates").stdout
    assert [line.split()[0] for line in listing.splitlines() if line.startswith("  ")] == BUILT_IN


# ---- the whole way ---------------------------------------------------------------------------------------------------

def test_a_project_with_its_first_stack_and_its_settings(folder):
    folder.template()
    run = folder("new", "./tpl", "--dir", "my shop", "--yes", "-c", "size=3", "-c", "more=x")
    app = folder.root / "my shop"
    assert (app / "Pulumi.yaml").read_text() == "name: myshop\ndescription: Shops\n# what runs it\nruntime: python\n"
    config = json.loads(folder("config", "--json", "--show-secrets", cwd=app).stdout)
    assert {key: (value["value"], value["secret"]) for key, value in config.items()} == {
        "myshop:size": ("3", False), "myshop:more": ("x", False), "myshop:token": ("hunter22", True)}
    assert "hunter22" not in (app / "Pulumi.dev.yaml").read_text()
    assert run.stdout == ("Created project 'myshop'\n\n\nSaved config\n\nYour new project is ready to go! ✨\n\n"
                          "To perform an initial deployment, run 'cd \"my shop\"', then, run `kingpost up`\n\n"
                          "Read the manual.\n")
    assert run.stderr == "Created stack 'dev'\n"
    folder("up", "--yes", "--skip-preview", cwd=app)
    assert json.loads(folder("stack", "output", "--json", cwd=app).stdout) == {"of": "myshop"}


def test_a_secret_of_the_template_stays_one_when_it_is_given(folder):
    folder.template()
    folder("new", "./tpl", "--dir", "app", "--yes", "--config", "token=sesame99")
    assert "sesame99" not in (folder.root / "app" / "Pulumi.dev.yaml").read_text()
    assert "sesame99" in folder("config", "get", "token", cwd=folder.root / "app").stdout


def test_a_stack_that_exists_is_taken(folder):
    folder.template()
    folder("new", "./tpl", "--dir", "one", "--yes", "--name", "shop", "--stack", "prod")
    folder("new", "./tpl", "--dir", "two", "--yes", "--stack", "organization/shop/prod")
    assert "name: shop\n" in (folder.root / "two" / "Pulumi.yaml").read_text()
    assert "prod*" in folder("stack", "ls", cwd=folder.root / "two").stdout


def test_only_files_touch_no_state(folder):
    folder.template()
    run = folder("new", "./tpl", "--dir", "app", "--yes", "--generate-only", PULUMI_BACKEND_URL="file:///nowhere")
    assert "   1. cd app\n   2. kingpost install\n   3. kingpost stack init\n" in run.stdout
    assert sorted(contents(folder.root / "app")) == ["Pulumi.yaml", "__main__.py"]


@pytest.mark.parametrize("toolchain", ["poetry", "uv"])
def test_only_files_are_those_that_the_toolchain_wants(folder, toolchain):
    (folder.root / "tools").mkdir()
    uv = folder.root / "tools" / "uv"
    uv.write_text('#!/bin/sh\n[ "$1" = init ] && echo "[project]" > pyproject.toml\ngrep pulumi requirements.txt >> pyproject.toml\n')
    uv.chmod(0o755)
    run = folder("new", "python", "--dir", "app", "--yes", "--generate-only", "--runtime-options", f"toolchain={toolchain}",
                 PATH=f"{uv.parent}:{folder.env['PATH']}")
    described = (folder.root / "app" / "pyproject.toml").read_text()
    assert "[project]" in described and "pulumi" in described
    assert "Deleted requirements.txt, dependencies for this project are tracked in pyproject.toml" in run.stderr
    assert not (folder.root / "app" / "requirements.txt").exists()


def test_without_a_template_there_is_a_name(folder):
    folder("new", "--yes", "--generate-only", "--dir", "app", "--description", "it: all")
    assert contents(folder.root / "app") == {"Pulumi.yaml": "name: app\ndescription: 'it: all'\n"}


# ---- what is refused -------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("args", "code", "message"), [
    (["./tpl"], 2, "non-interactive mode requires --yes flag"),
    (["./tpl", "-y", "--name", "a/b"], 2, "'a/b' is not a valid project name"),
    (["./tpl", "-y", "--name", "a", "--stack", "organization/b/dev"], 2, "must be the same"),
    (["./tpl", "-y", "--secrets-provider", "rot13://k"], 1, "unknown secrets provider type 'rot13'"),
    (["./tpl", "-y", "--runtime-options", "x"], 2, "invalid runtime option: x"),
    (["./tpl", "-y", "--description", "x" * 300], 1, "256 characters"),
    (["pyhton", "-y", "-o"], 1, "template 'pyhton' not found; did you mean 'python'?"),
    (["./many", "-y"], 1, 'template "./many" is ambiguous, it matches: one, two; rerun without --yes to choose one interactively, '
     "or use a more specific name such as ./many/one"),
    (["./none", "-y"], 1, "there is no template in ./none"),
    (["./broken", "-y"], 1, "broken/Pulumi.yaml"),
    (["https://example.invalid/acme/web", "-y", "-o"], 1, "cannot use https://example.invalid/acme/web offline"),
])
def test_refusals_make_nothing(folder, args, code, message):
    folder.template()
    folder.template("many/one")
    folder.template("many/two")
    folder.template("broken", manifest="name: [\n")
    (folder.root / "none").mkdir()
    (folder.root / "app").mkdir()
    run = folder("new", *args, "--dir", "app", code=code)
    assert message in run.stderr
    assert not contents(folder.root / "app") and not contents(folder.root / "state")


def test_what_is_there_is_not_overwritten_without_a_word(folder):
    folder.template(**{"lib.py": "new"})
    app = folder.root / "app"
    app.mkdir()
    (app / ".git").mkdir()
    (app / ".git" / "HEAD").write_text("ref")
    (app / "lib.py").write_text("mine")
    refused = folder("new", "./tpl", "--dir", "app", "-y", "-g", code=1).stderr
    assert f"{app} is not empty; use --force" in refused and contents(app) == {".git/HEAD": "ref", "lib.py": "mine"}
    refused = folder("new", "nowhere.invalid/template", "-y", "-g", cwd=app, code=1).stderr
    assert refused.startswith(f"error: {app} is not empty; use --force")  # before anything is fetched
    folder("new", "./tpl", "--dir", "app", "-y", "-g", "--force")
    assert (app / "lib.py").read_text() == "new"


def test_packages_that_cannot_be_installed_are_installed_later(folder):
    folder.template(manifest="name: ${PROJECT}\nruntime:\n  name: python\n  options:\n    toolchain: uv\n")
    tools = folder.root / "tools"
    tools.mkdir()
    (tools / "uv").write_text("#!/bin/sh\necho 'no such package' >&2\nexit 3\n")
    (tools / "uv").chmod(0o755)
    run = folder("new", "./tpl", "--dir", "app", "--yes", code=1, PATH=f"{tools}:{folder.env['PATH']}")
    assert "no such package" in run.stdout + run.stderr
    assert run.stderr.endswith("error: installing dependencies: `uv sync` failed\n"
                               f"Run `{folder.command.path.name} install` to complete the installation\n")


def test_a_name_that_has_stacks_is_not_taken_by_accident(folder):
    folder.template()
    folder("new", "./tpl", "--dir", "one", "--yes", "--name", "shop")
    for args in (["--name", "shop"], []):
        run = folder("new", "./tpl", "--dir", "elsewhere/shop", "--yes", *args, code=1)
        assert "a project with this name already exists: shop" in run.stderr


# ---- archives and repositories ---------------------------------------------------------------------------------------

def make_zip(source, target, below=""):
    with zipfile.ZipFile(target, "w") as archive:
        for path, text in contents(source).items():
            archive.writestr(below + path, text)


def test_archives(folder):
    source = folder.template()
    make_zip(source, folder.root / "a.zip", below="web-main/")
    with tarfile.open(folder.root / "b.tar.gz", "w:gz") as archive:
        archive.add(source, ".")
    for name in ("a.zip", "b.tar.gz"):
        folder("new", f"./{name}", "--dir", f"from-{name}", "-y", "-g", "--name", "shop")
        assert contents(folder.root / f"from-{name}")["__main__.py"] == 'import pulumi\npulumi.export("of", "shop")\n'


def test_an_archive_may_not_lead_out(folder):
    with zipfile.ZipFile(folder.root / "bad.zip", "w") as archive:
        archive.writestr("Pulumi.yaml", "name: x\n")
        archive.writestr("../../out.txt", "out")
    run = folder("new", "./bad.zip", "--dir", "app", "-y", "-g", code=1)
    assert "'../../out.txt' lies outside of it" in run.stderr
    assert not (folder.root / "app").exists()


def test_an_archive_from_the_network(folder):
    make_zip(folder.template(), folder.root / "a.zip")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder.root)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        folder("new", f"{address}/a.zip?token=hunter22", "--dir", "app", "-y", "-g", no_proxy="127.0.0.1")
        run = folder("new", f"{address}/b.zip?token=hunter22", "--dir", "b", "-y", "-g", code=1, no_proxy="127.0.0.1")
        server.shutdown()
    assert "404" in run.stderr and "hunter22" not in run.stderr
    assert "Pulumi.yaml" in contents(folder.root / "app")


@pytest.fixture
def repository(folder):
    """A repository with two branches and two templates, at https://git.test/acme/shop. It is also the common repository."""
    source = folder.root / "repository"
    folder.template("repository/web")

    def git(*args):
        who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
        return subprocess.run(["git", *who, *args], cwd=source, env=folder.env, check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()

    git("init", "--quiet", "--initial-branch=master")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    git("checkout", "--quiet", "-b", "release/1")
    folder.template("repository/job")
    git("add", ".")
    git("commit", "--quiet", "-m", "two")
    folder.commit = git("rev-parse", "HEAD")
    git("checkout", "--quiet", "master")
    folder.env |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{source}.insteadOf",
                   "GIT_CONFIG_VALUE_0": "https://git.test/acme/shop.git",
                   "PULUMI_TEMPLATE_GIT_REPOSITORY": str(source), "TMPDIR": str(folder.root / "tmp")}
    (folder.root / "tmp").mkdir()
    return folder


@pytest.mark.parametrize("address", ["https://git.test/acme/shop", "https://git.test/acme/shop/web",
                                     "https://git.test/acme/shop/tree/release/1/job",
                                     "https://git.test/acme/shop/tree/COMMIT/job"])
def test_repositories(repository, address):
    repository("new", address.replace("COMMIT", repository.commit), "--dir", "app", "-y", "-g")
    assert sorted(contents(repository.root / "app")) == ["Pulumi.yaml", "__main__.py"]
    assert not list((repository.root / "tmp").iterdir())


@pytest.mark.parametrize(("address", "message"), [
    ("https://git.test/acme/shop/tree/other/web", "has no branch or tag that 'tree/other/web' begins with"),
    ("https://git.test/acme/shop/job", "has no folder 'job'"),
    ("https://me:hunter22@git.test/acme/gone", "cannot get https://****:****@git.test/acme/gone.git"),
])
def test_what_a_repository_has_not(repository, address, message):
    run = repository("new", address, "--dir", "app", "-y", "-g", code=1,
                     GIT_CONFIG_COUNT="2", GIT_CONFIG_KEY_1="url./nowhere.insteadOf",
                     GIT_CONFIG_VALUE_1="https://me:hunter22@git.test/acme/gone.git")
    assert message in run.stderr
    assert "hunter22" not in run.stderr.rpartition("error: ")[2]
    assert not list((repository.root / "tmp").iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_clone_that_is_broken_off_leaves_nothing(repository, number):
    slow = repository.root / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\ntouch half\nexec sleep 60\n")
    slow.chmod(0o755)
    tmp = repository.root / "tmp"
    run = subprocess.Popen([repository.command.path, "new", "https://git.test/acme/shop", "--dir", "app", "-y", "-g"],
                           cwd=repository.root, start_new_session=True,
                           env=repository.env | {"PATH": f"{slow.parent}:{repository.env['PATH']}"})
    wait_for(lambda: list(tmp.glob("*/half")), "the clone to begin")
    run.send_signal(number)
    assert run.wait(20) == -number
    wait_for(lambda: not list(tmp.iterdir()), "the folder to go")
    assert not (repository.root / "app").exists()
    kill_group(run)  # git, which a terminal would interrupt, too


def test_the_common_repository_is_kept_and_follows_its_origin(repository):
    repository("new", "web", "--dir", "one", "-y", "-g")
    source = repository.root / "repository"
    (source / "web" / "more.txt").write_text("more")
    for args in (["add", "."], ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "three"]):
        subprocess.run(["git", *args], cwd=source, env=repository.env, check=True)
    repository("new", "web", "--dir", "two", "-y", "-g")
    assert "more.txt" in contents(repository.root / "two")
    repository("new", "web", "--dir", "three", "-y", "-g", "--offline", PULUMI_TEMPLATE_GIT_REPOSITORY="/nowhere")
    assert "  web " in repository("new", "--list-templates").stdout


def test_a_folder_of_templates_is_never_changed(repository):
    own = repository.root / "own"
    repository.template("own/web", **{"draft.txt": "not committed"})
    before = contents(own)
    repository("new", "web", "--dir", "app", "-y", "-g", PULUMI_TEMPLATE_PATH=str(own))
    assert contents(own) == before and "draft.txt" in contents(repository.root / "app")


# ---- in a terminal ---------------------------------------------------------------------------------------------------

def test_questions_in_a_terminal(folder):
    (folder.root / "app").mkdir()
    screen = Screen([str(folder.command.path), "new", "--generate-only"], folder.root / "app", folder.env)
    screen.wait_for("Please choose a template:")
    screen.send("python-c" + ENTER)
    screen.wait_for("Project name (app):")
    screen.send("a/b" + ENTER)
    screen.wait_for("Sorry, 'a/b' is not a valid project name.")
    screen.send("shop" + ENTER)
    screen.wait_for("Project description (A Python program with a component of its own):")
    screen.send(ENTER)
    assert screen.finish() == 0
    assert "name: shop\n" in (folder.root / "app" / "Pulumi.yaml").read_text()
    assert (folder.root / "app" / "greeting.py").exists()


def test_a_secret_is_not_shown_while_it_is_asked_for(folder):
    folder.template()
    screen = Screen([str(folder.command.path), "new", "./tpl", "--dir", "app"], folder.root, folder.env)
    for label in ("Project name (app):", "Project description (Shops):", "Stack name (dev):", "Where (aws:region):",
                  "How many (size) (2):", "token ([secret]):"):
        screen.wait_for(label)
        screen.send(("sesame99" if label.startswith("token") else "") + ENTER)
    assert screen.finish() == 0
    assert "sesame99" not in screen.text()
    assert "sesame99" in folder("config", "get", "token", cwd=folder.root / "app").stdout


def test_an_existing_name_is_a_question(folder):
    folder.template()
    folder("new", "./tpl", "--dir", "one", "--yes", "--name", "shop")
    screen = Screen([str(folder.command.path), "new", "./tpl", "--dir", "two", "-d", "it", "-s", "prod"], folder.root,
                    folder.env)
    screen.wait_for("Project name (two):")
    screen.send("shop" + ENTER)
    screen.wait_for("A project with the name 'shop' already exists.")
    screen.send(DOWN + ENTER)
    screen.wait_for("Sorry, 'shop' is not a valid project name.")
    screen.send("shop" + ENTER)
    screen.wait_for("Use 'shop' anyway")
    screen.send(ENTER)
    for label in ("Where (aws:region):", "How many (size) (2):", "token ([secret]):"):
        screen.wait_for(label)
        screen.send(ENTER)
    assert screen.finish() == 0
    assert "name: shop\n" in (folder.root / "two" / "Pulumi.yaml").read_text()


# ---- for once --------------------------------------------------------------------------------------------------------

def test_up_of_a_template_leaves_the_state_alone(folder):
    folder.template()
    (folder.root / "tmp").mkdir()
    for config in ("2", "3"):
        run = folder("up", "./tpl", "--yes", "--skip-preview", "--stack", "dev", "-c", f"size={config}",
                     TMPDIR=str(folder.root / "tmp"))
        assert 'of: "tpl"' in run.stdout
    assert not list((folder.root / "tmp").iterdir())
    assert sorted(os.listdir(folder.root)) == ["home", "state", "tmp", "tpl"]
    history = folder.root.rglob("*.history.json")
    assert len(list(history)) == 2


def test_files_are_those_of_the_real_command(folder, tmp_path):
    """Except for the tag that the real one writes for its service. The template has no runtime, which it would look for."""
    (tmp_path / "peer").mkdir()
    peer = Folder(tmp_path / "peer", peer_or_skip())
    manifest = MANIFEST.replace("runtime: python\n", "")
    for one in (folder, peer):
        source = one.template(manifest=manifest, **{"${PROJECT}.md": "# ${PROJECT}\n${DESCRIPTION}\n", "a.yaml": "d: ${DESCRIPTION}\n"})
        (source / ".pulumi.template.yaml").write_text("old")
        one("new", str(source), "--dir", "app", "-y", "-g", "--name", "shop", "--description", "it: all")
    ours, theirs = contents(folder.root / "app"), contents(peer.root / "app")
    theirs["Pulumi.yaml"] = theirs["Pulumi.yaml"].partition("config:")[0]
    theirs["a.yaml"] = theirs["a.yaml"].replace("\n\n", "\n")  # the real one inserts a value with its line end
    ours["Pulumi.yaml"] = ours["Pulumi.yaml"].replace("# what runs it\n", "")  # the real one loses comments
    assert ours == theirs


# ---- policy packs ----------------------------------------------------------------------------------------------------

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


# ---- credentials -----------------------------------------------------------------------------------------------------

@pytest.fixture
def cautious(folder):
    """A template for a provider whose schema asks `new` to validate its credentials."""
    def make(**world):
        schema = {"name": "shapes", "version": "1.0.0", "displayName": "Shapes", "resources": {},
                  "validateCredentialsOnNew": True, "configurationDocsUrl": "https://example.com/shapes/"}
        (folder.root / "world.json").write_text(json.dumps({"schema": schema | world.pop("schema", {}), "things": {}} | world))
        folder.env["SHAPES_WORLD"] = str(folder.root / "world.json")
        manifest = ("name: ${PROJECT}\ndescription: ${DESCRIPTION}\nruntime: yaml\nplugins:\n  providers:\n    - name: shapes\n"
                    f"      path: {PROGRAMS / 'shapes'}\nresources:\n  provider:\n    type: pulumi:providers:shapes\n"
                    "template:\n  config:\n    shapes:region:\n      default: here\n    shapes:token:\n      secret: true\n"
                    "      default: hidden-token\n")
        folder.template(manifest=manifest)
        (folder.root / "tpl" / "__main__.py").unlink()
    return make


def said_by_new(folder, *more, **env):
    screen = Screen([str(folder.command.path), "new", "./tpl", "--dir", "app", "--yes", *more], folder.root, folder.env | env,
                    columns=120)
    assert screen.finish() == 0, screen.text()
    return screen.text()


def test_a_provider_that_wants_it_is_asked_whether_it_takes_the_credentials(folder, cautious):
    told = folder.root / "configured.json"
    cautious(configured=str(told), refuses={"configure": "no credentials:\nlog in first"})
    text = said_by_new(folder)
    assert re.search(r"warning: Could not validate your Shapes credentials:\n    no credentials:\n    log in first\n"
                     r"For help configuring the Shapes provider, see https://example.com/shapes/\n"
                     r"`pulumi up` may fail until this is resolved.\n", text), text
    assert "Your new project is ready to go!" in text
    configured = json.loads(told.read_text())
    assert configured == {"urn": "urn:pulumi:dev::default::pulumi:providers:shapes::default", "id": "preflight",
                          "region": "here"}


def test_what_a_provider_finds_wrong_with_its_settings_is_told_by_name(folder, cautious):
    cautious(refuses={"check": {"region": "no such region; see https://example.com/shapes/#regions"}})
    text = said_by_new(folder)
    assert ("warning: The Shapes provider reported problems with its configuration:\n"
            "    region: no such region; see https://example.com/shapes/#regions\n`pulumi up` may fail") in text
    assert "For help" not in text


@pytest.mark.parametrize("more, world, env", [
    ([], {}, {}),  # it accepts the credentials
    ([], {"schema": {"validateCredentialsOnNew": False}, "refuses": {"configure": "no"}}, {}),
    (["--offline"], {"refuses": {"configure": "no"}}, {}),
    (["--generate-only"], {"refuses": {"configure": "no"}}, {}),
    ([], {"refuses": {"configure": "no"}}, {"PULUMI_SKIP_NEW_CREDENTIALS_CHECK": "true"}),
])
def test_nobody_is_asked_who_does_not_want_to_be(folder, cautious, more, world, env):
    cautious(**world)
    assert "credentials" not in said_by_new(folder, *more, **env)


def test_without_a_terminal_nothing_is_checked(folder, cautious):
    cautious(refuses={"configure": "no"})
    made = folder("new", "./tpl", "--dir", "app", "--yes")
    assert "credentials" not in made.stdout + made.stderr
