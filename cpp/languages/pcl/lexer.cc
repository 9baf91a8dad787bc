// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/lexer.h"

#include <utf8proc.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/encoding.h"
#include "base/utf8.h"

namespace kingpost::pcl {

namespace {

// Longest first.
constexpr std::string_view kOperators[] = {"...", "==", "!=", "<=", ">=", "&&", "||", "=>", "+", "-", "*", "/", "%",
                                           "<",   ">",  "!",  "?",  ":",  "=",  ",",  ".",  "(", ")", "[", "]"};
constexpr char kSpaces[] = " \t\r\n";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool BeginsIdentifier(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }
bool ContinuesIdentifier(char c) { return BeginsIdentifier(c) || IsDigit(c) || c == '-'; }

size_t IndentOf(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

// Each with its line break.
std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// After an error it is at the end of the source.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}
  Result<std::vector<Token>> Run();

 private:
  // The brackets around the place being read, innermost last.
  struct Mode {
    enum Kind { kBraces, kSequence, kQuoted, kHeredoc } kind;
    Position begun;
    // For kHeredoc: the word that ends it, whether it loses its common indentation, and which tokens are its texts and
    // begin its sequences.
    std::string end_marker = {};
    bool flush = false;
    std::vector<size_t> pieces = {};
  };

  bool at_end() const { return at_ >= source_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  bool LooksAt(std::string_view text) const { return source_.substr(at_, text.size()) == text; }
  // The end of a run of such characters; counts from here.
  size_t EndOf(size_t begin, bool (*belongs)(char)) const;
  bool InTemplate() const {
    return !modes_.empty() && (modes_.back().kind == Mode::kQuoted || modes_.back().kind == Mode::kHeredoc);
  }
  void Advance(size_t bytes);
  void Add(TokenKind kind, size_t bytes);
  void Fail(Position at, const std::string& message);

  void LexCode();
  void LexNumber();
  void OpenHeredoc();
  void CloseBrace(size_t bytes);
  void LexTemplate();
  void AddText(std::string text, Position at);
  size_t HeredocEnd() const;
  void LexEscape(std::string* text);
  void Unindent(const std::vector<size_t>& pieces);
  bool IsText(size_t token) const { return tokens_[token].kind == TokenKind::kText; }

  std::string_view source_;
  size_t at_ = 0;
  Position position_;
  std::vector<Mode> modes_;
  std::vector<Token> tokens_;
  Status status_;
};

size_t Lexer::EndOf(size_t begin, bool (*belongs)(char)) const {
  while (belongs(peek(begin))) ++begin;
  return begin;
}

void Lexer::Advance(size_t bytes) {
  for (const size_t end = std::min(at_ + bytes, source_.size()); at_ < end; ++at_) {
    if (source_[at_] == '\n') {
      ++position_.line;
      position_.column = 1;
    } else if (!IsUtf8Continuation(source_[at_])) {
      ++position_.column;
    }
  }
}

void Lexer::Add(TokenKind kind, size_t bytes) {
  tokens_.push_back({kind, std::string(source_.substr(at_, bytes)), position_});
  Advance(bytes);
}

void Lexer::Fail(Position at, const std::string& message) {
  status_ = ErrorAt(at, message);
  at_ = source_.size();
}

void Lexer::LexNumber() {
  size_t size = EndOf(0, IsDigit);
  if (peek(size) == '.' && IsDigit(peek(size + 1))) size = EndOf(size + 1, IsDigit);
  if (peek(size) == 'e' || peek(size) == 'E') {
    ++size;
    if (peek(size) == '+' || peek(size) == '-') ++size;
    if (!IsDigit(peek(size))) return Fail(position_, "invalid number: an exponent needs digits");
    size = EndOf(size, IsDigit);
  }
  Add(TokenKind::kNumber, size);
}

// <<NAME or <<-NAME, then text up to a line that holds only NAME.
void Lexer::OpenHeredoc() {
  const Position begun = position_;
  const bool flush = peek(2) == '-';
  const size_t begin = flush ? 3 : 2;
  size_t size = EndOf(begin, ContinuesIdentifier);
  const std::string name(source_.substr(at_ + begin, size - begin));
  if (name.empty()) return Fail(begun, "a heredoc needs a name after <<");
  if (peek(size) == '\r') ++size;
  if (peek(size) != '\n') return Fail(begun, "a heredoc's name must be followed by a line break");
  Add(TokenKind::kOpenTemplate, size + 1);
  modes_.push_back({Mode::kHeredoc, begun, name, flush});
}

void Lexer::CloseBrace(size_t bytes) {
  if (modes_.empty()) return Fail(position_, "unexpected }");
  Add(modes_.back().kind == Mode::kSequence ? TokenKind::kEndSequence : TokenKind::kOperator, bytes);
  modes_.pop_back();
}

void Lexer::LexCode() {
  const char c = peek();
  if (c == ' ' || c == '\t' || LooksAt("\r\n")) return Advance(1);
  if (c == '\n') return Add(TokenKind::kNewline, 1);
  if (c == '#' || LooksAt("//")) return Advance(std::min(source_.find('\n', at_), source_.size()) - at_);
  if (LooksAt("/*")) {
    const size_t end = source_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return Fail(position_, "unterminated comment: end it with */");
    return Advance(end + 2 - at_);
  }
  if (BeginsIdentifier(c)) return Add(TokenKind::kIdentifier, EndOf(0, ContinuesIdentifier));
  if (IsDigit(c)) return LexNumber();
  if (LooksAt("<<")) return OpenHeredoc();
  if (c == '"' || c == '{') {
    modes_.push_back({c == '"' ? Mode::kQuoted : Mode::kBraces, position_});
    return Add(c == '"' ? TokenKind::kOpenTemplate : TokenKind::kOperator, 1);
  }
  if (c == '}') return CloseBrace(1);
  if (LooksAt("~}") && !modes_.empty() && modes_.back().kind == Mode::kSequence) return CloseBrace(2);
  for (std::string_view text : kOperators) {
    if (LooksAt(text)) return Add(TokenKind::kOperator, text.size());
  }
  Fail(position_, "unexpected character " + Quote(source_.substr(at_, 1)));
}

// The size of the line that ends a heredoc, without its line break, if it begins here; else 0.
size_t Lexer::HeredocEnd() const {
  if (modes_.back().kind != Mode::kHeredoc || position_.column != 1) return 0;
  const std::string& name = modes_.back().end_marker;
  const size_t begin = EndOf(0, [](char c) { return c == ' ' || c == '\t'; });
  if (source_.substr(at_ + begin, name.size()) != name) return 0;
  const size_t size = begin + name.size();
  const bool whole_line = at_ + size >= source_.size() || peek(size) == '\n' || peek(size) == '\r';
  return whole_line ? size : 0;
}

void Lexer::LexEscape(std::string* text) {
  const char c = peek(1);
  if (c == 'u' || c == 'U') {
    const std::string_view digits = source_.substr(at_ + 2, c == 'u' ? 4 : 8);
    uint32_t point = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), point, 16);
    if (read.ptr != digits.data() + (c == 'u' ? 4 : 8)) {
      return Fail(position_, "an escape \\u needs 4 hexadecimal digits, \\U needs 8");
    }
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) {
      return Fail(position_, "this escape names no Unicode character");
    }
    utf8proc_uint8_t bytes[4];
    text->append(reinterpret_cast<char*>(bytes), utf8proc_encode_char(static_cast<utf8proc_int32_t>(point), bytes));
    return Advance(2 + digits.size());
  }
  constexpr std::string_view kNames = "nrt\"\\", kValues = "\n\r\t\"\\";
  const size_t which = c == '\0' ? std::string_view::npos : kNames.find(c);
  if (which == std::string_view::npos) {
    return Fail(position_, "unknown escape: use \\n, \\r, \\t, \\\", \\\\, \\uNNNN or \\UNNNNNNNN");
  }
  *text += kValues[which];
  Advance(2);
}

// A text before what is here: the end of its template, or a sequence.
void Lexer::AddText(std::string text, Position at) {
  if (text.empty()) return;
  if (tokens_.back().text == "~}") text.erase(0, std::min(text.find_first_not_of(kSpaces), text.size()));
  if (LooksAt("${~") || LooksAt("%{~")) text.erase(text.find_last_not_of(kSpaces) + 1);
  modes_.back().pieces.push_back(tokens_.size());
  tokens_.push_back({TokenKind::kText, std::move(text), at});
}

// One piece of text, and the sequence or the end that follows it.
void Lexer::LexTemplate() {
  const bool quoted = modes_.back().kind == Mode::kQuoted;
  const Position begun = position_;
  std::string text;
  while (!at_end()) {
    if (LooksAt("$${") || LooksAt("%%{")) {
      text += source_.substr(at_ + 1, 2);
      Advance(3);
    } else if (LooksAt("${") || LooksAt("%{")) {
      AddText(std::move(text), begun);
      modes_.back().pieces.push_back(tokens_.size());
      modes_.push_back({Mode::kSequence, position_});
      return Add(peek() == '$' ? TokenKind::kInterpolation : TokenKind::kControl, peek(2) == '~' ? 3 : 2);
    } else if (const size_t end = quoted ? peek() == '"' : HeredocEnd(); end > 0) {
      AddText(std::move(text), begun);
      if (modes_.back().flush) Unindent(modes_.back().pieces);
      modes_.pop_back();
      return Add(TokenKind::kCloseTemplate, end);
    } else if (quoted && peek() == '\\') {
      LexEscape(&text);
    } else if (quoted && peek() == '\n') {
      return Fail(position_, "a quoted text must end on its line: use \\n, or a heredoc for several lines");
    } else {
      text += peek();
      Advance(1);
    }
  }
  if (!status_.ok()) return;
  Fail(modes_.back().begun, quoted ? "unterminated text: its closing quote is missing"
                                   : "unterminated heredoc: a line with only its name ends it");
}

// Takes the indentation that all lines of a heredoc have from each of them.
void Lexer::Unindent(const std::vector<size_t>& pieces) {
  const auto begins_line = [&](size_t i) {
    return i == 0 || (IsText(pieces[i - 1]) && tokens_[pieces[i - 1]].text.ends_with('\n'));
  };
  size_t indent = std::string::npos;
  for (size_t i = 0; i < pieces.size(); ++i) {
    bool begins = begins_line(i);
    // A sequence at the very begin of a line leaves it no indentation.
    if (begins && !IsText(pieces[i])) indent = 0;
    if (!IsText(pieces[i])) continue;
    for (const std::string_view line : LinesOf(tokens_[pieces[i]].text)) {
      const size_t spaces = IndentOf(line);
      if (begins && line.substr(spaces) != "\n") indent = std::min(indent, spaces);
      begins = true;
    }
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!IsText(pieces[i])) continue;
    bool begins = begins_line(i);
    std::string text;
    for (const std::string_view line : LinesOf(tokens_[pieces[i]].text)) {
      text += line.substr(begins ? std::min(indent, IndentOf(line)) : 0);
      begins = true;
    }
    tokens_[pieces[i]].text = std::move(text);
  }
}

Result<std::vector<Token>> Lexer::Run() {
  if (!IsValidUtf8(source_)) return ErrorAt(position_, "the text is not UTF-8");
  while (status_.ok() && (!at_end() || InTemplate())) InTemplate() ? LexTemplate() : LexCode();
  if (status_.ok() && !modes_.empty()) Fail(modes_.back().begun, "this brace is never closed");
  if (!status_.ok()) return status_;
  Add(TokenKind::kEnd, 0);
  return std::move(tokens_);
}

}  // namespace

Result<std::vector<Token>> Tokenize(std::string_view source) { return Lexer(source).Run(); }

}  // namespace kingpost::pcl
