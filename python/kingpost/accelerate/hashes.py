# SPDX-License-Identifier: Apache-2.0
"""`python -m kingpost_accelerate.hashes`: the functions that the measures know, and their hashes in the installed SDK.

For a new release of the SDK: what is listed as unknown has changed; look at the change, and add the hash where the measure
is still equal.
"""

from __future__ import annotations

from . import _MEASURES
from .guard import hash_of


def main() -> None:
    import pulumi  # noqa: F401  (the functions are found by its modules' names)

    for measure in _MEASURES:
        for name, hashes in measure.KNOWN.items():
            found = hash_of(name)
            known = "known" if found in hashes else "UNKNOWN"
            print(f"{measure.__name__.rpartition('.')[2]:20} {name:60} {found} {known}")


if __name__ == "__main__":
    main()
