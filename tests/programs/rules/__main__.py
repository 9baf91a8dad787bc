# SPDX-License-Identifier: Apache-2.0
"""Runs the program that the configuration names, at the step that it names: `rules:program`, `rules:step`."""

import importlib

import pulumi

config = pulumi.Config()
importlib.import_module(config.require("program")).program(config.get_int("step") or 1)
