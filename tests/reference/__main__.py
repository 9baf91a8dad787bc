# SPDX-License-Identifier: Apache-2.0
"""Prints the reference's changes between the version that this project follows and VERSION, by default the newest in
the registries. For an older VERSION, prints the changes since then. It ends with 1 where proto/ lacks something of the
newer protocol, with 77 where no registry can be reached, else with 0. With KINGPOST_PEER, the command of that version,
its commands, flags and help are compared as well."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from . import accelerated_functions, commands, lifecycle_tests, protocols, registries, schema_members
from .followed import REPOSITORY, engine_version, parsed
from .registries import NotAtHand
from .rows import Row, table

_NOTHING_TO_DO = 77  # tests/checks/stages.py


def _ours() -> str | None:
    built = Path(os.environ.get("KINGPOST_BIN") or REPOSITORY / "build" / "bin" / "kingpost")
    return str(built) if built.exists() else None


def _looked_at(area: str, look: Callable[[], list[Row]]) -> list[Row]:
    """The rows of an area, or one that says why it was not looked at."""
    try:
        return look()
    except NotAtHand as missing:
        return [Row(area, "not looked at", str(missing))]


def _of_protocol(old: str, new: str, sdks: tuple[Path, Path]) -> tuple[str, list[Row]]:
    """The language of the SDK whose descriptors were compared, and the rows."""
    ours = protocols.our_files()
    try:
        modules = registries.go_sdk(old), registries.go_sdk(new)
    except NotAtHand:
        return "Python", protocols.rows(*map(protocols.sdk_files, sdks), ours)
    return "Go", protocols.rows(*map(protocols.go_files, modules), ours)


def _of_sources(old: str, new: str) -> list[Row]:
    if parsed(old) == parsed(new):
        return []
    before, after = registries.engine_source(old), registries.engine_source(new)
    return schema_members.rows(before, after) + lifecycle_tests.rows(before, after)


def _of_node(version: str, folder: Path) -> list[Row]:
    package = registries.node_sdk(version, folder)
    return accelerated_functions.node_rows(package, registries.version_of_node(package))


def _of_commands() -> list[Row]:
    peer = os.environ.get("KINGPOST_PEER")
    if not peer:
        raise NotAtHand("KINGPOST_PEER names no command of the reference")
    return commands.rows(commands.recorded(commands.RECORD.read_text()), commands.commands_of(peer), _ours())


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev reference", description=__doc__)
    parser.add_argument("version", nargs="?", metavar="VERSION", help="of the engine, such as 3.274.1")
    parser.add_argument("--since", metavar="VERSION", default=engine_version(),
                        help="begin at that version instead; commands are compared with the recorded ones all the same")
    parser.add_argument("--record", action="store_true",
                        help="write down the commands of KINGPOST_PEER, as those of the version that is followed")
    options = parser.parse_args()
    if options.record:
        if not os.environ.get("KINGPOST_PEER"):
            print("KINGPOST_PEER names no command of the reference: set it to the path of a pulumi", file=sys.stderr)
            return 2
        commands.record(os.environ["KINGPOST_PEER"])
        return 0

    folder = REPOSITORY / "build" / "reference"
    try:
        asked = (options.version or registries.newest()).removeprefix("v")
        since, newer = sorted([options.since.removeprefix("v"), asked], key=parsed)
        sdk = registries.python_sdk(newer, folder)
        old_sdk = registries.python_sdk(since, folder)
    except NotAtHand as missing:
        print(missing)
        return _NOTHING_TO_DO
    compared, of_protocol = _of_protocol(since, newer, (old_sdk, sdk))
    rows = [
        *of_protocol,
        *_looked_at("commands", _of_commands),
        *_looked_at("schema, lifecycle tests", lambda: _of_sources(since, newer)),
        *_looked_at("accelerators", lambda: accelerated_functions.python_rows(sdk, registries.version_of_python(sdk))),
        *_looked_at("accelerators", lambda: _of_node(newer, folder)),
    ]
    print(f"From {since} to {newer} (on PyPI {registries.version_of_python(sdk)}; protocol by the {compared} SDK); "
          f"followed is {engine_version()}.\n")
    print(table(rows) if rows else "Nothing has changed.")
    lacking = [row for row in of_protocol if row.here == "lacks"]
    if lacking:
        print(f"\nproto/ lacks {len(lacking)} of the lines above: add them with the reference's numbers, and say on "
              "docs/reference.md how far they are followed.")
    if parsed(newer) > parsed(engine_version()):
        print(f"\nThe project has fallen behind: {newer} is out, {engine_version()} is followed.")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
