# SPDX-License-Identifier: Apache-2.0
"""Step 1 is the stack that is read, step 2 reads it with a StackReference, a secret among its outputs."""

import pulumi

from thing import Thing


def program(step: int) -> None:
    if step == 1:
        pulumi.export("stamp", Thing("shared", "of the other").stamp)
        pulumi.export("secret", pulumi.Output.secret("hush"))
    else:
        other = pulumi.StackReference(pulumi.Config().require("other"))
        Thing("reader", other.require_output("stamp"))
        pulumi.export("secret", other.require_output("secret"))
        pulumi.export("missing", other.get_output("missing"))
