# SPDX-License-Identifier: Apache-2.0
"""The reference's changes since the version that this project follows: `./dev reference`."""
