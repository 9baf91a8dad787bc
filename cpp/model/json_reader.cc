// SPDX-License-Identifier: Apache-2.0
// The pull reader: blanks, words, numbers, strings and the commas between them.
#include "model/json_reader.h"

#include <charconv>
#include <cstdlib>

#include "base/encoding.h"
#include "model/json_bytes.h"

namespace kingpost {

namespace {

constexpr std::string_view kIndentation =
    "        ";  // passed over at once: a third of a document that people can read

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

const char* KindName(JsonReader::Kind kind) {
  switch (kind) {
    case JsonReader::Kind::kNull:
      return "null";
    case JsonReader::Kind::kBool:
      return "a boolean";
    case JsonReader::Kind::kNumber:
      return "a number";
    case JsonReader::Kind::kString:
      return "a string";
    case JsonReader::Kind::kArray:
      return "an array";
    case JsonReader::Kind::kObject:
      return "an object";
    case JsonReader::Kind::kNone:
      break;
  }
  return "nothing";
}

void AppendUtf8(unsigned code, std::string* out) {
  const auto tail = [&](int shift) { *out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xE0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    *out += static_cast<char>(0xF0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// Past the digits from text[i] on; i itself if there are none.
size_t AfterDigits(std::string_view text, size_t i) {
  while (i < text.size() && IsDigit(text[i])) ++i;
  return i;
}

// The end of the number at text[i] by JSON's grammar, or i if there is none.
size_t AfterNumber(std::string_view text, size_t i) {
  const size_t start = i;
  if (i < text.size() && text[i] == '-') ++i;
  const size_t digits = i;
  i = i < text.size() && text[i] == '0' ? i + 1 : AfterDigits(text, i);
  if (i == digits) return start;
  if (i < text.size() && text[i] == '.') {
    const size_t fraction = AfterDigits(text, i + 1);
    if (fraction == i + 1) return start;
    i = fraction;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    size_t exponent = i + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    i = AfterDigits(text, exponent);
    if (i == exponent) return start;
  }
  return i;
}

}  // namespace

void JsonReader::Fail(const std::string& what) {
  if (ok()) Fail(Status(Code::kInvalidArgument, what + " at byte " + std::to_string(offset_ + at_)));
}

void JsonReader::Fail(Status status) {
  if (!ok()) return;
  status_ = std::move(status);
  at_ = text_.size();
}

void JsonReader::SkipBlanks() {
  if (at_ < text_.size() && text_[at_] > ' ') return;
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
    ++at_;
    while (text_.substr(at_).starts_with(kIndentation)) at_ += kIndentation.size();
  }
}

JsonReader::Kind JsonReader::Peek() {
  if (!ok()) return Kind::kNone;
  SkipBlanks();
  if (at_ == text_.size()) {
    Fail("unexpected end of JSON");
    return Kind::kNone;
  }
  switch (const char c = text_[at_]) {
    case '{':
      return Kind::kObject;
    case '[':
      return Kind::kArray;
    case '"':
      return Kind::kString;
    case 't':
    case 'f':
      return Kind::kBool;
    case 'n':
      return Kind::kNull;
    default:
      if (c == '-' || IsDigit(c)) return Kind::kNumber;
      Fail("invalid JSON: unexpected " + Quote(text_.substr(at_, 1)));
      return Kind::kNone;
  }
}

void JsonReader::Expect(Kind kind, const char* name) {
  const Kind found = Peek();
  if (found != kind) Fail(std::string("expected ") + name + " but found " + KindName(found));
}

void JsonReader::ReadWord(std::string_view word) {
  if (!ok()) return;
  if (text_.substr(at_, word.size()) != word) return Fail("invalid JSON: expected " + std::string(word));
  at_ += word.size();
}

void JsonReader::ReadNull() {
  Expect(Kind::kNull, "null");
  ReadWord("null");
}

bool JsonReader::ReadBool() {
  Expect(Kind::kBool, "a boolean");
  const bool value = ok() && text_[at_] == 't';
  ReadWord(value ? "true" : "false");
  return value && ok();
}

double JsonReader::ReadNumber() {
  Expect(Kind::kNumber, "a number");
  if (!ok()) return 0;
  const size_t end = AfterNumber(text_, at_);
  if (end == at_) {
    Fail("invalid JSON: malformed number");
    return 0;
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + end, value);
  if (error == std::errc::result_out_of_range) {
    // Too small rounds to zero; too large has no double.
    const std::string copy(text_.substr(at_, end - at_));
    value = std::strtod(copy.c_str(), nullptr);
    if (value > 1 || value < -1) {
      Fail("number " + copy + " is too large");
      return 0;
    }
  }
  at_ = end;
  return value;
}

std::string_view JsonReader::ReadString() {
  Expect(Kind::kString, "a string");
  return ok() ? ReadStringBody() : std::string_view();
}

void JsonReader::ReadBool(bool* out) {
  if (Peek() == Kind::kNull) return ReadNull();
  *out = ReadBool();
}

void JsonReader::ReadNumber(double* out) {
  if (Peek() == Kind::kNull) return ReadNull();
  *out = ReadNumber();
}

void JsonReader::ReadString(std::string* out) {
  if (Peek() == Kind::kNull) return ReadNull();
  out->assign(ReadString());
}

// Most strings are plain ASCII without escapes: those are handed out as they stand in the text.
std::string_view JsonReader::ReadStringBody() {
  const size_t start = ++at_;
  bool ascii = true;
  for (; at_ < text_.size(); ++at_) {
    at_ = SkipPlainBytes(text_.data() + at_, text_.data() + text_.size()) - text_.data();
    if (at_ == text_.size()) break;
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') {
      const std::string_view body = text_.substr(start, at_ - start);
      if (!ascii && !IsValidUtf8(body)) return ReadEscapedString(start);
      ++at_;
      return body;
    }
    if (c == '\\') return ReadEscapedString(start);
    if (c < 0x20) break;
    ascii = ascii && c < 0x80;
  }
  Fail(at_ == text_.size() ? "unexpected end of JSON inside of a string"
                           : "invalid JSON: control character inside of a string");
  return {};
}

std::string_view JsonReader::ReadEscapedString(size_t start) {
  scratch_.clear();
  for (at_ = start; at_ < text_.size();) {
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') {
      ++at_;
      return scratch_;
    }
    if (c == '\\') {
      if (!AppendEscaped()) return {};
    } else if (c < 0x20) {
      Fail("invalid JSON: control character inside of a string");
      return {};
    } else if (const char* plain = SkipPlainBytes(&text_[at_], text_.data() + text_.size()); plain != &text_[at_]) {
      scratch_.append(&text_[at_], plain);
      at_ = plain - text_.data();
    } else if (const size_t n = Utf8Length(text_, at_)) {
      scratch_.append(text_, at_, n);
      at_ += n;
    } else {
      AppendUtf8(0xFFFD, &scratch_);
      ++at_;
    }
  }
  Fail("unexpected end of JSON inside of a string");
  return {};
}

bool JsonReader::AppendEscaped() {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (letter != 'u') {
    const size_t i = letter == '\0' ? kLetters.npos : kLetters.find(letter);
    if (i == kLetters.npos) {
      Fail("invalid JSON: unknown escape inside of a string");
      return false;
    }
    scratch_ += kMeanings[i];
    at_ += 2;
    return true;
  }
  int code = ReadHex4();
  if (code < 0) return false;
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
    const size_t before = at_;
    const int low = ReadHex4();
    if (low < 0) return false;
    if (low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else {
      at_ = before;
    }
  }
  AppendUtf8(code >= 0xD800 && code < 0xE000 ? 0xFFFD : code, &scratch_);
  return true;
}

// The number of the \uXXXX at the reading position, or -1.
int JsonReader::ReadHex4() {
  int code = 0;
  const char* first = text_.data() + at_ + 2;
  if (at_ + 6 > text_.size() || std::from_chars(first, first + 4, code, 16).ptr != first + 4 || *first == '-') {
    Fail("invalid JSON: malformed \\u escape inside of a string");
    return -1;
  }
  at_ += 6;
  return code;
}

void JsonReader::BeginArray() {
  empty_ = Peek() == Kind::kNull;
  if (empty_) return ReadNull();
  Expect(Kind::kArray, "an array");
  if (!ok()) return;
  if (++depth_ > kJsonDepthMax) return Fail("JSON is nested more than 10000 levels deep");
  ++at_;
  fresh_ = true;
}

void JsonReader::BeginObject() {
  empty_ = Peek() == Kind::kNull;
  if (empty_) return ReadNull();
  Expect(Kind::kObject, "an object");
  if (!ok()) return;
  if (++depth_ > kJsonDepthMax) return Fail("JSON is nested more than 10000 levels deep");
  ++at_;
  fresh_ = true;
}

// True if another item follows, past the comma before it; else past the end.
bool JsonReader::NextItem(char end) {
  if (!ok()) return false;
  if (empty_) return empty_ = false;
  SkipBlanks();
  if (at_ < text_.size() && text_[at_] == end) {
    ++at_;
    --depth_;
    return fresh_ = false;
  }
  if (!fresh_) {
    if (at_ == text_.size()) {
      Fail("unexpected end of JSON");
      return false;
    }
    if (text_[at_] != ',') {
      Fail(std::string("invalid JSON: expected ',' or '") + end + "'");
      return false;
    }
    ++at_;
  }
  fresh_ = false;
  return true;
}

bool JsonReader::NextElement() { return NextItem(']') && Peek() != Kind::kNone; }

bool JsonReader::NextKey(std::string_view* key) {
  if (!NextItem('}')) return false;
  *key = ReadString();
  if (!ok()) return false;
  SkipBlanks();
  if (at_ == text_.size() || text_[at_] != ':') {
    Fail(at_ == text_.size() ? "unexpected end of JSON" : "invalid JSON: expected ':'");
    return false;
  }
  ++at_;
  return true;
}

std::string_view JsonReader::SkipRaw() {
  Peek();
  const size_t start = at_;
  std::string open;  // the brackets we are in
  std::string_view key;
  do {
    switch (Peek()) {
      case Kind::kObject:
        BeginObject();
        open += '{';
        break;
      case Kind::kArray:
        BeginArray();
        open += '[';
        break;
      case Kind::kString:
        ReadString();
        break;
      case Kind::kNumber:
        ReadNumber();
        break;
      case Kind::kBool:
        ReadBool();
        break;
      case Kind::kNull:
        ReadNull();
        break;
      case Kind::kNone:
        return {};
    }
    while (!open.empty() && !(open.back() == '{' ? NextKey(&key) : NextElement())) {
      if (!ok()) return {};
      open.pop_back();
    }
  } while (!open.empty());
  return ok() ? text_.substr(start, at_ - start) : std::string_view();
}

void JsonReader::Finish() {
  if (!ok()) return;
  SkipBlanks();
  if (at_ != text_.size()) Fail("invalid JSON: something follows the end of the document");
}

}  // namespace kingpost
