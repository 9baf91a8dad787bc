# SPDX-License-Identifier: Apache-2.0
"""Runs the program that the configuration names: `accelerated:program`, "file.function". Each is one that the accelerators
of the SDK must treat as the SDK itself does."""

import importlib

import pulumi

file, _, function = pulumi.Config().require("program").partition(".")
getattr(importlib.import_module(file), function)()
