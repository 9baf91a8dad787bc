# SPDX-License-Identifier: Apache-2.0
"""`new` and `up TEMPLATE`: projects from the templates in the command and from folders."""

import json
import os
import shutil
import sys

import pytest

from harness import PROGRAMS, REPOSITORY, node_modules, peer_or_skip
from harness.new_folder import MANIFEST, Folder, contents, folder  # noqa: F401 - a fixture
from harness.screens import DOWN, ENTER, Screen

BUILT_IN = sorted(folder.name for folder in (REPOSITORY / "cpp" / "cli" / "templates" / "data").iterdir())


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
def test_a_new_project_can_be_deployed_at_once(folder, template):
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


def test_existing_files_are_not_overwritten_without_force(folder):
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
