# SPDX-License-Identifier: Apache-2.0
"""The SDK's results from annotations are computed once for each class, not for each resource.

For every resource the SDK makes a class and evaluates type hints, to learn the names and types of its properties.

Equal because the answers depend on the class alone. Types are looked up by identity: two unions may be equal and name their
members in different orders, which unwrap_type tells apart. An error is not remembered: it is raised again the next time.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Tuple

from .guard import Known
from .swap import Swaps

KNOWN: Known = {
    "pulumi._types:resource_types": ("6fae0d0d9be5d800", "36ca79dc260ad3c1"),
    "pulumi._types:resource_pulumi_to_py_names": ("e575864dc0a200e4", "bcc13d05dd1d086b"),
    "pulumi._types:resource_py_to_pulumi_names": ("de3f39d07b139624", "b82a2b125e04d897"),
    "pulumi._types:input_type_py_to_pulumi_names": ("3efdead758cd2f57", "c80765937c2c2bca"),
    "pulumi._types:unwrap_type": ("bb30c65501d97f61", "2426e2ad3e2fd680", "eec4ca91522d728d", "6ccd35036cb0b3d4"),
    "pulumi._types:unwrap_optional_type": ("99965752458880fd", "66ac125c3482ccba"),
}


def install(swaps: Swaps) -> None:
    from pulumi import _types

    for name in KNOWN:
        original = getattr(_types, name.partition(":")[2])
        swaps.add(original, _remembered(original))


def _remembered(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    answers: Dict[int, Tuple[Any, Any]] = {}  # by id of what was asked about, which is kept so that it stays its own

    def remembered(subject: Any) -> Any:
        found = answers.get(id(subject))
        if found is None:
            found = answers[id(subject)] = (subject, original(subject))
        return found[1]

    return remembered
