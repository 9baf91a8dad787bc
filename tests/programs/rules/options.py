# SPDX-License-Identifier: Apache-2.0
"""ignoreChanges, replaceOnChanges, protect, retainOnDelete, deletedWith, additionalSecretOutputs, nested values."""

import pulumi
from pulumi import CustomTimeouts, ResourceOptions

from thing import Thing


def program(step: int) -> None:
    spec = {"size": step, "tags": ["red", f"step {step}"]}
    Thing("ignoring", f"step {step}", ResourceOptions(ignore_changes=["value"]), spec=spec)
    Thing("deep", "same", ResourceOptions(ignore_changes=["spec.tags[1]", "spec.size"]), spec=spec)
    Thing("replacing", "same", ResourceOptions(replace_on_changes=["spec"]), spec=spec)
    Thing("protected", "same", ResourceOptions(protect=step < 3))
    if step < 3:
        keeper = Thing("keeper", "same", ResourceOptions(retain_on_delete=True))
        Thing("leaf", "same", ResourceOptions(deleted_with=keeper))
    secretive = Thing("secretive", "same", ResourceOptions(
        additional_secret_outputs=["stamp"], custom_timeouts=CustomTimeouts(create="5m", delete="1h")))
    pulumi.export("stamp", secretive.stamp)
    pulumi.export("nothing", None)
    pulumi.export("numbers", [1, 2.5, -0.0, 1e21, 12345678901234567890])
    pulumi.export("text", "<&> \u2028 é \U0001f600 \x7f")
