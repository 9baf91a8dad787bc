// SPDX-License-Identifier: Apache-2.0
// The functions with which bash, zsh and fish ask this program what to offer (completion/completion.h).
#pragma once

#include <string>

namespace kingpost {

// For the program of that name; `shell` is "bash", "zsh" or "fish". "" for any other.
std::string CompletionScript(const std::string& shell, const std::string& program);

}  // namespace kingpost
