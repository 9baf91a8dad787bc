// SPDX-License-Identifier: Apache-2.0
// Texts that may hold anything, as parts of a Markdown page. Pure.
#pragma once

#include <string>
#include <string_view>

namespace kingpost {

// In running text and in cells of tables: nothing in it is markup.
std::string MarkdownText(std::string_view text);
// `code`, in running text and in cells.
std::string MarkdownCode(std::string_view text);
// A fenced block that its text cannot end.
std::string MarkdownFence(const std::string& text, const char* language);
// Lines "    ~ port: 1 => 2" as what the language "diff" colours: the mark first, "!" for a change.
std::string DiffFenceLines(const std::string& lines);

}  // namespace kingpost
