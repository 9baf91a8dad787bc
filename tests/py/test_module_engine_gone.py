# SPDX-License-Identifier: Apache-2.0
"""The Python module, when the engine goes while Python code goes on calling it: each call fails at once, and takes no memory."""

import os
import subprocess
import sys
import textwrap

import pytest
from harness.patience import patience

# An engine that ends just when a connection comes: SETTINGS and GOAWAY in one packet, and the connection stays open.
# Without a limit, one call takes 100 MB of memory a second there, for ever, if gRPC is let try again.
PRELUDE = """
import os, resource, socket, sys, tempfile, threading
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
import grpc, kingpost, pulumi
from pulumi.runtime import settings
from pulumi.runtime.proto import engine_pb2, resource_pb2

SETTINGS = bytes.fromhex("000000" "04" "00" "00000000")
GOAWAY = bytes.fromhex("000008" "07" "00" "00000000" "00000000" "00000002")

def answer(listener):
    connections = []
    while True:
        connections.append(listener.accept()[0])
        connections[-1].sendall(SETTINGS + GOAWAY)

def going_engine():
    path = tempfile.mkdtemp() + "/engine"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    threading.Thread(target=answer, args=(listener,), daemon=True).start()
    return "unix:" + path

def megabytes():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmRSS"))

PATIENCE = float(sys.argv[1])
"""

# The calls to the engine that Python code makes, in this process or in a plugin's.
CALLS = {
    "the engine's log": "settings.get_engine().Log(engine_pb2.LogRequest(severity=engine_pb2.ERROR), timeout=PATIENCE)",
    "the monitor": "settings.get_monitor().SupportsFeature(resource_pb2.SupportsFeatureRequest(), timeout=PATIENCE)",
}


def run(script, **environment):
    code = textwrap.dedent(PRELUDE) + textwrap.dedent(script)
    command = [sys.executable, "-u", "-c", code, str(patience(15))]  # they end by os._exit, which flushes nothing
    return subprocess.run(
        command, capture_output=True, text=True, timeout=patience(120), env={**os.environ, **environment}
    )


@pytest.mark.parametrize("accelerate", ["1", "0"])
@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_a_program_fails_at_once(call, accelerate):
    script = f"""
        from kingpost._program import ProgramBridge
        codes, before = [], megabytes()

        def program():
            for _ in range(20):
                try:
                    {CALLS[call]}
                except grpc.RpcError as error:
                    codes.append(error.code().name)

        def open_channels_and_call():
            program()
            raise KeyboardInterrupt  # nothing else of the run is of interest

        import pulumi.runtime
        async def instead_of_a_stack(declare):
            declare()
        pulumi.runtime.run_in_stack = instead_of_a_stack
        fields = dict(project="p", stack="s", organization="o", address="direct:gone",
                      preview=False, parallel=4, config={{}}, config_secret_keys=[])
        answer = ProgramBridge(open_channels_and_call, {{}}, [])._run(fields)
        print(set(codes), len(codes), megabytes() - before < 60, answer["reported"])
        os._exit(0)
    """
    done = run(script, KINGPOST_ACCELERATE=accelerate)
    assert done.stdout == "{'UNAVAILABLE'} 20 True False\n", done.stdout + done.stderr


def test_a_program_that_begins_as_its_engine_ends_comes_to_its_end():
    script = """
        from kingpost._program import ProgramBridge
        before = megabytes()
        fields = dict(project="p", stack="s", organization="o", address="direct:gone",
                      preview=False, parallel=4, config={}, config_secret_keys=[])
        answer = ProgramBridge(lambda: pulumi.export("x", 1), {}, [])._run(fields)
        print(answer["reported"], "terminated" in answer["message"], megabytes() - before < 60)
        os._exit(0)
    """
    done = run(script)
    assert done.stdout == "False True True\n", done.stdout + done.stderr


def test_views_of_a_provider_are_refused_at_once():
    script = """
        from kingpost import _views
        address, before = going_engine(), megabytes()
        try:
            _views.publish(address, "token", [])
        except RuntimeError as error:
            print("the engine does not take the views" in str(error), megabytes() - before < 60)
        os._exit(0)
    """
    done = run(script)
    assert done.stdout == "True True\n", done.stdout + done.stderr


def test_the_log_of_a_served_provider_is_given_up_at_once():
    script = """
        import asyncio
        from kingpost._plugin_server import PluginServicer, engine_pb2
        before = megabytes()
        asyncio.run(asyncio.wait_for(PluginServicer("1.0.0", going_engine()).log("text", "", engine_pb2.DEBUG), PATIENCE))
        print(megabytes() - before < 60)
        os._exit(0)
    """
    done = run(script)
    assert done.stdout == "True\n", done.stdout + done.stderr
