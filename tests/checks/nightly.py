#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everything that takes long, one stage after the other: what ./dev nightly runs. To add a stage is to add a line.

usage: nightly.py [NAME...]      those stages alone; what each of them said is kept in build/nightly/NAME.log
"""

import datetime
import os
import sys
from pathlib import Path

from stages import REPOSITORY, Stage, chosen, run

HERE = Path(__file__).parent
LOGS = REPOSITORY / "build" / "nightly"
KP_TESTS = str(REPOSITORY / "build" / "bin" / "kp_tests")
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", str(os.cpu_count()), "--dist", "worksteal", "-rs"]
TODAY = str(datetime.date.today().toordinal())  # another seed each night, the same all night
HOUR = 3600


def stages() -> list[Stage]:
    """In this order: what is cheap and likely to fail comes first. Each builds what it needs."""
    return [
        Stage("check", ["./dev", "check"], limit_s=HOUR / 4),
        Stage("tests", ["./dev", "test", "--strict", "-m", ""], limit_s=2 * HOUR, env={"KINGPOST_WERROR": "1"}),
        Stage("reference", ["./dev", "reference"], limit_s=HOUR / 4),
        Stage("unsteady", [sys.executable, str(HERE / "unsteady.py"), "--record", str(LOGS / "tests.log")]),
        Stage("random-programs", [KP_TESTS, "[random]"], limit_s=HOUR,
              env={"KINGPOST_RANDOM_RUNS": "20000", "KINGPOST_RANDOM_SEED": TODAY}),
        Stage("simulation", [KP_TESTS, "[simulation]"], limit_s=HOUR,
              env={"KINGPOST_SIMULATION_POINTS": "1000000", "KINGPOST_SIMULATION_SEED": TODAY}),
        Stage("shared", [KP_TESTS, "[shared]"], limit_s=HOUR,
              env={"KINGPOST_SHARED_POINTS": "1000000", "KINGPOST_SHARED_SEED": f"{TODAY}000"}),
        Stage("protocol", [sys.executable, "tests/model/check.py"], limit_s=HOUR),
        Stage("faults", [*PYTEST, "-rP", "tests/py/test_faults.py"], limit_s=2 * HOUR,
              env={"KINGPOST_FAULTS": "all", "KINGPOST_FAULTS_SEED": TODAY, "KINGPOST_KILLS": "500"}),
        Stage("kills", [*PYTEST, "-rP", "tests/py/test_kills.py"], limit_s=2 * HOUR,
              env={"KINGPOST_KILLS": "5000", "KINGPOST_KILLS_SEED": TODAY}),
        Stage("fleet-kills", [*PYTEST, "-rP", "-k", "kills", "tests/py/test_fleet_stories.py"], limit_s=2 * HOUR,
              env={"KINGPOST_FLEET_KILLS": "200", "KINGPOST_FLEET_KILLS_SEED": TODAY}),
        Stage("servers", [sys.executable, str(HERE / "servers.py")], limit_s=2 * HOUR, env={"KINGPOST_CUTS": "20"}),
        Stage("cloud-kills", [*PYTEST, "-rP", "-m", "", "-k", "kills", "tests/py/test_cloud_stores.py",
                              "tests/py/test_postgres.py"], limit_s=2 * HOUR,
              env={"KINGPOST_KILLS_BUCKETS": "200", "KINGPOST_KILLS_POSTGRES": "200", "KINGPOST_KILLS_SEED": TODAY}),
        Stage("cuts", [*PYTEST, "-rP", "-m", "", "-k", "(versitygw or postgres) and cut", "tests/py/test_cuts.py"],
              limit_s=3 * HOUR, env={"KINGPOST_CUTS": "200", "KINGPOST_KILLS_SEED": TODAY}),
        Stage("fuzz", ["./dev", "fuzz", "all", "60"], limit_s=HOUR),
        Stage("random-stories", [*PYTEST, "-m", "", "tests/py/test_peer_random.py"], limit_s=2 * HOUR,
              env={"KINGPOST_PEER_SEEDS": f"{TODAY}000-{TODAY}200"}, needs="KINGPOST_PEER"),
        Stage("real", [sys.executable, str(HERE / "real.py")], limit_s=2 * HOUR),
        Stage("automation-suites", [sys.executable, "-m", "tests.suites"], limit_s=3 * HOUR),
        Stage("lifecycle", ["./dev", "lifecycle"], limit_s=2 * HOUR, needs="KINGPOST_LIFECYCLE"),
        Stage("address", ["./dev", "sanitize", "address"], limit_s=2 * HOUR),
        Stage("thread", ["./dev", "sanitize", "thread"], limit_s=2 * HOUR),
        Stage("new-option", [sys.executable, "tests/checks/new_option.py"], limit_s=HOUR),
        Stage("tidy", ["./dev", "check", "tidy"], limit_s=2 * HOUR),
        Stage("bench", ["./dev", "bench", "--small", "--repeat", "3", "--limit", "1.5"], limit_s=HOUR),
        Stage("package", ["./dev", "package"], limit_s=HOUR),
        Stage("install", ["tests/bare/install.sh"], limit_s=HOUR),
        Stage("wheel", ["tests/bare/wheel.sh"], limit_s=HOUR),
        Stage("set-up", ["tests/bare/setup.sh"], limit_s=HOUR),
        Stage("newcomer", ["tests/bare/newcomer.sh"], limit_s=HOUR),
        Stage("reproduce", ["tests/bare/reproduce.sh"], limit_s=HOUR),
        Stage("mutants", ["./dev", "mutate", "--sample", "30", "--seed", TODAY], limit_s=2 * HOUR),
    ]


if __name__ == "__main__":
    Path(LOGS).mkdir(parents=True, exist_ok=True)
    sys.exit(run(chosen(stages(), sys.argv[1:]), logs=LOGS))
