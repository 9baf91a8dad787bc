// SPDX-License-Identifier: Apache-2.0
// ANSI sequences. Pure but for the questions about file descriptors and environment variables.
#include "console/display/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/encoding.h"
#include "base/os.h"
#include "base/url_masking.h"

namespace kingpost {

namespace {

const char* CodeOf(Style style) {
  switch (style) {
    case Style::kNone:
      return "";
    case Style::kBold:
      return "\x1b[1m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kRed:
      return "\x1b[31m";
    case Style::kGreen:
      return "\x1b[32m";
    case Style::kYellow:
      return "\x1b[33m";
    case Style::kBlue:
      return "\x1b[34m";
    case Style::kMagenta:
      return "\x1b[35m";
    case Style::kCyan:
      return "\x1b[36m";
  }
  return "";
}

bool IsSet(const char* variable) { return !GetEnvironment(variable).empty(); }

// Characters that make a terminal show something else than the text. These are control characters from U+0080 on, of
// which the first starts sequences, changes of the direction of writing, and further line breaks.
bool IsMisleading(uint32_t point) {
  return (point >= 0x80 && point < 0xA0) || point == 0x061C || point == 0x200E || point == 0x200F ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Commands that Azure Pipelines, TeamCity and GitHub find anywhere in a line: "##vso[", "##teamcity[", "##[group]".
bool IsCommandAnywhere(std::string_view text) {
  if (!text.starts_with("##")) return false;
  size_t at = 2;
  while (at < text.size() && IsLetter(text[at])) ++at;
  return at < text.size() && text[at] == '[';
}

// And from the beginning of a line: "::error::". Headings in Markdown have a blank behind their "##".
bool IsWorkflowCommand(std::string_view line) {
  return (line.starts_with("::") || line.starts_with("##")) && line.size() > 2 && IsLetter(line[2]);
}

// True for the characters that .NET trims from a line before it compares the beginning of the line.
bool IsBlank(uint32_t point) {
  return point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x202F ||
         point == 0x205F || point == 0x3000 || point == 0xFEFF;
}

void AppendSpelled(const char* format, unsigned value, std::string* out) {
  char spelled[16];
  std::snprintf(spelled, sizeof spelled, format, value);
  *out += spelled;
}

// Takes two to four bytes; \uXXXX is an escape in JSON, too.
void AppendCharacter(std::string_view character, std::string* out) {
  const uint32_t point = CodePoint(character);
  if (IsMisleading(point)) {
    AppendSpelled("\\u%04x", point, out);
  } else {
    out->append(character);
  }
}

}  // namespace

bool IsTerminal(int fd) { return ::isatty(fd) && GetEnvironment("TERM") != "dumb"; }

TerminalSize SizeOf(int fd) {
  winsize size{};
  TerminalSize result;
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return result;
  if (size.ws_col > 0) result.columns = size.ws_col;
  if (size.ws_row > 0) result.rows = size.ws_row;
  return result;
}

int ColumnsOf(int fd) {
  constexpr int kFewest = 20;
  return IsTerminal(fd) ? std::max(kFewest, SizeOf(fd).columns) : 0;
}

std::string FitTo(int fd, std::string_view sentences) {
  constexpr int kHanging = 2;
  const int columns = ColumnsOf(fd);
  return columns == 0 ? std::string(sentences) : WrapLines(sentences, columns, kHanging);
}

bool WantsColor(const std::string& option, bool output_is_terminal) {
  if (option == "always") return true;
  if (option == "never" || option == "raw") return false;
  if (IsSet("NO_COLOR")) return false;
  if (IsSet("CLICOLOR_FORCE") || IsSet("FORCE_COLOR")) return true;
  return output_is_terminal;
}

std::string Painter::Paint(Style style, std::string_view text) const {
  if (!color_ || style == Style::kNone || text.empty()) return std::string(text);
  return std::string(CodeOf(style)) + std::string(text) + "\x1b[0m";
}

std::string Printable(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  bool line_begins = true;
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    const auto c = static_cast<unsigned char>(text[i]);
    if (length == 0) {
      AppendSpelled("\\x%02x", c, &out);  // half a character; terminals that know no UTF-8 obey some of these bytes
    } else if (length > 1) {
      AppendCharacter(text.substr(i, length), &out);
    } else if (IsCommandAnywhere(text.substr(i)) || (line_begins && IsWorkflowCommand(text.substr(i)))) {
      AppendSpelled("\\x%02x", c, &out);
    } else if ((c >= 0x20 && c != 0x7f) || (keep_lines && (c == '\n' || c == '\t'))) {
      out += text[i];
    } else if (c == '\n') {
      out += "\\n";
    } else {
      AppendSpelled("\\x%02x", c, &out);
    }
    const bool is_blank = c == ' ' || c == '\t' || (length > 1 && IsBlank(CodePoint(text.substr(i, length))));
    line_begins = (keep_lines && c == '\n') || (line_begins && is_blank);
    i += std::max<size_t>(length, 1);
  }
  return out;
}

std::string PrintableError(std::string_view whole) {
  constexpr size_t kSizeMax = size_t{64} << 10;
  if (whole.size() <= kSizeMax) return Printable(MaskUrls(whole), true);
  const size_t half = kSizeMax / 2;
  size_t begin = half, end = whole.size() - half;
  while (begin > 0 && (whole[begin] & 0xC0) == 0x80) --begin;  // no character is cut
  while (end < whole.size() && (whole[end] & 0xC0) == 0x80) ++end;
  return Printable(MaskUrls(whole.substr(0, begin)), true) + " … (" + std::to_string(end - begin) +
         " bytes left out) … " + Printable(MaskUrls(whole.substr(end)), true);
}

std::string PrintableJson(std::string json) {
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x7f; };
  if (std::all_of(json.begin(), json.end(), is_plain) && json.find("##") == json.npos) return json;
  std::string out;
  out.reserve(json.size() + 64);
  for (size_t i = 0; i < json.size();) {
    const size_t length = std::max<size_t>(Utf8Length(json, i), 1);
    if (length > 1) {
      AppendCharacter(std::string_view(json).substr(i, length), &out);
    } else if (json[i] == 0x7f) {
      out += "\\u007f";
    } else if (IsCommandAnywhere(std::string_view(json).substr(i))) {
      out += "\\u0023";
    } else {
      out += json[i];
    }
    i += length;
  }
  return out;
}

}  // namespace kingpost
