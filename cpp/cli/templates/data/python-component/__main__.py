"""The resources of this project."""

import pulumi
from greeting import Greeting

greeting = Greeting("world", subject="world")

pulumi.export("greeting", greeting.text)
