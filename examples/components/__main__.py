# SPDX-License-Identifier: Apache-2.0
"""A region with two services. Each service has a key (replaced at every release), a configuration that holds the key
(secret), and logs. The register of the region is protected until `components:guarded` is false."""

import pulumi
from pulumi import ResourceOptions

from files import Document, Key

config = pulumi.Config()
release = config.get_int("release") or 1
guarded = config.get_bool("guarded")


class Service(pulumi.ComponentResource):
    """A key, a configuration with the key in it, and a log that waits for both."""

    address: pulumi.Output[str]

    def __init__(self, name: str, folder: str, port: int, opts: ResourceOptions):
        super().__init__("world:index:Service", name, None, opts)
        below = ResourceOptions(parent=self)
        key = Key(f"{name}-key", folder, release, below)
        settings = {"port": port, "key": key.value, "release": release}
        self.settings = Document(f"{name}-settings", f"{folder}/{name}.json", settings, below)
        log = Document(f"{name}-log", f"{folder}/{name}-log-{min(release, 2)}.json", {"lines": []},
                       ResourceOptions(parent=self, depends_on=[key, self.settings], delete_before_replace=True))
        self.address = pulumi.Output.format("{0}:{1}", log.path, port)
        self.register_outputs({"address": self.address})


class Region(pulumi.ComponentResource):
    """Services beside each other and the register of their addresses."""

    def __init__(self, name: str, ports: dict):
        super().__init__("world:index:Region", name)
        folder = f"world/{name}"
        below = ResourceOptions(parent=self)
        self.services = {service: Service(service, folder, port, below) for service, port in ports.items()}
        addresses = {service: component.address for service, component in self.services.items()}
        self.register = Document(f"{name}-register", f"{folder}/register.json", addresses,
                                 ResourceOptions(parent=self, protect=guarded is not False))
        self.register_outputs({"services": list(self.services), "register": self.register.path})


region = Region("harbour", {"pilots": 4001, "tides": 4002})
notice = Document("notice", "world/notice.json", {"release": release}, ResourceOptions(depends_on=[region]))

pulumi.export("addresses", {name: service.address for name, service in region.services.items()})
pulumi.export("pilots_settings_size", region.services["pilots"].settings.size)
pulumi.export("region", region.urn)
