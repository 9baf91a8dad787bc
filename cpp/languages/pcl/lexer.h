// SPDX-License-Identifier: Apache-2.0
// Tokens of PCL, the language of snippets: HCL's native syntax. The lexer knows where text ends and code begins:
//
//   "a ${ b } c"   ->   open-quote  text(a )  interpolation  identifier(b)  end-sequence  text( c)  close-quote
//
// A heredoc gives the same tokens. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "languages/pcl/position.h"

namespace kingpost::pcl {

enum class TokenKind {
  kEnd,
  kNewline,
  kIdentifier,
  kNumber,
  kOperator,      // text is the operator, or one of ( ) [ ] { } , . : ? = ...
  kOpenTemplate,  // a quote, or the start of a heredoc
  kCloseTemplate,
  kText,           // escapes resolved, and without the white space that a ~ or <<- drops
  kInterpolation,  // ${ or ${~
  kControl,        // %{ or %{~
  kEndSequence,    // the } or ~} of the two
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  Position at;
};

// The tokens up to kEnd, or what is wrong and where.
Result<std::vector<Token>> Tokenize(std::string_view source);

}  // namespace kingpost::pcl
