// SPDX-License-Identifier: Apache-2.0
#include "base/command_words.h"

namespace kingpost {

Result<std::vector<std::string>> SplitCommand(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      begun = true;
    } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? 0 : c;
      begun = true;
    } else if (quote == 0 && blank) {
      if (begun) words.push_back(std::move(word));
      word.clear();
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (quote != 0) return Status(Code::kInvalidArgument, std::string("the quote ") + quote + " is not closed: " + text);
  if (begun) words.push_back(std::move(word));
  if (words.empty()) return Status(Code::kInvalidArgument, "the command is empty");
  return words;
}

}  // namespace kingpost
