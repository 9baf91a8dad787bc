# SPDX-License-Identifier: Apache-2.0
"""The common parts of the Python module's tests: a provider that keeps its resources in a dict, and their class."""

import threading

import kingpost
import pulumi

TYPE = "test:index:Thing"


class Thing(pulumi.CustomResource):
    """Any inputs; the outputs "size" and "note" are the provider's."""

    size: pulumi.Output
    note: pulumi.Output

    def __init__(self, name, opts=None, type=TYPE, **inputs):
        super().__init__(type, name, {"size": None, "note": None, **inputs}, opts)


class World(kingpost.Provider):
    """Things in a dict. A change of "kind" replaces."""

    def __init__(self):
        self.lock = threading.Lock()
        self.things = {}
        self.requests = []
        self.next_id = 0

    def seen(self, method):
        return [request for name, request in self.requests if name == method]

    def _note(self, method, request):
        with self.lock:
            self.requests.append((method, request))

    def configure(self, request):
        self._note("configure", request)

    def check(self, request):
        self._note("check", request)
        failures = []
        if request.new_inputs.get("size_wanted") == -1:
            failures.append(kingpost.CheckFailure("size_wanted", "must not be negative"))
        return kingpost.CheckResponse({"color": "blue", **request.new_inputs}, failures)

    def diff(self, request):
        self._note("diff", request)
        changed = sorted(
            key
            for key in {**request.old_inputs, **request.new_inputs}
            if request.old_inputs.get(key) != request.new_inputs.get(key)
        )
        replaces = [key for key in changed if key == "kind"]
        return kingpost.DiffResponse(bool(changed), replaces, diffs=changed)

    def create(self, request):
        self._note("create", request)
        if request.preview:
            return kingpost.CreateResponse("", {**request.inputs, "size": kingpost.UNKNOWN})
        with self.lock:
            self.next_id += 1
            id = f"thing-{self.next_id}"
            outputs = {**request.inputs, "size": self.next_id}
            self.things[id] = outputs
        return kingpost.CreateResponse(id, outputs)

    def read(self, request):
        self._note("read", request)
        found = self.things.get(request.id)
        if found is None:
            return kingpost.ReadResponse("")
        return kingpost.ReadResponse(request.id, {key: found[key] for key in request.inputs}, found)

    def update(self, request):
        self._note("update", request)
        outputs = {**request.old_outputs, **request.new_inputs}
        if not request.preview:
            self.things[request.id] = outputs
        return kingpost.UpdateResponse(outputs)

    def delete(self, request):
        self._note("delete", request)
        del self.things[request.id]

    def invoke(self, request):
        self._note("invoke", request)
        if request.token != "test:index:double":
            return super().invoke(request)
        return kingpost.InvokeResponse({"value": request.args["value"] * 2})


def ops(result, type=TYPE):
    """{name: op} of the result's steps, for resources of that type. A resource with several steps has a list."""
    found = {}
    for step in result.steps:
        if step.type == type:
            found.setdefault(step.name, []).append(step.op)
    return {name: steps[0] if len(steps) == 1 else steps for name, steps in found.items()}


def resource(result, name):
    return next(state for state in result.resources if state.name == name)


def deploy(provider, program, package="test", **options):
    return kingpost.Stack("proj", "dev", program, providers={package: provider}, **options)
