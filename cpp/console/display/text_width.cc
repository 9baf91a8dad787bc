// SPDX-License-Identifier: Apache-2.0
// Texts are walked in clusters: what is drawn as one character. Pure ASCII, nearly all there is, takes a short way.
#include "console/display/text_width.h"

#include <utf8proc.h>

#include <algorithm>
#include <cctype>

namespace kingpost {

namespace {

constexpr char kReset[] = "\x1b[0m";

// A code point that is younger than the library's table: those of the planes of emoji and ideographs are wide.
int WidthOfUnassigned(utf8proc_int32_t code) { return code >= 0x1F000 && code < 0x40000 ? 2 : 1; }

int WidthOf(utf8proc_int32_t code) {
  if (utf8proc_category(code) == UTF8PROC_CATEGORY_CN) return WidthOfUnassigned(code);
  return utf8proc_charwidth(code);
}

struct Cluster {
  size_t bytes = 0;
  int columns = 0;
};

bool IsFlagLetter(utf8proc_int32_t code) { return code >= 0x1F1E6 && code <= 0x1F1FF; }

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// The first code point; a byte that is no UTF-8 is one character of one column.
Cluster FirstCodePoint(std::string_view text, utf8proc_int32_t* code) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const utf8proc_ssize_t length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), code);
  if (length > 0 && *code >= 0) return {static_cast<size_t>(length), WidthOf(*code)};
  *code = 0xFFFD;
  return {1, 1};
}

// The first cluster of a text that is not empty and does not start with a sequence.
Cluster FirstCluster(std::string_view text) {
  if (IsAscii(text[0]) && (text.size() == 1 || IsAscii(text[1]))) return {1, text[0] >= 0x20 && text[0] != 0x7f};
  utf8proc_int32_t code = 0, state = 0;
  Cluster cluster = FirstCodePoint(text, &code);
  while (cluster.bytes < text.size()) {
    utf8proc_int32_t next = 0;
    const Cluster more = FirstCodePoint(text.substr(cluster.bytes), &next);
    if (utf8proc_grapheme_break_stateful(code, next, &state)) break;
    cluster.bytes += more.bytes;
    // A family is drawn as its widest part, a letter with accents as the letter; the letters of a flag as two.
    cluster.columns = IsFlagLetter(next) ? cluster.columns + more.columns : std::max(cluster.columns, more.columns);
    code = next;
  }
  return cluster;
}

// Calls take(piece, columns) for each sequence (-1 columns) and cluster until it answers false.
template <class F>
void Walk(std::string_view text, const F& take) {
  while (!text.empty()) {
    const size_t sequence = AnsiLength(text);
    const Cluster piece = sequence > 0 ? Cluster{sequence, -1} : FirstCluster(text);
    if (!take(text.substr(0, piece.bytes), piece.columns)) return;
    text.remove_prefix(piece.bytes);
  }
}

// A line that is being filled with words.
class Wrapping {
 public:
  Wrapping(int columns, int indent, int hanging) : columns_(columns), below_(indent + hanging) {
    line_ = std::string(indent, ' ');
    width_ = indent;
  }

  void Add(std::string_view blanks, std::string_view word) {
    const int width = DisplayWidth(word);
    if (!empty_ && width_ + static_cast<int>(blanks.size()) + width > columns_) {
      lines_.push_back(std::move(line_));
      line_ = std::string(below_, ' ');
      width_ = below_;
    } else {
      line_ += blanks;
      width_ += static_cast<int>(blanks.size());
    }
    line_ += word;
    width_ += width;
    empty_ = empty_ && width == 0;  // a colour alone is nothing to break behind
  }

  std::vector<std::string> Take() {
    lines_.push_back(std::move(line_));
    return std::move(lines_);
  }

 private:
  const int columns_, below_;
  std::vector<std::string> lines_;
  std::string line_;
  int width_ = 0;
  bool empty_ = true;
};

}  // namespace

size_t AnsiLength(std::string_view text) {
  if (text.size() < 3 || text[0] != '\x1b' || text[1] != '[') return 0;
  size_t end = 2;
  while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) || text[end] == ';')) ++end;
  if (end == text.size() || !std::isalpha(static_cast<unsigned char>(text[end]))) return 0;
  return end + 1;
}

std::string StripAnsi(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const size_t sequence = AnsiLength(text.substr(i));
    if (sequence > 0) {
      i += sequence;
    } else {
      out += text[i++];
    }
  }
  return out;
}

int DisplayWidth(std::string_view text) {
  int width = 0;
  Walk(text, [&](std::string_view, int columns) {
    width += std::max(columns, 0);
    return true;
  });
  return width;
}

std::string Truncate(std::string_view text, int columns) {
  if (DisplayWidth(text) <= columns) return std::string(text);
  if (columns <= 0) return "";
  std::string out;
  bool styled = false;
  int width = 0;
  Walk(text, [&](std::string_view piece, int piece_columns) {
    if (piece_columns < 0) {
      styled = true;
    } else if (width + piece_columns > columns - 1) {
      return false;
    }
    width += std::max(piece_columns, 0);
    out += piece;
    return true;
  });
  out += "…";
  if (styled) out += kReset;
  return out;
}

std::string PadRight(std::string_view text, int columns) {
  return std::string(text) + std::string(std::max(0, columns - DisplayWidth(text)), ' ');
}

std::vector<std::string> WrapWords(std::string_view line, int columns, int hanging) {
  if (DisplayWidth(line) <= columns) return {std::string(line)};
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  Wrapping wrapping(columns, static_cast<int>(indent), hanging);
  for (size_t at = indent; at < line.size();) {
    const size_t word = std::min(line.find_first_not_of(' ', at), line.size());
    const size_t end = std::min(line.find(' ', word), line.size());
    wrapping.Add(line.substr(at, word - at), line.substr(word, end - word));
    at = end;
  }
  return wrapping.Take();
}

namespace {

// `wrap` makes several lines of each line of the text.
template <class F>
std::string WrapEach(std::string_view text, const F& wrap) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    bool first = true;
    for (const std::string& line : wrap(text.substr(0, end))) {
      out += (first ? "" : "\n") + line;
      first = false;
    }
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Where in the line the meaning of a name begins, its length if it has none.
size_t MeaningOf(std::string_view line) {
  const size_t name = line.find_first_not_of(' ');
  const size_t gap = name == std::string_view::npos ? name : line.find("  ", name);
  return gap == std::string_view::npos ? line.size() : std::min(line.find_first_not_of(' ', gap), line.size());
}

std::vector<std::string> WrapHelpLine(std::string_view line, int columns) {
  constexpr int kFurther = 6, kNarrowest = 24;
  if (columns == 0 || DisplayWidth(line) <= columns) return {std::string(line)};
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const size_t meaning = MeaningOf(line);
  const int start = DisplayWidth(line.substr(0, meaning));
  const bool is_alone = meaning == line.size();  // a sentence, or a meaning below a long name
  if (is_alone && static_cast<int>(indent) > kFurther) return WrapWords(line, columns, 0);
  if (is_alone) return WrapWords(line, columns, 2);
  if (columns - start >= kNarrowest) return WrapWords(line, columns, start - static_cast<int>(indent));
  std::vector<std::string> lines = {std::string(line.substr(0, line.find_last_not_of(' ', meaning - 1) + 1))};
  for (std::string& part : WrapWords(std::string(kFurther, ' ').append(line.substr(meaning)), columns, 0)) {
    lines.push_back(std::move(part));
  }
  return lines;
}

}  // namespace

std::string WrapLines(std::string_view text, int columns, int hanging) {
  return WrapEach(text, [&](std::string_view line) { return WrapWords(line, columns, hanging); });
}

std::string WrapHelp(std::string_view text, int columns) {
  return WrapEach(text, [&](std::string_view line) { return WrapHelpLine(line, columns); });
}

}  // namespace kingpost
