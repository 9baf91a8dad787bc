// SPDX-License-Identifier: Apache-2.0
// The candidates for the word that is being typed in a shell: commands, flags and their values, stacks, keys of the
// configuration, resources. The shells' own part is in completion/shell_scripts.h. Reads what is recorded without a
// lock, a passphrase or a question, and says nothing about what is wrong with it. Main thread.
#pragma once

#include <string>
#include <vector>

#include "cli/session/command.h"

namespace kingpost {

struct Candidate {
  std::string text, about;
};

struct Completions {
  enum class Kind { kWords, kFiles, kFolders };
  Kind kind = Kind::kWords;
  std::vector<Candidate> candidates;  // of words
};

// `words` are those after the program's name, as the shell read them; the last, which may be empty, is being typed.
Completions Complete(const Commands& commands, const std::vector<std::string>& words);

// ":words", ":files" or ":folders", and then a line for each candidate, its text and a tab before what it is.
std::string CompletionsText(const Completions& offer);

}  // namespace kingpost
