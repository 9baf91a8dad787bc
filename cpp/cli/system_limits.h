// SPDX-License-Identifier: Apache-2.0
// The message when the system has no more resources, also from code that cannot report it itself.
#pragma once

namespace kingpost {

// From then on a process that gets no thread, no memory or no descriptor ends with a message and exit code 1 instead of
// an abort, also where a library calls abort(). Acknowledged records are in the journal, and the next command recovers
// them. A write beyond the largest size of a file (ulimit -f) is an error of that write.
void SpeakBeforeTheEnd();

// Raises the limit on open files to 4,096, or as far as it may. If that leaves too few beside those that the command
// was started with, ends it with a message and exit code 1: many places cannot do without pipes and sockets.
void EnsureOpenFiles();

}  // namespace kingpost
