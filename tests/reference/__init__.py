# SPDX-License-Identifier: Apache-2.0
"""What the reference has changed since the version that this project follows: `./dev reference`."""
