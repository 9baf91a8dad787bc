// SPDX-License-Identifier: Apache-2.0
// Environment variables, and which texts in them mean yes; folders. Any thread, as long as none changes the
// environment.
#pragma once

#include <string>

namespace kingpost {

std::string GetEnvironment(const char* name);  // "" if unset

std::string TemporaryFiles();  // the folder for them: $TMPDIR, or /tmp
std::string CurrentFolder();   // "." if it is gone

bool IsTruthy(const std::string& text);  // "1", "true" in any case

// Whether a switch is on. `former` is the name that it had before, and counts where the present one is unset.
bool IsTrueVariable(const char* name, const char* former = nullptr);

}  // namespace kingpost
