# SPDX-License-Identifier: Apache-2.0
"""Plays the stories of tests/real/stories with published providers."""
