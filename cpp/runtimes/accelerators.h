// SPDX-License-Identifier: Apache-2.0
// The accelerators of the SDKs (python/kingpost/accelerate, node/accelerate; docs/accelerators.md) as files that an
// interpreter can load. The command carries them as texts and unpacks them into the user's cache, where Python keeps
// their bytecode beside them, so that the next program finds them compiled.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "processes/private_folder.h"

namespace kingpost {

struct AcceleratorFile {
  std::string path, text;  // "kingpost_accelerate/guard.py"
};
const std::vector<AcceleratorFile>& AcceleratorFiles();
extern const char kAcceleratorsHash[];

struct Accelerators {
  std::string folder;                         // holds kingpost_accelerate/ and node/; "" to go without
  std::shared_ptr<PrivateFolder> own_folder;  // where no cache can be written: a folder that goes with this
};

// KINGPOST_ACCELERATE=0 says that programs are to run without.
bool WantsAccelerators();
// Unpacks them where they are not there yet, word for word. Writes files: for a worker thread. The guardian removes
// what a kill would leave half-written or without an owner.
Accelerators UnpackAccelerators(ProcessSupervisor* guardian);
// The folder in the user's cache, if a program before this had them unpacked there; else "". Reads files: for a worker
// thread.
std::string AcceleratorsInCache();

}  // namespace kingpost
