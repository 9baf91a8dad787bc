# SPDX-License-Identifier: Apache-2.0
"""`new` with templates from archives, from the network and from git repositories."""

import functools
import http.server
import signal
import subprocess
import tarfile
import threading
import zipfile

import pytest

from harness.new_folder import contents, folder  # noqa: F401 - a fixture
from harness.processes import kill_group, wait_for


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
def test_a_missing_repository_branch_or_folder_is_refused(repository, address, message):
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
