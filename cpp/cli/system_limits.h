// SPDX-License-Identifier: Apache-2.0
// The message when the system has no more resources, also from code that cannot report it itself.
#pragma once

namespace kingpost {

// Makes a process that gets no thread, memory or descriptor end with a message and exit code 1 instead of an abort,
// even where a library calls abort(). The journal has the acknowledged records, and the next command recovers them. A
// write beyond the largest file size (ulimit -f) only fails.
void InstallFatalHandlers();

// Raises the limit on open files to 4,096, or as far as it may. If that leaves too few beside those that the command
// was started with, ends it with a message and exit code 1: many places cannot do without pipes and sockets.
void RaiseOpenFilesLimit();

}  // namespace kingpost
