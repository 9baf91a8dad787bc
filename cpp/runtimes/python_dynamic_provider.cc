// SPDX-License-Identifier: Apache-2.0
#include "runtimes/python_dynamic_provider.h"

namespace kingpost {

namespace {

// sys.path and sys.argv are as `python -m` leaves them by the time that the module runs.
const char kAcceleratedModule[] = R"PYTHON(
import atexit
import os
import runpy
import sys
import threading

sys.path[0] = sys.argv.pop(1)
try:
    import kingpost_accelerate

    kingpost_accelerate.prepare()
except Exception:  # nothing that a provider would miss
    pass
sys.path[0] = os.getcwd()
runpy.run_module("pulumi.dynamic", run_name="__main__", alter_sys=True)
# It has been told to end. Threads and exit handlers of the program's end as ever; the rest of an interpreter's end takes
# 50 ms, for which a user waits.
threading._shutdown()
atexit._run_exitfuncs()
sys.stdout.flush()
sys.stderr.flush()
os._exit(0)
)PYTHON";

}  // namespace

std::vector<std::string> PythonDynamicProvider(const std::string& python, const std::string& accelerators,
                                               const std::string& engine_address) {
  if (accelerators.empty()) return {python, "-u", "-m", "pulumi.dynamic", engine_address};
  return {python, "-u", "-c", kAcceleratedModule, accelerators, engine_address};
}

}  // namespace kingpost
