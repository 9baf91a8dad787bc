"""The resources of this project."""

import pulumi

# Make resources here. What is exported is shown after each update, and by `kingpost stack output`.
pulumi.export("stack", pulumi.get_stack())
