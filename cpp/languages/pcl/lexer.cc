// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/lexer.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/encoding.h"

namespace kingpost::pcl {

namespace {

// Longest first.
constexpr std::string_view kOperators[] = {"...", "==", "!=", "<=", ">=", "&&", "||", "=>", "+", "-", "*", "/", "%",
                                           "<",   ">",  "!",  "?",  ":",  "=",  ",",  ".",  "(", ")", "[", "]"};

bool BeginsIdentifier(unsigned char c) { return std::isalpha(c) || c == '_' || c >= 0x80; }
bool ContinuesIdentifier(unsigned char c) { return BeginsIdentifier(c) || std::isdigit(c) || c == '-'; }

void AppendUtf8(uint32_t point, std::string* out) {
  if (point < 0x80) {
    *out += static_cast<char>(point);
  } else if (point < 0x800) {
    *out += static_cast<char>(0xc0 | (point >> 6));
    *out += static_cast<char>(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    *out += static_cast<char>(0xe0 | (point >> 12));
    *out += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    *out += static_cast<char>(0x80 | (point & 0x3f));
  } else {
    *out += static_cast<char>(0xf0 | (point >> 18));
    *out += static_cast<char>(0x80 | ((point >> 12) & 0x3f));
    *out += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    *out += static_cast<char>(0x80 | (point & 0x3f));
  }
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}
  Result<std::vector<Token>> Run();

 private:
  // The brackets around the place being read, innermost last.
  struct Mode {
    enum Kind { kBraces, kSequence, kQuoted, kHeredoc } kind;
    Position begun;
    std::string end_marker = {};  // of kHeredoc
  };

  bool at_end() const { return at_ >= source_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  bool LooksAt(std::string_view text) const { return source_.substr(at_, text.size()) == text; }
  void Advance(size_t bytes);
  Token& Add(TokenKind kind, size_t bytes);
  bool InTemplate() const {
    return !modes_.empty() && (modes_.back().kind == Mode::kQuoted || modes_.back().kind == Mode::kHeredoc);
  }

  Status LexCode();
  Status LexNumber();
  Status SkipComment(bool* skipped);
  Status OpenHeredoc();
  Status CloseBrace();
  Status LexTemplate();
  bool OpenSequence();
  size_t HeredocEnd() const;
  Status LexEscape(std::string* text);

  std::string_view source_;
  size_t at_ = 0;
  Position position_;
  std::vector<Mode> modes_;
  std::vector<Token> tokens_;
};

void Lexer::Advance(size_t bytes) {
  for (const size_t end = std::min(at_ + bytes, source_.size()); at_ < end; ++at_) {
    if (source_[at_] == '\n') {
      ++position_.line;
      position_.column = 1;
    } else if ((static_cast<unsigned char>(source_[at_]) & 0xc0) != 0x80) {
      ++position_.column;
    }
  }
}

Token& Lexer::Add(TokenKind kind, size_t bytes) {
  Token token;
  token.kind = kind;
  token.text = std::string(source_.substr(at_, bytes));
  token.at = position_;
  tokens_.push_back(std::move(token));
  Advance(bytes);
  return tokens_.back();
}

Status Lexer::SkipComment(bool* skipped) {
  *skipped = true;
  if (peek() == '#' || LooksAt("//")) {
    const size_t end = source_.find('\n', at_);
    Advance((end == std::string_view::npos ? source_.size() : end) - at_);
    return Status();
  }
  if (LooksAt("/*")) {
    const size_t end = source_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return ErrorAt(position_, "unterminated comment: end it with */");
    Advance(end + 2 - at_);
    return Status();
  }
  *skipped = false;
  return Status();
}

Status Lexer::LexNumber() {
  size_t size = 0;
  const auto digits = [&] {
    const size_t begin = size;
    while (std::isdigit(static_cast<unsigned char>(peek(size)))) ++size;
    return size > begin;
  };
  digits();
  if (peek(size) == '.' && std::isdigit(static_cast<unsigned char>(peek(size + 1)))) {
    ++size;
    digits();
  }
  if (peek(size) == 'e' || peek(size) == 'E') {
    ++size;
    if (peek(size) == '+' || peek(size) == '-') ++size;
    if (!digits()) return ErrorAt(position_, "invalid number: an exponent needs digits");
  }
  Add(TokenKind::kNumber, size);
  return Status();
}

// <<NAME or <<-NAME, then text up to a line that holds only NAME.
Status Lexer::OpenHeredoc() {
  const Position begun = position_;
  size_t size = 2;
  const bool flush = peek(size) == '-';
  if (flush) ++size;
  const size_t name_begin = size;
  while (ContinuesIdentifier(static_cast<unsigned char>(peek(size)))) ++size;
  const std::string name(source_.substr(at_ + name_begin, size - name_begin));
  if (name.empty()) return ErrorAt(begun, "a heredoc needs a name after <<");
  if (peek(size) == '\r') ++size;
  if (peek(size) != '\n') return ErrorAt(begun, "a heredoc's name must be followed by a line break");
  Token& token = Add(TokenKind::kOpenTemplate, size + 1);
  token.heredoc = true;
  token.flush = flush;
  modes_.push_back({Mode::kHeredoc, begun, name});
  return Status();
}

Status Lexer::CloseBrace() {
  if (modes_.empty()) return ErrorAt(position_, "unexpected }");
  const bool sequence = modes_.back().kind == Mode::kSequence;
  modes_.pop_back();
  Add(sequence ? TokenKind::kEndSequence : TokenKind::kOperator, 1);
  return Status();
}

Status Lexer::LexCode() {
  const unsigned char c = static_cast<unsigned char>(peek());
  if (c == ' ' || c == '\t' || LooksAt("\r\n")) {
    Advance(1);
    return Status();
  }
  if (c == '\n') {
    Add(TokenKind::kNewline, 1);
    return Status();
  }
  bool skipped = false;
  Status comment = SkipComment(&skipped);
  if (!comment.ok() || skipped) return comment;
  if (BeginsIdentifier(c)) {
    size_t size = 1;
    while (ContinuesIdentifier(static_cast<unsigned char>(peek(size)))) ++size;
    Add(TokenKind::kIdentifier, size);
    return Status();
  }
  if (std::isdigit(c)) return LexNumber();
  if (c == '"') {
    modes_.push_back({Mode::kQuoted, position_});
    Add(TokenKind::kOpenTemplate, 1);
    return Status();
  }
  if (LooksAt("<<")) return OpenHeredoc();
  if (c == '{') {
    modes_.push_back({Mode::kBraces, position_});
    Add(TokenKind::kOperator, 1);
    return Status();
  }
  if (c == '}') return CloseBrace();
  if (LooksAt("~}") && !modes_.empty() && modes_.back().kind == Mode::kSequence) {
    modes_.pop_back();
    Add(TokenKind::kEndSequence, 2).strip = true;
    return Status();
  }
  for (std::string_view text : kOperators) {
    if (!LooksAt(text)) continue;
    Add(TokenKind::kOperator, text.size());
    return Status();
  }
  return ErrorAt(position_, "unexpected character " + Quote(source_.substr(at_, 1)));
}

bool Lexer::OpenSequence() {
  if (!LooksAt("${") && !LooksAt("%{")) return false;
  const bool strip = peek(2) == '~';
  const Position begun = position_;
  Add(peek() == '$' ? TokenKind::kInterpolation : TokenKind::kControl, strip ? 3 : 2).strip = strip;
  modes_.push_back({Mode::kSequence, begun});
  return true;
}

// The size of the line that ends a heredoc, without its line break, if it begins here; else 0.
size_t Lexer::HeredocEnd() const {
  if (modes_.back().kind != Mode::kHeredoc || position_.column != 1) return 0;
  size_t size = 0;
  while (peek(size) == ' ' || peek(size) == '\t') ++size;
  const std::string& name = modes_.back().end_marker;
  if (source_.substr(at_ + size, name.size()) != name) return 0;
  size += name.size();
  const bool whole_line = at_ + size >= source_.size() || peek(size) == '\n' || peek(size) == '\r';
  return whole_line ? size : 0;
}

Status Lexer::LexEscape(std::string* text) {
  const char c = peek(1);
  const int digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (digits > 0) {
    uint32_t point = 0;
    for (int i = 0; i < digits; ++i) {
      const unsigned char digit = static_cast<unsigned char>(peek(2 + i));
      if (!std::isxdigit(digit)) return ErrorAt(position_, "an escape \\u needs 4 hexadecimal digits, \\U needs 8");
      point = point * 16 + static_cast<uint32_t>(std::isdigit(digit) ? digit - '0' : std::tolower(digit) - 'a' + 10);
    }
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) {
      return ErrorAt(position_, "this escape names no Unicode character");
    }
    AppendUtf8(point, text);
    Advance(2 + digits);
    return Status();
  }
  constexpr std::string_view kNames = "nrt\"\\", kValues = "\n\r\t\"\\";
  const size_t which = c == '\0' ? std::string_view::npos : kNames.find(c);
  if (which == std::string_view::npos) {
    return ErrorAt(position_, "unknown escape: use \\n, \\r, \\t, \\\", \\\\, \\uNNNN or \\UNNNNNNNN");
  }
  *text += kValues[which];
  Advance(2);
  return Status();
}

// One piece of text, and the sequence or the end that follows it.
Status Lexer::LexTemplate() {
  const bool quoted = modes_.back().kind == Mode::kQuoted;
  const Position begun = position_;
  std::string text;
  const auto flush = [&] {
    if (text.empty()) return;
    Token token;
    token.kind = TokenKind::kText;
    token.text = std::move(text);
    token.at = begun;
    tokens_.push_back(std::move(token));
  };
  while (!at_end()) {
    if (LooksAt("$${") || LooksAt("%%{")) {
      text += source_.substr(at_ + 1, 2);
      Advance(3);
    } else if (LooksAt("${") || LooksAt("%{")) {
      flush();
      OpenSequence();
      return Status();
    } else if (const size_t end = quoted ? peek() == '"' : HeredocEnd(); end > 0) {
      flush();
      Add(TokenKind::kCloseTemplate, end);
      modes_.pop_back();
      return Status();
    } else if (quoted && peek() == '\\') {
      Status escaped = LexEscape(&text);
      if (!escaped.ok()) return escaped;
    } else if (quoted && peek() == '\n') {
      return ErrorAt(position_, "a quoted text must end on its line: use \\n, or a heredoc for several lines");
    } else {
      text += peek();
      Advance(1);
    }
  }
  return ErrorAt(modes_.back().begun, quoted ? "unterminated text: its closing quote is missing"
                                             : "unterminated heredoc: a line with only its name ends it");
}

Result<std::vector<Token>> Lexer::Run() {
  if (!IsValidUtf8(source_)) return ErrorAt(position_, "the text is not UTF-8");
  while (!at_end() || InTemplate()) {
    Status lexed = InTemplate() ? LexTemplate() : LexCode();
    if (!lexed.ok()) return lexed;
  }
  if (!modes_.empty()) return ErrorAt(modes_.back().begun, "this brace is never closed");
  Add(TokenKind::kEnd, 0);
  return std::move(tokens_);
}

}  // namespace

Result<std::vector<Token>> Tokenize(std::string_view source) { return Lexer(source).Run(); }

}  // namespace kingpost::pcl
