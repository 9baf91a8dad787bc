// SPDX-License-Identifier: Apache-2.0
// What is said where the system has nothing left to give, also at a place that cannot say so itself.
#pragma once

namespace kingpost {

// From then on a process that no thread or no memory can be had for ends with a sentence and exit code 1 instead of an
// abort; what was acknowledged is in the journal, and the next command takes it over. A write beyond the largest size
// of a file (ulimit -f) is an error of that write.
void SpeakBeforeTheEnd();

// Raises a limit on open files that is too low for the command, or ends it with a sentence and exit code 1 where it may
// not be raised: pipes and sockets are made in places that cannot do without.
void EnsureOpenFiles();

}  // namespace kingpost
