# SPDX-License-Identifier: Apache-2.0
"""The Automation API's own test suites, of the SDKs of Python, Node.js and Go, on Kingpost as the `pulumi` on PATH."""
