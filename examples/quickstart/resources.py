# SPDX-License-Identifier: Apache-2.0
"""Four kinds of real things, each a dynamic provider of the ordinary Pulumi SDK.

Database:  a SQLite file with one table and its rows
Page:      one file of the site
Password:  random text, made once and kept secret
Server:    a process that serves the pages, answers /api from the database and guards /admin with the password
"""

import hashlib
import os
import secrets
import signal
import socket
import sqlite3
import string
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Optional

import pulumi
from pulumi.dynamic import (
    CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, Resource, ResourceProvider, UpdateResult)


def changed(old: dict, new: dict, *names: str) -> list:
    return [name for name in names if old.get(name) != new.get(name)]


def remove(path: str) -> None:
    """Removes a file, and its folders when nothing is left in them."""
    file = Path(path)
    file.unlink(missing_ok=True)
    for folder in list(file.parents)[:2]:
        try:
            folder.rmdir()
        except OSError:  # something of another resource is in there
            return


class DatabaseProvider(ResourceProvider):
    def check(self, old: dict, new: dict) -> CheckResult:
        bad = [row for row in new["rows"] if set(row) != set(new["columns"])]
        failures = [CheckFailure("rows", f"row {row} does not have the columns {new['columns']}") for row in bad]
        return CheckResult(new, failures)

    def write(self, props: dict) -> dict:
        path = Path(props["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        names = ", ".join(f'"{c}" TEXT' for c in props["columns"])
        marks = ", ".join("?" for _ in props["columns"])
        with sqlite3.connect(path) as db:
            db.execute(f'DROP TABLE IF EXISTS "{props["table"]}"')
            db.execute(f'CREATE TABLE "{props["table"]}" ({names})')
            db.executemany(f'INSERT INTO "{props["table"]}" VALUES ({marks})',
                           [[row[c] for c in props["columns"]] for row in props["rows"]])
        db.close()
        return {**props, "count": len(props["rows"])}

    def create(self, props: dict) -> CreateResult:
        return CreateResult(f"{props['path']}#{props['table']}", self.write(props))

    def diff(self, id: str, old: dict, new: dict) -> DiffResult:
        replaces = changed(old, new, "path", "table")
        return DiffResult(changes=bool(changed(old, new, "path", "table", "columns", "rows")), replaces=replaces,
                          delete_before_replace=True)

    def update(self, id: str, old: dict, new: dict) -> UpdateResult:
        return UpdateResult(self.write(new))

    def delete(self, id: str, props: dict) -> None:
        remove(props["path"])


class PageProvider(ResourceProvider):
    def write(self, props: dict) -> dict:
        path = Path(props["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(props["content"], encoding="utf-8")
        return {**props, "sha256": hashlib.sha256(props["content"].encode()).hexdigest()}

    def create(self, props: dict) -> CreateResult:
        return CreateResult(props["path"], self.write(props))

    def diff(self, id: str, old: dict, new: dict) -> DiffResult:
        return DiffResult(changes=bool(changed(old, new, "path", "content")), replaces=changed(old, new, "path"))

    def read(self, id: str, props: dict) -> ReadResult:
        path = Path(id)
        if not path.exists():
            return ReadResult("", {})  # gone: the engine plans to create it again
        content = path.read_text(encoding="utf-8")
        return ReadResult(id, {**props, "content": content, "sha256": hashlib.sha256(content.encode()).hexdigest()})

    def update(self, id: str, old: dict, new: dict) -> UpdateResult:
        return UpdateResult(self.write(new))

    def delete(self, id: str, props: dict) -> None:
        remove(id)


class PasswordProvider(ResourceProvider):
    def create(self, props: dict) -> CreateResult:
        letters = string.ascii_letters + string.digits
        value = "".join(secrets.choice(letters) for _ in range(int(props["length"])))
        return CreateResult(secrets.token_hex(4), {**props, "value": value})

    def diff(self, id: str, old: dict, new: dict) -> DiffResult:
        replaces = changed(old, new, "length")
        return DiffResult(changes=bool(replaces), replaces=replaces)


class ServerProvider(ResourceProvider):
    def start(self, props: dict) -> dict:
        root = Path(props["root"])
        port = int(props["port"])
        if port == 0:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
        # The password travels by the environment: a command line can be read by every user of the machine.
        env = dict(os.environ, SITE_PASSWORD=props["password"])
        with open(root.parent / "server.log", "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-u", props["script"], str(root), props["database"], str(port)], env=env,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        for _ in range(200):
            if process.poll() is not None:
                raise RuntimeError(f"the server ended with {process.returncode}; see {root.parent / 'server.log'}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return {**props, "pid": process.pid, "url": f"http://127.0.0.1:{port}"}
            time.sleep(0.05)
        process.kill()
        raise RuntimeError(f"the server does not listen on port {port} after 10 s")

    def create(self, props: dict) -> CreateResult:
        outs = self.start(props)
        return CreateResult(str(outs["pid"]), outs)

    def diff(self, id: str, old: dict, new: dict) -> DiffResult:
        replaces = changed(old, new, "root", "database", "script", "port", "password")
        return DiffResult(changes=bool(replaces), replaces=replaces, delete_before_replace=True)

    def delete(self, id: str, props: dict) -> None:
        port = int(props["url"].rsplit(":", 1)[1])
        try:
            os.kill(int(id), signal.SIGTERM)
        except ProcessLookupError:
            pass  # already gone
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) != 0:
                    break
            time.sleep(0.05)
        else:
            raise RuntimeError(f"process {id} still listens on port {port} after 10 s")
        remove(str(Path(props["root"]).parent / "server.log"))


class Database(Resource):
    count: pulumi.Output[int]
    path: pulumi.Output[str]

    def __init__(self, name: str, path: Any, table: str, columns: list, rows: list,
                 opts: Optional[pulumi.ResourceOptions] = None):
        props = {"path": path, "table": table, "columns": columns, "rows": rows, "count": None}
        super().__init__(DatabaseProvider(), name, props, opts)


class Page(Resource):
    path: pulumi.Output[str]
    sha256: pulumi.Output[str]

    def __init__(self, name: str, path: Any, content: Any, opts: Optional[pulumi.ResourceOptions] = None):
        super().__init__(PageProvider(), name, {"path": path, "content": content, "sha256": None}, opts)


class Password(Resource):
    value: pulumi.Output[str]

    def __init__(self, name: str, length: int, opts: Optional[pulumi.ResourceOptions] = None):
        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(additional_secret_outputs=["value"]))
        super().__init__(PasswordProvider(), name, {"length": length, "value": None}, opts)


class Server(Resource):
    url: pulumi.Output[str]
    pid: pulumi.Output[int]

    def __init__(self, name: str, root: Any, database: Any, password: Any, script: str, port: int = 0,
                 opts: Optional[pulumi.ResourceOptions] = None):
        props = {"root": root, "database": database, "password": password, "script": script, "port": port,
                 "pid": None, "url": None}
        super().__init__(ServerProvider(), name, props, opts)
