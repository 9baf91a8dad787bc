// ANSI sequences. Pure but for the questions about file descriptors and environment variables.
#include "cli/display/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

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

bool IsSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

}  // namespace

bool IsTerminal(int fd) {
  const char* term = std::getenv("TERM");
  return ::isatty(fd) && !(term && std::strcmp(term, "dumb") == 0);
}

TerminalSize SizeOf(int fd) {
  winsize size{};
  TerminalSize result;
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return result;
  if (size.ws_col > 0) result.columns = size.ws_col;
  if (size.ws_row > 0) result.rows = size.ws_row;
  return result;
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
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters too; the first of them starts sequences on some terminals.
    const bool c1 = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1) {
      char spelled[8];
      std::snprintf(spelled, sizeof spelled, "\\u%04x", static_cast<unsigned char>(text[++i]));
      out += spelled;
    } else if ((c >= 0x20 && c != 0x7f) || (keep_lines && (c == '\n' || c == '\t'))) {
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else {
      char spelled[8];
      std::snprintf(spelled, sizeof spelled, "\\x%02x", c);
      out += spelled;
    }
  }
  return out;
}

}  // namespace kingpost
