# SPDX-License-Identifier: Apache-2.0
"""Imported first of all, so that an ``import pulumi`` that comes later leaves out what is not used."""

from .accelerate.lazy_modules import prepare

prepare()
