// SPDX-License-Identifier: Apache-2.0
// The number of columns of a text on a terminal, and texts made to fit. Characters are those that a reader sees, with
// the widths of Unicode (libutf8proc); ANSI sequences of colours count nothing. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kingpost {

// Length of the sequence "ESC [ digits ; ... letter" at the start of the text, 0 if there is none.
size_t AnsiLength(std::string_view text);
// Removes the ANSI sequences that colour text and erase lines.
std::string StripAnsi(std::string_view text);

// Columns that the text takes. A letter with its accents is one, a character of East Asia or an emoji two.
int DisplayWidth(std::string_view text);
// The text cut to so many columns, with "…" if something was cut. ANSI sequences survive and are closed.
std::string Truncate(std::string_view text, int columns);
// The text and blanks to its right, so many columns in all; a longer text stays as it is.
std::string PadRight(std::string_view text, int columns);

// One line broken between words into lines of at most `columns`, those after the first indented by `hanging` more than
// the line itself. A word that is longer than a line keeps a line of its own and is not broken: paths and addresses can
// still be copied.
std::vector<std::string> WrapWords(std::string_view line, int columns, int hanging);
// The same for each line of a text.
std::string WrapLines(std::string_view text, int columns, int hanging);
// The same for a help text, whose lines are a name, two blanks or more, and its meaning. The meaning goes on below
// itself. Where the name leaves it little room, it begins on the next line. 0 columns are any number.
std::string WrapHelp(std::string_view text, int columns);

}  // namespace kingpost
