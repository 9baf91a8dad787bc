// SPDX-License-Identifier: Apache-2.0
// Runs Python, Node.js and Go programs without a language host between. Finds the interpreter or the compiler, starts
// the program with the data for the SDK, passes its output on and reads its exit code. What differs from language to
// language is a Runtime. Loop thread.
#pragma once

#include <string>

#include "runtimes/language_host.h"

namespace kingpost {

bool IsNativeRuntime(const std::string& runtime);  // "python", "nodejs", "go"
LanguageHostPtr NativeHost(Loop& loop, LanguageHostOptions options);

}  // namespace kingpost
