# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of the tests' own: a cluster in a temporary folder, on a socket there, run by an ordinary user.

    server = PostgresServer.start(folder)        skips the test where PostgreSQL is not installed
    states = server.database("team")             states.url is a backend
"""

from __future__ import annotations

import base64
import json
import os
import pwd
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .clouds import held_by
from .commands import missing
from .patience import patience

USER = "pulumi"
PASSWORD = "canary-Passw0rd"  # may be seen nowhere
SETTINGS = ["listen_addresses=", "fsync=off", "log_statement=all", "logging_collector=off", "max_connections=200"]


def binaries() -> Path | None:
    """Where Debian has them, the newest first; or on PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    on_path = shutil.which("postgres")
    return next(iter(found), Path(on_path).parent if on_path else None)


def as_ordinary_user() -> list[str]:
    """The server refuses to be root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid", ordinary_user(), "--clear-groups", "--regid", str(pwd.getpwnam(ordinary_user()).pw_gid)]


def ordinary_user() -> str:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@dataclass
class PostgresServer:
    folder: Path  # short, because the socket's path has to be
    bin: Path

    @staticmethod
    def start(folder: Path) -> "PostgresServer":
        found = binaries()
        if found is None:
            missing("PostgreSQL is not installed (the package postgresql-15 of Debian)")
            raise AssertionError("not reached")
        server = PostgresServer(folder, found)
        folder.chmod(0o755)
        (folder / "password").write_text(PASSWORD + "\n")
        if os.geteuid() == 0:
            shutil.chown(folder, ordinary_user())
            shutil.chown(folder / "password", ordinary_user())
        server.tool("initdb", "-D", str(server.data), "-U", USER, "--auth=scram-sha-256",
                    f"--pwfile={folder / 'password'}", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        server.up()
        return server

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def tool(self, name: str, *args: str) -> None:
        done = subprocess.run([*as_ordinary_user(), str(self.bin / name), *args], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=patience(120))
        assert done.returncode == 0, done.stdout

    def up(self) -> None:
        options = " ".join(f"-c {setting}" for setting in [*SETTINGS, f"unix_socket_directories={self.folder}"])
        self.tool("pg_ctl", "-D", str(self.data), "-l", str(self.log), "-w", "-o", options, "start")

    def down(self, mode: str = "immediate") -> None:
        self.tool("pg_ctl", "-D", str(self.data), "-m", mode, "stop")

    def sql(self, database: str, *statements: str) -> str:
        commands = [part for statement in statements for part in ("-c", statement)]
        done = subprocess.run([str(self.bin / "psql"), "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-U", USER,
                               "-d", database, *commands], env=os.environ | {"PGPASSWORD": PASSWORD}, text=True,
                              capture_output=True, timeout=patience(60))
        assert done.returncode == 0, done.stderr
        return done.stdout

    def database(self, name: str) -> "Database":
        self.sql("postgres", f'CREATE DATABASE "{name}"')
        return Database(self, name)

    def statements(self) -> int:
        """The number of statements that the server has received."""
        return len(re.findall(r"LOG:  (?:execute|statement)", self.log.read_text(errors="replace")))


@dataclass
class Database:
    server: PostgresServer
    name: str
    table: str = "pulumi_state"

    @property
    def url(self) -> str:
        return f"postgres://{USER}:{PASSWORD}@/{self.name}?host={self.server.folder}"

    @property
    def env(self) -> dict[str, str]:
        return {"PULUMI_BACKEND_URL": self.url}

    def is_made(self) -> bool:
        """True once the first command has made the table."""
        return bool(self.server.sql(self.name, f"SELECT to_regclass('{self.table}')").strip())

    def keys(self) -> list[str]:
        """The stored rows, without the prefix that all have."""
        rows = self.server.sql(self.name, f'SELECT key FROM {self.table} ORDER BY key COLLATE "C"').split()
        return [key.removeprefix(self.name + "/") for key in rows]

    def document(self, key: str) -> bytes:
        row = self.server.sql(self.name, f"SELECT data FROM {self.table} WHERE key = '{self.name}/{key}'")
        return base64.b64decode(json.loads(row)["data"])

    def held(self) -> list[str]:
        """The rows that keep others away from a stack, and the records that were not recovered."""
        keys = self.keys()
        return held_by(keys, self.document) + [key for key in keys if "/journals/" in key and not key.endswith("/head.json")]

    # Saves and restores the whole table under a name.

    def lay_away(self, name: str) -> None:
        self.server.sql(self.name, f"DROP TABLE IF EXISTS kept_{name}", f"CREATE TABLE kept_{name} AS TABLE {self.table}")

    def restore(self, name: str) -> None:
        self.server.sql(self.name, f"TRUNCATE {self.table}", f"INSERT INTO {self.table} SELECT * FROM kept_{name}")
