# SPDX-License-Identifier: Apache-2.0
"""Imported before whatever uses the extension: its libraries have thousands of functions, of which a process calls few, and
each is bound when it is first called."""

import os
import sys

if hasattr(sys, "setdlopenflags"):
    _usual = sys.getdlopenflags()
    sys.setdlopenflags((_usual & ~os.RTLD_NOW) | os.RTLD_LAZY)
    try:
        from . import _kingpost  # noqa: F401
    finally:
        sys.setdlopenflags(_usual)
