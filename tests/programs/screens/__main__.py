# SPDX-License-Identifier: Apache-2.0
"""The program behind the recorded screens. SCENE chooses the variant. Resources depend on one another, so screens repeat."""

import json
import os
import time

import pulumi

SCENE = os.environ.get("SCENE", "first")
CHANGED = SCENE in ("second", "broken", "refused")


class Thing(pulumi.CustomResource):
    def __init__(self, name, value, opts=None, **more):
        super().__init__("things:index:Thing", name, {"value": value, **more, "stamp": None}, opts)


class Box(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("boxes:index:Box", name)
        self.register_outputs({})


last = None


def thing(name, value, parent=None, **more):
    global last
    options = pulumi.ResourceOptions(parent=parent, depends_on=[last] if last else None)
    options.protect = more.pop("protect", None)
    last = Thing(name, value, options, **more)


script = [f"line {i}" for i in range(60)]
actions = ["s3:GetObject", "s3:ListBucket"]
rules = ["a", "b", "c", "d"]
if CHANGED:
    script[30] = "line thirty"
    actions.insert(0, "s3:PutObject")
    rules = ["b", "x", "c", "d", "a"]

print("hello from the program", flush=True)
time.sleep(0.5)  # printed lines and registrations arrive on different ways
box = Box("box")
thing("script", "\n".join(script), box)
thing("policy", json.dumps({"Statement": [{"Sid": "read", "Action": actions}], "Version": "2012-10-17"}), box)
thing("rules", rules)
thing("資料", "wide 🚀" if not CHANGED else "wider 🚀", size=2 if CHANGED else 1)
thing("key", pulumi.Output.secret("hunter22" + SCENE), key="k2" if CHANGED else "k1")
if SCENE == "protected":
    thing("kept", "v", protect=True)
if SCENE == "slow":
    print("said before the wait", flush=True)
    time.sleep(30)
if SCENE == "warned":
    pulumi.log.warn("mind the gap")
if SCENE == "broken":
    raise ValueError("boom")
if SCENE == "refused":
    thing("bad", "x", fail="create")
pulumi.export("url", "http://example.com")
pulumi.export("scene", SCENE)

if SCENE.startswith("chain"):  # `back` takes the stamp of `front` as its key, so it is deleted first and replaced, too
    front = Thing("front", SCENE, pulumi.ResourceOptions(depends_on=last), key=SCENE, deleteFirst=True)
    Thing("back", "v", key=front.stamp)
if SCENE == "flood":
    for number in range(3000):
        print(f"flood {number}", flush=True)
if SCENE == "undeletable":
    Thing("stuck", "v", pulumi.ResourceOptions(depends_on=last), fail="delete")
