# SPDX-License-Identifier: Apache-2.0
"""python -m tests.suites [python|nodejs|go ...]: runs the suites, and tells which of their tests fail that should not.

The Go module of the SDK (`sdk/v3`) holds the sources of all three SDKs with their tests, so it is the only thing that is
downloaded beside the SDKs themselves. It lacks the folders that are Go modules of their own: what needs those is among
the tests in known_failures.txt, as is what needs the network or Pulumi Cloud. With KINGPOST_SUITES_CHECKOUT, a checkout of
the reference's repository, these folders are taken from there when a suite is set up.

The runner prints each failure that is not in known_failures.txt, and ends with 1 if there is one. With KINGPOST_PEER and
KINGPOST_SUITES_HOSTS it runs the suites on that command as well, with the language hosts of that folder. Then it also prints
the tests that pass there and fail here.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tests.reference.registries import NotAtHand

from .suites import SUITES, Outcome

REPOSITORY = Path(__file__).resolve().parents[2]
KNOWN = Path(__file__).with_name("known_failures.txt")
SKIPPED = 77


def known_failures(language: str) -> dict[str, str]:
    """The tests of a language's suite that cannot pass here, and why."""
    known = {}
    for line in KNOWN.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            of, name, reason = (part.strip() for part in line.split(" | "))
            if of == language:
                known[name] = reason
    return known


def told(language: str, ours: dict[str, Outcome], peer: dict[str, Outcome] | None, whole: bool) -> list[str]:
    """The faults, a line each."""
    failed = {name for name, outcome in ours.items() if outcome == "failed"}
    known = known_failures(language)
    passed_there = {name for name, outcome in (peer or {}).items() if outcome == "passed"}
    gone = known.keys() - ours.keys() if whole else ()
    return ([f"{language}: {name} fails" for name in sorted(failed - known.keys())]
            + [f"{language}: {name} passes on the peer" for name in sorted(failed & passed_there)]
            + [f"{language}: {name} is not in the suite any more" for name in sorted(gone)])


def counted(language: str, where: str, outcomes: dict[str, Outcome]) -> str:
    counts = {outcome: list(outcomes.values()).count(outcome) for outcome in ("passed", "failed", "skipped")}
    return f"{language} {where}: {', '.join(f'{count} {outcome}' for outcome, count in counts.items())}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.suites", description=__doc__.partition("\n")[0])
    parser.add_argument("language", nargs="*", choices=[[], *SUITES], help="these alone")
    parser.add_argument("--only", default="", help="tests whose name holds this text")
    wanted = parser.parse_args()
    peer = os.environ.get("KINGPOST_PEER") if os.environ.get("KINGPOST_SUITES_HOSTS") else None
    if not peer:
        print("nothing to compare with: KINGPOST_PEER and KINGPOST_SUITES_HOSTS are not both set")
    wrong: list[str] = []
    for language in wanted.language or SUITES:
        try:
            suite = SUITES[language](REPOSITORY / "build" / "suites")
        except NotAtHand as missing:
            print(f"{language}: skipped, {missing}")
            continue
        ours = suite.run(REPOSITORY / "build" / "bin" / "kingpost", "ours", wanted.only)
        print(counted(f"{language} {suite.version}", "here", ours), flush=True)
        theirs = suite.run(Path(peer), "peer", wanted.only) if peer else None
        if theirs is not None:
            print(counted(f"{language} {suite.version}", "on the peer", theirs), flush=True)
        wrong += told(language, ours, theirs, whole=not wanted.only)
        if not ours:
            wrong.append(f"{language}: no test ran")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
