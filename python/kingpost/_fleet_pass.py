# SPDX-License-Identifier: Apache-2.0
"""One operation of many stacks under way: begins each when its turn comes, on a thread of its own."""

from __future__ import annotations

import contextvars
import threading
from typing import Callable, Dict, List, Optional

from . import _kingpost
from .errors import Awaiting, Cancelled, Error, FleetFailed
from .fleet_result import FleetResult
from .result import Result

__tracebackhide__ = True  # a failing test shows the user's lines

_LOOK_SECONDS = 0.2  # how soon a KeyboardInterrupt is noticed
_REFERENCE = "::pulumi:pulumi:StackReference::"
_STOPPED = "the fleet was stopped"


class FleetPass:
    """Runs one pass. ``run`` operates on the member of that number; ``interrupt`` cancels all running members.

    ``preview`` is the pass that has previewed the same members. This pass does not run members that the preview found
    unchanged and that read no changed one. Members whose preview failed do not run again. With ``fail_fast`` the first
    failure is the last begin.
    """

    def __init__(
        self,
        board: "_kingpost.FleetBoard",
        names: List[str],
        run: Callable[[int], Result],
        interrupt: Callable[[], None],
        preview: Optional["FleetPass"] = None,
        fail_fast: bool = False,
    ) -> None:
        self._board = board
        self._names = names
        self._run = run
        self._interrupt = interrupt
        self._preview = preview
        self._fail_fast = fail_fast
        self._first_failure = ""
        self._stopped = False
        self._raised: Optional[BaseException] = None
        self._results: Dict[str, Result] = {}
        self._errors: Dict[str, Error] = {}
        self._skipped: Dict[str, str] = {}

    def stop(self) -> None:
        """Begins no other stack, and cancels those that are under way; a second time they stop at once."""
        self._stopped = True
        self._board.stop()
        self._interrupt()

    @property
    def stopped(self) -> bool:
        return self._stopped

    @property
    def board(self) -> "_kingpost.FleetBoard":
        return self._board

    @property
    def may_go_on(self) -> bool:
        """Whether the operation that this has previewed has anything to do."""
        return bool(self._results) and not self._first_failure and not self._stopped

    def wait(self) -> None:
        """Waits in Python, so that signals are noticed. A KeyboardInterrupt stops all, is waited for, and then raised."""
        coordinator = threading.Thread(
            target=contextvars.copy_context().run, args=(self._coordinate,), name="kingpost-fleet"
        )
        coordinator.start()
        while True:
            try:
                while coordinator.is_alive():
                    coordinator.join(_LOOK_SECONDS)
                break
            except BaseException as error:  # noqa: BLE001 - raised below, when all have ended
                self._raised = self._raised or error
                self.stop()
        if self._raised is not None:
            raise self._raised

    def _coordinate(self) -> None:
        """Threads are joined when all have ended; those that have, cost next to nothing meanwhile."""
        threads: List[threading.Thread] = []
        while True:
            member = self._board.next()
            if member is None:
                break
            thread = threading.Thread(
                target=contextvars.copy_context().run, args=(self._work, member), name="kingpost-member"
            )
            threads.append(thread)
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self, member: int) -> None:
        end = "failed"
        try:
            end = self._end_of(member)
        except BaseException as error:  # noqa: BLE001 - of a listener, or of this library: the caller's
            self._raised = self._raised or error
            self._stopped = True
            self._board.stop()
        finally:
            self._board.ended(member, end)

    def _end_of(self, member: int) -> str:
        name = self._names[member]
        turn = self._board.turn(member, self._is_ending)
        if turn == "stopped":
            self._skipped[name] = self._why_stopped()
            return "skipped"
        if turn == "previewed":
            return self._as_previewed(member, name)
        if turn == "alone":
            assert self._preview is not None
            self._results[name] = self._preview._results[name]
            return "done"
        try:
            result = self._run(member)
        except Error as error:
            return self._failed(member, name, error)
        self._results[name] = result
        return "done"

    def _as_previewed(self, member: int, name: str) -> str:
        preview = self._preview
        assert preview is not None
        if name in preview._errors:
            self._errors[name] = preview._errors[name]
            return "failed"
        self._skipped[name] = preview._why_skipped(member, name)
        return "skipped"

    def _failed(self, member: int, name: str, error: Error) -> str:
        read = self._board.failed_read(member) if _may_be_of_a_read(error) else None
        broken_off = read is not None and read[1]
        if (self._stopped and isinstance(error, Cancelled)) or (self._is_ending and broken_off):
            self._skipped[name] = self._why_stopped()
            return "skipped"
        if read is not None and not broken_off:
            self._skipped[name] = self._because(self._names[read[0]])
            return "skipped"
        self._errors[name] = error
        if self._fail_fast and not isinstance(error, Awaiting):
            self._first_failure = self._first_failure or name
            self._board.stop()
        return "failed"

    @property
    def _is_ending(self) -> bool:
        return self._stopped or bool(self._first_failure)

    def _why_stopped(self) -> str:
        return f"fail_fast: {self._first_failure} failed" if self._first_failure and not self._stopped else _STOPPED

    def _because(self, other: str) -> str:
        return f"{other} {'failed' if other in self._errors else 'was skipped'}"

    def _why_skipped(self, member: int, name: str) -> str:
        if name in self._skipped:
            return self._skipped[name]
        cause = self._board.because(member)
        return self._why_stopped() if cause is None else self._because(self._names[cause])

    def concluded(self) -> FleetResult:
        """Returns the result. Raises FleetFailed from the first error of a stack, or Cancelled if the fleet was stopped."""
        __tracebackhide__ = True
        for member, name in enumerate(self._names):
            if name in self._results or name in self._errors:
                continue
            # The preview's outcome tells more than the name of the failed stack that this one reads.
            if self._board.ended_in_preview(member):
                self._as_previewed(member, name)
            else:
                self._skipped[name] = self._why_skipped(member, name)
        result = FleetResult(self._results, self._errors, self._skipped)
        if self._errors:
            raise FleetFailed(_told(result), result) from next(iter(self._errors.values()))
        if self._stopped:
            raise Cancelled("the fleet was stopped; skipped: " + (", ".join(self._skipped) or "none"))
        return result


def _may_be_of_a_read(error: Error) -> bool:
    """False if a resource failed that is no reference to a stack: then no read caused the error."""
    return not error.urn or _REFERENCE in error.urn


def _told(result: FleetResult) -> str:
    failed = "; ".join(f"{name}: {error}" for name, error in result.errors.items())
    skipped = "".join(f"; {name} was skipped, because {why}" for name, why in result.skipped.items())
    return f"{len(result.errors)} of {len(result)} stacks failed: {failed}{skipped}"
