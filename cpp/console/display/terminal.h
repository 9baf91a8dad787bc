// SPDX-License-Identifier: Apache-2.0
// The little the command knows about terminals: whether there is one, how large, which colours, what is safe to print.
#pragma once

#include <string>
#include <string_view>

#include "console/display/text_width.h"

namespace kingpost {

struct TerminalSize {
  int columns = 80;
  int rows = 24;
};

bool IsTerminal(int fd);
TerminalSize SizeOf(int fd);  // as it is now; the defaults if it cannot be told
// The columns that texts are broken to fit; 0, for any, where there is no terminal.
int ColumnsOf(int fd);
// Sentences for the reader there: broken between words on a terminal, as they are elsewhere.
std::string FitTo(int fd, std::string_view sentences);

// --color always|never|raw|auto, NO_COLOR, CLICOLOR_FORCE and what the output is, resolved once.
bool WantsColor(const std::string& option, bool output_is_terminal);

enum class Style { kNone, kBold, kDim, kRed, kGreen, kYellow, kBlue, kMagenta, kCyan };

// Styled text, or the text as it is if colours are off.
class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}
  bool color() const { return color_; }
  std::string Paint(Style style, std::string_view text) const;
  std::string Bold(std::string_view text) const { return Paint(Style::kBold, text); }

 private:
  bool color_;
};

// Names and messages come from programs and providers. Characters that move the cursor, set the title, overwrite a line
// or write it backwards are spelled out ("\x1b", "\u202e"). So is the beginning of a line that a CI system would obey
// ("::error::", "##vso["). Line breaks and tabs stay if keep_lines.
std::string Printable(std::string_view text, bool keep_lines = false);
// The message of an error or a warning, with its lines. Of one over 64 KiB, which quotes a whole file, the middle is
// left out.
std::string PrintableError(std::string_view text);
// Printable of a JSON text, whose readers get what they would get without.
std::string PrintableJson(std::string json);

}  // namespace kingpost
