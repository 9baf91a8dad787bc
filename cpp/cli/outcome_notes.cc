// SPDX-License-Identifier: Apache-2.0
#include "cli/outcome_notes.h"

#include <algorithm>
#include <vector>

namespace kingpost {

namespace {

std::vector<std::string> FilledLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, end - start);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    if (!line.empty()) lines.push_back(std::move(line));
    start = end + 1;
  }
  return lines;
}

std::string Trimmed(const std::string& line) { return line.substr(line.find_first_not_of(" \t")); }

}  // namespace

std::string ErrorInOneLine(const std::string& message) {
  const std::vector<std::string> lines = FilledLines(message);
  if (lines.empty()) return "";
  if (lines.size() == 1 || lines.front().back() != ':') return lines.front();
  // A trace of Python ends with the exception, one of Node.js begins with it.
  const bool is_python = lines[1].rfind("Traceback", 0) == 0;
  if (!is_python) return lines.front() + " " + Trimmed(lines[1]);
  const auto is_exception = [](const std::string& line) { return line.front() != ' '; };
  const auto exception = std::find_if(lines.rbegin(), lines.rend(), is_exception);
  return lines.front() + " " + *exception;
}

std::string DestroyNote(const Snapshot& left, const std::string& stack, bool excluded_protected) {
  if (left.resources.empty()) {
    return "The resources of the stack are gone; its history and configuration are kept.\n"
           "To remove the stack too, run `kingpost stack rm " +
           stack + "`.\n";
  }
  if (!excluded_protected) return "";
  const auto count = [&](bool is_protected) {
    return std::count_if(left.resources.begin(), left.resources.end(), [&](const StatePtr& state) {
      const bool is_told = state->type != kRootStackType && !IsProviderType(state->type) && !state->pending_delete;
      return is_told && state->protect == is_protected;
    });
  };
  const auto kept = count(true), others = count(false);
  if (kept == 0) return "";
  if (others == 0) {
    // Scripts and the tests of the SDKs look for these words.
    return "All unprotected resources were destroyed. There are still " + std::to_string(kept) +
           " protected resources associated with this stack.\n";
  }
  return std::to_string(kept) + (kept == 1 ? " protected resource is" : " protected resources are") +
         " left in the stack, and " + std::to_string(others) + (others == 1 ? " other" : " others") +
         (kept == 1 ? " that it needs.\n" : " that they need.\n");
}

}  // namespace kingpost
