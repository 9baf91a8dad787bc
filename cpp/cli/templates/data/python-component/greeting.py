"""A component: resources that belong together, made and shown as one."""

import pulumi


class Greeting(pulumi.ComponentResource):
    """Greets its subject."""

    text: pulumi.Output[str]

    def __init__(self, name: str, subject: pulumi.Input[str], opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("greetings:index:Greeting", name, {}, opts)
        # Resources made here with opts=pulumi.ResourceOptions(parent=self) are parts of this one.
        self.text = pulumi.Output.concat("Hello, ", subject, "!")
        self.register_outputs({"text": self.text})
