// SPDX-License-Identifier: Apache-2.0
// Where Node.js keeps the compiled code of modules from one process to the next. The SDK and the TypeScript compiler
// are some 750 files, which a program otherwise compiles anew at each start. Node.js 22 and later do so by a variable;
// earlier ones pass it over. Source: https://nodejs.org/api/module.html#module-compile-cache.
#pragma once

#include <ctime>
#include <map>
#include <string>

namespace kingpost {

// Sets NODE_COMPILE_CACHE, unless this process or `environment` says something about such a cache, or about coverage,
// which is less exact with it; or unless KINGPOST_ACCELERATE=0.
void ShareCompiledCode(std::map<std::string, std::string>* environment);

// The folder in `cache` for the month of `now`, because Node.js itself removes nothing: the first use of a month
// removes those of earlier months. Returns "" if it is not the user's own, or cannot be made.
std::string CompiledCodeFolder(const std::string& cache, std::time_t now);

}  // namespace kingpost
