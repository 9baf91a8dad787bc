# SPDX-License-Identifier: Apache-2.0
"""The stack trace that goes with a registration is read from the frames alone.

The SDK asks `traceback` for it, which looks at each source file on the disk and reads the line. Then it makes a path
and a URI of each file's name. The line's text is not used. Here a position is made once for each file and line.

Equal because the frames, their order and their lines are those that traceback.extract_stack lists; the URI is made by the
SDK's own function, once for each file and line. Where sys.tracebacklimit cuts traces short, the SDK's function runs.
"""

from __future__ import annotations

import sys
import traceback
from types import FrameType
from typing import Any, Dict, List, Optional, Tuple

from .guard import Known
from .swap import Swaps

KNOWN: Known = {
    "pulumi.runtime.resource:_get_stack_trace": ("3943b22730169251",),
    "pulumi.runtime.resource:_get_source_position_for_frame": ("9f78cc3180b00a12",),
}


def install(swaps: Swaps) -> None:
    from pulumi.runtime import resource
    from pulumi.runtime.proto import source_pb2

    original = resource._get_stack_trace
    position_of: Any = resource._get_source_position_for_frame
    frames_by_place: Dict[Tuple[str, int], Any] = {}

    def rpc_frame(frame: FrameType) -> Any:
        code = frame.f_code
        place = (code.co_filename, frame.f_lineno)
        found = frames_by_place.get(place)
        if found is None:
            summary = traceback.FrameSummary(place[0], place[1], code.co_name, lookup_line=False)
            found = frames_by_place[place] = source_pb2.StackFrame(pc=position_of(summary))
        return found

    def _get_stack_trace() -> Any:
        if hasattr(sys, "tracebacklimit"):
            return original()
        caller = sys._getframe().f_back
        frame = _third_constructor(caller)
        frames: List[Any] = []
        while frame is not None and frame.f_back is not None:
            frame = frame.f_back
            frames.append(rpc_frame(frame))
        return source_pb2.StackTrace(frames=frames)

    swaps.add(original, _get_stack_trace)


def _third_constructor(frame: Optional[FrameType]) -> Optional[FrameType]:
    """The third __init__ from the top: those of Resource, of CustomResource or ComponentResource, of the class itself."""
    constructors = 0
    while frame is not None:
        if frame.f_code.co_name == "__init__":
            constructors += 1
            if constructors == 3:
                return frame
        frame = frame.f_back
    return None
