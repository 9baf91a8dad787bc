// SPDX-License-Identifier: Apache-2.0
// The message when the system has no more resources, also from code that cannot report it itself.
#pragma once

namespace kingpost {

// From then on a process that gets no thread or no memory ends with a message and exit code 1 instead of an abort.
// Acknowledged records are in the journal, and the next command recovers them. A write beyond the largest size of a
// file (ulimit -f) is an error of that write.
void SpeakBeforeTheEnd();

// Raises a limit on open files that is too low for the command. If it may not, ends the command with a message and exit
// code 1: many places cannot do without pipes and sockets.
void EnsureOpenFiles();

}  // namespace kingpost
