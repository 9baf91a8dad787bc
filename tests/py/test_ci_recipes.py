# SPDX-License-Identifier: Apache-2.0
"""The recipes of docs/guide/ci.md, run as a service runs them: no terminal, CI=true, nothing else in the environment."""

import re
import shutil
import subprocess
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml

from harness.commands import PROGRAMS, REPOSITORY, Command, missing
from harness.patience import patience

PROJECT = """
name: site
runtime: yaml
plugins:
  providers:
    - {name: things, path: ../plugins/things}
resources:
  first: {type: things:index:Thing, properties: {value: SIZE, word: hunter22}}
"""
GH = """#!/bin/sh
if [ "$1" = pr ] && [ "$2" = comment ]; then echo "$@" > comment.args; cp "$5" comment.md; fi
"""


def blocks(language):
    guide = (REPOSITORY / "docs" / "guide" / "ci.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", guide, re.M | re.S)


class Service:
    """A web server that has the release, takes comments, and remembers them."""

    def __init__(self, release):
        self.comments = comments = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(release.read_bytes())

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                comments.append((self.path, self.headers["PRIVATE-TOKEN"], body.decode()))
                self.answer(b"{}")

            def answer(self, body):
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def runner(tmp_path):
    """A checkout on a machine of the service, where an earlier run has deployed."""
    if not shutil.which("curl"):
        missing("curl is not installed")
    with tarfile.open(tmp_path / "release.tar.gz", "w:gz", compresslevel=1) as release:
        release.add(Command.kingpost().path, "kingpost-0-linux-x86_64/bin/kingpost")
    for folder in ("project", "plugins", "state", "home", "bin", "local"):
        (tmp_path / folder).mkdir()
    (tmp_path / "plugins" / "things").symlink_to(PROGRAMS / "things")
    (tmp_path / "bin" / "gh").write_text(GH)
    (tmp_path / "bin" / "gh").chmod(0o755)
    service = Service(tmp_path / "release.tar.gz")
    made = Runner(tmp_path, service)
    made.program(1)
    kingpost = str(Command.kingpost().path)
    made.shell(f"{kingpost} stack init prod && {kingpost} up --yes --skip-preview")
    yield made
    service.server.shutdown()


class Runner:
    def __init__(self, folder, service):
        self.folder, self.service, self.project = folder, service, folder / "project"
        python = Command.kingpost().environment(folder)
        self.env = {"HOME": str(folder / "home"), "CI": "true", "PATH": f"{folder}/bin:{python['PATH']}",
                    "PULUMI_BACKEND_URL": f"file://{folder}/state", "PULUMI_CONFIG_PASSPHRASE": "x",
                    "PULUMI_PYTHON_CMD": python["PULUMI_PYTHON_CMD"], "KINGPOST_RELEASE": service.url + "/release.tar.gz"}

    def program(self, size):
        (self.project / "Pulumi.yaml").write_text(PROJECT.replace("SIZE", f'"{size}"'))

    def shell(self, script, code=0, **env):
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.project, env=self.env | env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=patience(120))
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def github(self, preview_code=0):
        """Runs the steps of the job, each in its own shell. Later steps see what a step adds to PATH."""
        recipe = yaml.safe_load(blocks("yaml")[0])
        for file in ("path", "summary"):
            (self.folder / file).write_text("")
        env = {"GITHUB_PATH": str(self.folder / "path"), "GITHUB_STEP_SUMMARY": str(self.folder / "summary")}
        for step in recipe["jobs"]["preview"]["steps"]:
            added = ":".join((self.folder / "path").read_text().split())
            path = f"{added}:{self.env['PATH']}"
            if "run" in step:
                script = step["run"].replace("${{ github.event.number }}", "7")
                self.shell(script, preview_code if step["name"] == "Preview" else 0, **env, PATH=path)
        return (self.folder / "summary").read_text()

    def gitlab(self, code=0):
        """Runs all lines in one shell. The command is installed into a folder that this test may write."""
        recipe = yaml.safe_load(blocks("yaml")[1])
        script = "\n".join(recipe["preview"]["script"]).replace("/usr/local", f"{self.folder}/local")
        self.shell(script, code, PATH=f"{self.folder}/local/bin:{self.env['PATH']}", REPORT_TOKEN="t", CI_PROJECT_ID="3",
                   CI_API_V4_URL=self.service.url + "/api/v4", CI_MERGE_REQUEST_IID="7")
        return self.service.comments.pop()


def test_github_actions(runner):
    assert "No changes" in runner.github()
    runner.program(2)
    report = runner.github()
    assert "things:index:Thing" in report and "hunter22" not in report
    assert (runner.project / "comment.md").read_text() in report
    assert (runner.project / "comment.args").read_text().split()[2] == "7"
    runner.program("${nothing}")
    assert "failed" in runner.github(preview_code=1)


def test_gitlab(runner):
    runner.program(2)
    path, token, report = runner.gitlab()
    assert (path, token) == ("/api/v4/projects/3/merge_requests/7/notes", "t")
    assert "things:index:Thing" in report and "hunter22" not in report
    runner.program("${nothing}")
    assert "failed" in runner.gitlab(code=1)[2]


def test_drift_and_an_update_as_reviewed(runner):
    drift, update = blocks("sh")
    path = f"{Command.kingpost().path.parent}:{runner.env['PATH']}"
    runner.shell(drift, PATH=path)
    thing = runner.project / "things" / "first-1.json"
    thing.write_text('{"value": "by hand"}')
    runner.shell(drift, 7, PATH=path)
    assert "first" in (runner.project / "drift.md").read_text()
    runner.program(3)
    runner.shell(update, PATH=path)
    assert '"value": "3"' in thing.read_text()
