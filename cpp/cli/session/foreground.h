// SPDX-License-Identifier: Apache-2.0
// Programs that work in place of the command for a while: they have its terminal, and their output is shown as it
// comes.
#pragma once

#include "base/status.h"
#include "plugins/plugin_dependencies.h"

namespace kingpost {

// Waits for its end. What it prints goes to `output`, a file descriptor; what it complains about, to standard error.
// Fails with the command's line unless it ends with 0.
Status RunInForeground(const ProcessSpec& spec, int output);
// A step, which need not be a program; what it has done is told in `output`.
Status RunStepInForeground(const DependencyStep& step, int output);
// A program that stands for this one: its exit code, or 128 and the signal that ended it. An interrupt
// from the terminal is for the program to answer.
Result<int> RunDelegate(const ProcessSpec& spec);

}  // namespace kingpost
