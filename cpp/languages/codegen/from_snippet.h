// SPDX-License-Identifier: Apache-2.0
// The program that declares the resource of a snippet. An empty resource stands before it for each
// resource that it refers to; the user replaces these with their own. Any thread.
#pragma once

#include "languages/codegen/program.h"
#include "languages/pcl/snippet.h"

namespace kingpost::codegen {

// Fails for what no language is given here, such as a range, by its place in the snippet: "line,column: ...". Names of
// packages without a schema are guessed, but for the snippet's own, whose schema must be there.
Result<Program> ProgramOfSnippet(const pcl::Snippet& snippet, const Packages& packages);

// The same as plugins of languages read it.
std::string PclOfSnippet(const pcl::Snippet& snippet);

}  // namespace kingpost::codegen
