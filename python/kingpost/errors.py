# SPDX-License-Identifier: Apache-2.0
"""What is raised, and what a provider may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence

if TYPE_CHECKING:
    from .result import Result


class Error(Exception):
    """An operation failed. The text is that of its first error; ``result`` tells what was done all the same.

    ``result`` is None if the operation did not begin.
    """

    def __init__(self, message: str, result: Optional["Result"] = None) -> None:
        super().__init__(message)
        self.result = result


class InitializationFailed(Exception):
    """Raised by a provider's create, read or update: the resource exists, but does not work yet.

    It is recorded with ``outputs`` and ``reasons``, and the next ``up`` updates it.
    """

    def __init__(
        self,
        id: str,
        outputs: Dict[str, Any],
        reasons: Sequence[str],
        inputs: Optional[Dict[str, Any]] = None,
    ) -> None:
        reasons = [reasons] if isinstance(reasons, str) else list(reasons)
        super().__init__("; ".join(reasons) or "the resource did not initialize")
        self.id = id
        self.outputs = outputs
        self.reasons = reasons
        self.inputs = inputs
