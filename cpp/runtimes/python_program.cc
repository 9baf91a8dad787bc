// SPDX-License-Identifier: Apache-2.0
// The launcher that a Python interpreter runs around the user's program. It ends with 0; with 32 if the program failed
// and the user has been told why; else with 1.
#include "runtimes/runtime.h"

namespace kingpost {

const char kPythonProgram[] = R"PYTHON(
import argparse
import asyncio
import atexit
import inspect
import json
import logging
import os
import runpy
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor

# What packages can be imported: it changes when some are installed, and with it what has been imported is out of date.
def installed():
    return [(folder, stamp_of(folder)) for folder in sys.path[1:]]  # the first is the program's own


def stamp_of(file):
    try:
        return os.stat(file).st_mtime_ns
    except OSError:  # it is not there, or in an archive
        return None


def stamps_of_modules():
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return {file: stamp_of(file) for file in files if isinstance(file, str)}


INSTALLED = installed()
USER_HAS_BEEN_TOLD = 32
INTERRUPTED = 130
PR_SET_PDEATHSIG = 1  # of Linux


class NoProgram(Exception):
    pass


def load_accelerators(folder):
    """The package kingpost_accelerate (python/kingpost/accelerate); None to go without."""
    if not folder:
        return None
    sys.path.insert(0, folder)
    # PYTHONDONTWRITEBYTECODE is about the user's files. This folder is ours.
    usual, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        import kingpost_accelerate

        return kingpost_accelerate
    except Exception:  # nothing that a program would miss
        return None
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = usual


def accelerate(folder):
    """The accelerators, in place around the SDK that is imported here, and what they report."""
    global pulumi
    accelerators = load_accelerators(folder)
    if accelerators:
        accelerators.prepare()
    import pulumi
    import pulumi.runtime

    return accelerators, accelerators.install() if accelerators else []


def end_without_sdk():
    traceback.print_exc()
    sys.exit(
        f"It looks like the Pulumi SDK has not been installed for {sys.executable}.\n"
        "Install what the program requires, for example with `pip install -r requirements.txt`, and name the virtual "
        "environment that has it in Pulumi.yaml (runtime: options: virtualenv)."
    )


def parse_arguments():
    parser = argparse.ArgumentParser(prog="kingpost-python")
    for name in ("project", "stack", "organization", "root_directory", "pwd", "monitor", "engine", "parallel", "dry_run"):
        parser.add_argument("--" + name)
    parser.add_argument("--accelerators")
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    return parser.parse_args()


def is_outdated(stamps):
    """What has been imported is not what an interpreter that starts now would import. `stamps` are those of the modules
    when they were imported."""
    own = os.getcwd() + os.sep
    of_program = any(file.startswith(own) and not file.startswith(sys.prefix + os.sep) for file in stamps)
    edited = any(stamp_of(file) != stamp for file, stamp in stamps.items())
    return of_program or edited or installed() != INSTALLED


def is_hidden():
    """The program's folder has a name that an interpreter which starts there may import in the place of what has been."""
    imported = {name.partition(".")[0] for name in sys.modules} - {"__main__"}
    return any(name.partition(".")[0] in imported for name in os.listdir())


def fork_for_each_run():
    """Returns in a fork for each run that is asked for (cpp/processes/fork_server.h). Here it ends when nobody asks any
    more, or where a fork would not be whole."""
    import ctypes
    import gc
    import signal
    import socket

    if len(os.listdir("/proc/self/task")) != 1:  # the other threads would be missing
        os._exit(0)
    libc, reaper = ctypes.CDLL(None), os.getppid()
    gc.freeze()  # the forks share what no collection touches
    asked = socket.socket(fileno=0)
    asked.send(b"r")
    while True:
        message, files, _, _ = socket.recv_fds(asked, 16, 3)
        if not message:
            os._exit(0)
        told, telling = os.pipe()
        between = os.fork()
        if between == 0:
            if os.fork() != 0:
                os._exit(0)
            break
        os.close(telling)
        for file in files:
            os.close(file)
        os.waitpid(between, 0)  # now the fork is the reaper's
        asked.send(os.read(told, 4))
        os.close(told)
    os.setpgid(0, 0)
    os.write(telling, os.getpid().to_bytes(4, sys.byteorder))
    asked.detach()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.close(told)
    os.close(telling)
    main_thread = threading.main_thread()
    if hasattr(main_thread, "_set_native_id"):
        main_thread._set_native_id()

    def end_with_reaper():
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != reaper:  # it has ended meanwhile
            os._exit(0)

    return end_with_reaper


def stand_by(folder, forks):
    """Waits, with everything imported, for what the run is told, and becomes that run, or each of its forks does. Ends if
    there is none. Answers what accelerate() has come to; None if the SDK is missing, of which run() tells."""
    try:
        prepared = accelerate(folder)
    except ImportError:
        prepared = None
    stamps = stamps_of_modules()
    if forks:
        end_with_reaper = fork_for_each_run()
    with open(0, "rb", closefd=False) as told:
        message = told.read()
    if not message:
        os._exit(0)
    run = json.loads(message)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    for name, value in run["environment"].items():
        os.environb[name.encode()] = value.encode()  # as it is at an ordinary start, whatever the locale
    os.chdir(run["folder"].encode())
    command = [os.fsdecode(argument.encode()) for argument in run["command"]]
    if forks:
        end_with_reaper()
    if is_outdated(stamps) or (forks and is_hidden()):
        os.execv(command[0], command)
    sys.argv[1:] = command[run["shared"] :]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[:] = command
    return prepared


def configure(options, accelerators):
    config = pulumi.runtime.get_config_env()
    try:
        pulumi.runtime.set_all_config(config, pulumi.runtime.get_config_secret_keys_env())
    except AttributeError:  # an SDK that knows no secret keys
        for key, value in config.items():
            pulumi.runtime.set_config(key, value)

    wanted = {
        "monitor": options.monitor,
        "engine": accelerators.engine_for(options.engine, options.debug) if accelerators else options.engine,
        "project": options.project,
        "stack": options.stack,
        "parallel": int(options.parallel or 1),
        "dry_run": options.dry_run == "true",
        "organization": options.organization,
        "root_directory": options.root_directory,
    }
    known = inspect.signature(pulumi.runtime.Settings.__init__).parameters
    settings = pulumi.runtime.Settings(**{name: value for name, value in wanted.items() if name in known})
    pulumi.runtime.configure(settings)
    return wanted["parallel"]


def main_file(program):
    if os.path.isdir(program):
        program = os.path.join(program, "__main__.py")
    return os.path.abspath(program)


def run_program(program):
    if os.path.isdir(program) and not any(
        os.path.exists(os.path.join(program, name)) for name in ("__main__.py", "__main__.pyc")
    ):
        raise NoProgram(f"unable to find main python program `__main__.py` in `{os.path.abspath(program)}`")
    runpy.run_path(program, run_name="__main__")


def user_traceback(main, accelerators):
    kind, error, first = sys.exc_info()
    frames = first
    while frames is not None and os.path.abspath(frames.tb_frame.f_code.co_filename) != main:
        frames = frames.tb_next
    trace = traceback.TracebackException(kind, error, frames or first)
    if accelerators:
        accelerators.hide_own_frames(trace)
    return "".join(trace.format())


# The engine interrupts a program whose calls it does not answer any more. Threads wait in these calls, and an ordinary
# exit would wait for the threads.
def end_at_once():
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)


def run(options, prepared):
    if not prepared:
        try:
            prepared = accelerate(options.accelerators)
        except ImportError:
            end_without_sdk()
    accelerators, report = prepared
    parallel = configure(options, accelerators)
    if options.debug:
        pulumi.log.debug("the SDK is accelerated: " + "; ".join(report) if report else "the SDK is not accelerated")
    sys.argv = [options.program] + options.arguments
    if options.pwd is not None:
        os.chdir(options.pwd)
    main = main_file(options.program)

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    executor = ThreadPoolExecutor(max_workers=max(parallel, 1) * 4)
    loop.set_default_executor(executor)
    # A program that fails leaves outputs behind that nobody will await. That is no news to the user.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    if accelerators:
        accelerators.begin_program()
    interrupted = False
    try:
        loop.run_until_complete(pulumi.runtime.run_in_stack(lambda: run_program(options.program)))
        return 0
    except NoProgram as error:
        pulumi.log.error(str(error))
        return USER_HAS_BEEN_TOLD
    except pulumi.RunError as error:
        pulumi.log.error(str(error))
        return 1
    except KeyboardInterrupt:
        interrupted = True
        return INTERRUPTED
    except Exception:
        pulumi.log.error("Program failed with an unhandled exception:\n" + user_traceback(main, accelerators))
        return USER_HAS_BEEN_TOLD
    finally:
        if interrupted:
            end_at_once()
        executor.shutdown(wait=True)
        loop.close()
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ in ("__main__", "builtins"):  # the latter under debugpy
    try:
        prepared = None
        if sys.argv[1:2] in (["--standby"], ["--fork-server"]):
            prepared = stand_by(sys.argv[2], sys.argv[1] == "--fork-server")
        ended = run(parse_arguments(), prepared)
    except KeyboardInterrupt:  # before the program began, or after its end
        os._exit(INTERRUPTED)
    sys.exit(ended)
)PYTHON";

}  // namespace kingpost
