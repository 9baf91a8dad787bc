# SPDX-License-Identifier: Apache-2.0
"""The operations on a stack, each with its arguments spelled out, and its twin for event loops."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional

from ._checked import Texts, mapped, spelled
from ._operation import twin_of
from ._settings import Plan, plan_text
from .events import Event
from .importing import Imports, import_file
from .records import StackRecords
from .result import Result

__tracebackhide__ = True  # a failing test shows the user's lines

OnEvent = Callable[[Event], None]

_NOT_A_PREVIEW = {"preview": "call stack.preview()", "dry_run": "call stack.preview()"}
_ONE_OR_MORE = {"target": "targets takes a list of URNs", "exclude": "excludes takes a list of URNs"}


class StackOperations(StackRecords):
    """The part of kingpost.Stack that makes, reads and deletes resources."""

    def _operate(self, operation: str, on_event: Optional[OnEvent], **given: Any) -> Result:
        raise NotImplementedError

    @spelled(**_ONE_OR_MORE)
    def preview(
        self,
        *,
        targets: Texts = (),
        excludes: Texts = (),
        replace: Texts = (),
        target_dependents: bool = False,
        exclude_dependents: bool = False,
        refresh: bool = False,
        run_program: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        save_plan: bool = False,
        debug: bool = False,
        on_event: Optional[OnEvent] = None,
    ) -> Result:
        """Tells what ``up`` would do, and changes nothing. Arguments as of ``up``.

        save_plan: ``result.plan`` is what ``up(plan=...)`` may then do, and nothing else
        """
        __tracebackhide__ = True
        return self._operate(
            "update",
            on_event,
            preview=True,
            targets=targets,
            excludes=excludes,
            replace=replace,
            target_dependents=target_dependents,
            exclude_dependents=exclude_dependents,
            refresh=refresh,
            run_program=run_program,
            continue_on_error=continue_on_error,
            parallel=parallel,
            save_plan=save_plan,
            debug=debug,
        )

    @spelled(**_NOT_A_PREVIEW, **_ONE_OR_MORE)
    def up(
        self,
        *,
        targets: Texts = (),
        excludes: Texts = (),
        replace: Texts = (),
        target_dependents: bool = False,
        exclude_dependents: bool = False,
        refresh: bool = False,
        run_program: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        plan: Optional[Plan] = None,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnEvent] = None,
    ) -> Result:
        """Makes the stack what the program says.

        targets, excludes: URNs, or patterns with ``*``, to confine the operation to or to leave out
        target_dependents, exclude_dependents: with what depends on them
        replace:           URNs of resources to replace though nothing changed
        refresh:           look at the resources as they are first; with ``run_program`` each as it is registered
        continue_on_error: go on with what does not depend on a failure
        parallel:          instead of the stack's own
        plan:              of ``preview(save_plan=True)``, or the file of one: do that or fail
        message:           for the history
        debug:             failures of Python code come with their tracebacks
        on_event:          called with each kingpost.Event on this thread; what it raises cancels the operation
        """
        __tracebackhide__ = True
        return self._operate(
            "update",
            on_event,
            targets=targets,
            excludes=excludes,
            replace=replace,
            target_dependents=target_dependents,
            exclude_dependents=exclude_dependents,
            refresh=refresh,
            run_program=run_program,
            continue_on_error=continue_on_error,
            parallel=parallel,
            plan=plan_text(plan),
            message=message,
            debug=debug,
        )

    @spelled(**_ONE_OR_MORE)
    def refresh(
        self,
        *,
        preview: bool = False,
        targets: Texts = (),
        excludes: Texts = (),
        target_dependents: bool = False,
        exclude_dependents: bool = False,
        run_program: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        clear_pending_creates: bool = False,
        import_pending_creates: Optional[Mapping[str, str]] = None,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnEvent] = None,
    ) -> Result:
        """Reads every resource and records it as it is. Arguments as of ``up``.

        clear_pending_creates:  forget creates that an earlier run did not see end
        import_pending_creates: URNs of such creates -> the IDs of what they made
        """
        __tracebackhide__ = True
        return self._operate(
            "refresh",
            on_event,
            preview=preview,
            targets=targets,
            excludes=excludes,
            target_dependents=target_dependents,
            exclude_dependents=exclude_dependents,
            run_program=run_program,
            continue_on_error=continue_on_error,
            parallel=parallel,
            clear_pending_creates=clear_pending_creates,
            import_pending_creates=mapped("import_pending_creates", "URNs and IDs", import_pending_creates),
            message=message,
            debug=debug,
        )

    @spelled(**_ONE_OR_MORE)
    def destroy(
        self,
        *,
        preview: bool = False,
        targets: Texts = (),
        excludes: Texts = (),
        target_dependents: bool = False,
        exclude_dependents: bool = False,
        exclude_protected: bool = False,
        refresh: bool = False,
        run_program: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnEvent] = None,
    ) -> Result:
        """Deletes every resource. Arguments as of ``up``; ``run_program`` for hooks of deletes."""
        __tracebackhide__ = True
        return self._operate(
            "destroy",
            on_event,
            preview=preview,
            targets=targets,
            excludes=excludes,
            target_dependents=target_dependents,
            exclude_dependents=exclude_dependents,
            exclude_protected=exclude_protected,
            refresh=refresh,
            run_program=run_program,
            continue_on_error=continue_on_error,
            parallel=parallel,
            message=message,
            debug=debug,
        )

    @spelled()
    def import_resources(
        self,
        resources: Imports,
        *,
        protect: bool = True,
        preview: bool = False,
        parallel: Optional[int] = None,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnEvent] = None,
    ) -> Result:
        """Takes over resources that exist: kingpost.ImportResources, or the path of an import file."""
        __tracebackhide__ = True
        return self._operate(
            "import",
            on_event,
            preview=preview,
            import_json=import_file(resources),
            protect=protect,
            parallel=parallel,
            message=message,
            debug=debug,
        )

    @twin_of(preview)
    def preview_async(self) -> None: ...

    @twin_of(up)
    def up_async(self) -> None: ...

    @twin_of(refresh)
    def refresh_async(self) -> None: ...

    @twin_of(destroy)
    def destroy_async(self) -> None: ...

    @twin_of(import_resources)
    def import_resources_async(self) -> None: ...
