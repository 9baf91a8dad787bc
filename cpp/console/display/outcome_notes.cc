// SPDX-License-Identifier: Apache-2.0
#include "console/display/outcome_notes.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/command_name.h"
#include "model/dependency_graph.h"

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

// The protected resources, and all that they need.
size_t CountKept(const Snapshot& left) {
  const DependencyGraph graph(left.resources);
  std::set<StatePtr> kept;
  for (const StatePtr& state : left.resources) {
    if (!state->protect) continue;
    const std::vector<StatePtr> needed = graph.TransitiveDependenciesOf(state);
    kept.insert(needed.begin(), needed.end());
    kept.insert(state);
  }
  return kept.size();
}

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

std::string DestroyNote(const Snapshot& left, const std::string& stack, const DestroyOutcome& outcome) {
  if (left.resources.empty()) {
    return "The resources of the stack are gone; its history and configuration are kept.\n"
           "To remove the stack too, run " +
           QuotedCommand("stack rm " + stack) + ".\n";
  }
  const size_t kept = outcome.excluded_protected ? CountKept(left) : 0;
  if (kept == 0) return "";
  // Scripts and the tests of the SDKs look for these words, which count what the protected ones need as well.
  const std::string first = outcome.deleted_some ? "All unprotected resources were destroyed."
                                                 : "There were no unprotected resources to destroy.";
  return first + " There are still " + std::to_string(kept) + " protected resources associated with this stack.\n";
}

}  // namespace kingpost
