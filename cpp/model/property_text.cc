// SPDX-License-Identifier: Apache-2.0
#include "model/property_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/encoding.h"
#include "model/deployment_json.h"
#include "model/json_bytes.h"
#include "model/json_value.h"
#include "model/signatures.h"

namespace kingpost {

namespace {

constexpr size_t kCopiesBytes = 256 << 10;
constexpr size_t kNestingMax = 100;  // deeper ones are read at once

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Follows one object from its first to its last bracket.
class PlainObject {
 public:
  PlainObject(std::string_view text, bool sealed, std::vector<std::string_view>* keys, std::string* compact)
      : begin_(text.data()),
        at_(begin_),
        end_(begin_ + text.size()),
        copied_(begin_),
        sealed_(sealed),
        keys_(*keys),
        compact_(*compact) {
    keys_.clear();
    compact_.clear();
  }

  // False if it is not plain, or no JSON at all.
  bool Follow() {
    if (!Open()) return false;
    while (!keys_.empty()) {
      bool is_signature = false;
      if (InObject() && !Key(&is_signature)) return false;
      Blanks();
      if (is_signature) {
        if (!RestOfSecret() || !Close()) return false;
        continue;
      }
      if (IsNext('{') || IsNext('[')) {
        if (!Open()) return false;
        if (opened_) continue;
      } else if (!Scalar()) {
        return false;
      }
      if (!Close()) return false;
    }
    return true;
  }

  size_t length() const { return at_ - begin_; }
  bool has_blanks() const { return copied_ != begin_; }
  // Once it has been followed, and there were blanks in it.
  void CopyRest() { compact_.append(copied_, at_); }

 private:
  static constexpr std::string_view kArray{"[", 1};  // stands for the last key of what is no object
  bool InObject() const { return keys_.back().data() != kArray.data(); }
  bool IsNext(char c) const { return at_ != end_ && *at_ == c; }
  bool Take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  void Blanks() {
    if (at_ == end_ || !IsBlank(*at_)) return;
    compact_.append(copied_, at_);
    while (at_ != end_ && IsBlank(*at_)) ++at_;
    copied_ = at_;
  }

  // An empty one is closed at once; opened_ says that it is not.
  bool Open() {
    const bool object = *at_++ == '{';
    Blanks();
    opened_ = !IsNext(object ? '}' : ']');
    if (!opened_) {
      ++at_;
      return !keys_.empty();  // a map that is empty has no text
    }
    keys_.push_back(object ? std::string_view() : kArray);
    return keys_.size() <= kNestingMax;
  }

  // Past the comma or the brackets that follow a value.
  bool Close() {
    while (!keys_.empty()) {
      Blanks();
      if (Take(',')) return true;
      if (!Take(InObject() ? '}' : ']')) return false;
      keys_.pop_back();
    }
    return true;
  }

  bool Key(bool* is_signature) {
    Blanks();
    std::string_view key;
    bool escaped = false;
    if (!String(&key, &escaped) || escaped) return false;
    std::string_view& last = keys_.back();
    const bool is_first = last.data() == nullptr;
    *is_signature = key == signatures::kKey;
    if (*is_signature && !(sealed_ && is_first)) return false;
    if (!is_first && key <= last) return false;  // the least key is the empty one, which may stand first
    last = key;
    Blanks();
    return Take(':');
  }

  // Behind {"SIGNATURE":  up to the bracket.
  bool RestOfSecret() {
    if (!Word(signatures::kSecret) || !Sign(',') || !Word("ciphertext") || !Sign(':')) return false;
    std::string_view ciphertext;
    bool escaped = false;
    if (!String(&ciphertext, &escaped) || escaped || ciphertext.empty() || !Sign('}')) return false;
    keys_.pop_back();
    return !keys_.empty();
  }
  bool Word(std::string_view word) {
    std::string_view text;
    bool escaped = false;
    return String(&text, &escaped) && text == word;
  }
  bool Sign(char c) {
    Blanks();
    if (!Take(c)) return false;
    if (c != '}') Blanks();
    return true;
  }

  bool Scalar() {
    if (IsNext('"')) {
      std::string_view text;
      bool escaped = false;
      return String(&text, &escaped) && text != kUnknownString;
    }
    for (std::string_view word : {"true", "false", "null"}) {
      if (!IsNext(word[0])) continue;
      if (std::string_view(at_, end_ - at_).substr(0, word.size()) != word) return false;
      at_ += word.size();
      return true;
    }
    return Number();
  }

  bool String(std::string_view* text, bool* escaped) {
    if (!Take('"')) return false;
    const char* const start = at_;
    bool ascii = true;
    while (true) {
      at_ = SkipPlainBytes(at_, end_);
      if (at_ == end_) return false;
      const auto c = static_cast<unsigned char>(*at_);
      if (c == '"') break;
      if (c >= 0x80) {
        ascii = false;
        ++at_;
      } else if (c != '\\' || !Escape()) {
        return false;
      } else {
        *escaped = true;
      }
    }
    *text = std::string_view(start, at_ - start);
    ++at_;
    return ascii || IsWrittenAsItIs(*text);
  }

  // Accepts only the spelling of a character that we write.
  bool Escape() {
    if (end_ - at_ < 2 || !std::strchr("\"\\bfnrt", at_[1]) || at_[1] == '\0') return false;
    at_ += 2;
    return true;
  }

  // Line separators are written escaped.
  static bool IsWrittenAsItIs(std::string_view text) {
    return IsValidUtf8(text) && text.find("\u2028") == text.npos && text.find("\u2029") == text.npos;
  }

  bool Number() {
    const char* const start = at_;
    while (at_ != end_ && (IsDecimal(*at_) || *at_ == '-' || *at_ == '+' || *at_ == '.' || *at_ == 'e')) ++at_;
    const std::string_view digits(start, at_ - start);
    if (digits.size() < 16 && IsCount(digits)) return true;
    if (digits.empty() || digits == "-0") return false;  // -0 equals 0, which is spelled otherwise
    double number = 0;
    const auto [stop, error] = std::from_chars(start, at_, number);
    if (error != std::errc() || stop != at_) return false;
    number_.clear();
    AppendJsonNumber(number, &number_);
    return number_ == digits;
  }

  static bool IsDecimal(char c) { return c >= '0' && c <= '9'; }
  static bool IsCount(std::string_view digits) {
    return !digits.empty() && (digits[0] != '0' || digits.size() == 1) &&
           std::all_of(digits.begin(), digits.end(), IsDecimal);
  }

  const char* const begin_;
  const char* at_;
  const char* const end_;
  const char* copied_;  // what stands before it is in compact_, if anything is
  bool opened_ = false;
  const bool sealed_;
  std::vector<std::string_view>& keys_;
  std::string& compact_;
  std::string number_;
};

bool EqualsText(const PropertyMap& map, JsonReader* reader);

bool EqualsText(const Value& value, JsonReader* reader) {
  using Kind = JsonReader::Kind;
  const Kind next = reader->Peek();
  switch (value.kind()) {
    case Value::Kind::kNull:
      reader->Skip();
      return next == Kind::kNull;
    case Value::Kind::kBool:
      return next == Kind::kBool && reader->ReadBool() == value.as_bool();
    case Value::Kind::kNumber:
      return next == Kind::kNumber && reader->ReadNumber() == value.as_number();
    case Value::Kind::kString:
      return next == Kind::kString && reader->ReadString() == value.as_string();
    case Value::Kind::kArray:
      if (next != Kind::kArray) return false;
      reader->BeginArray();
      for (const Value& element : value.as_array()) {
        if (!reader->NextElement() || !EqualsText(element, reader)) return false;
      }
      return !reader->NextElement();
    case Value::Kind::kObject:
      return next == Kind::kObject && EqualsText(value.as_object(), reader);
    default:
      return false;  // more than JSON
  }
}

bool EqualsText(const PropertyMap& map, JsonReader* reader) {
  std::string_view key;
  reader->BeginObject();
  for (const auto& [name, value] : map) {
    if (!reader->NextKey(&key) || key != name || !EqualsText(value, reader)) return false;
  }
  return !reader->NextKey(&key);
}

}  // namespace

std::optional<PropertyMap> PropertyTexts::Take(std::string_view text, size_t* length) {
  PlainObject object(text, sealed_, &keys_, &compact_);
  if (!object.Follow()) return std::nullopt;
  *length = object.length();
  if (object.has_blanks()) {
    object.CopyRest();
    return Copy(compact_);
  }
  const std::string_view whole = text.substr(0, *length);
  return text_owner_ ? PropertyMap::FromText(whole, text_owner_) : Copy(whole);
}

PropertyMap PropertyTexts::Copy(std::string_view text) {
  if (!copies_ || copies_->capacity() - copies_->size() < text.size()) {
    copies_ = std::make_shared<std::string>();
    copies_->reserve(std::max(kCopiesBytes, text.size()));
  }
  const size_t start = copies_->size();
  copies_->append(text);
  return PropertyMap::FromText(std::string_view(*copies_).substr(start), copies_);
}

bool HoldsSealedSecrets(std::string_view text) {
  static const std::string kMember = "\"" + std::string(signatures::kKey) + "\":";
  return text.find(kMember) != text.npos;
}

PropertyMap ReadPropertyText(std::string_view text) {
  JsonReader reader(text);
  const DecodeOptions options;
  PropertyMap map = JsonValueReader(&reader, options).ReadProperties();
  KP_ASSERT(reader.ok() && !map.empty() && map.text().empty(), "a plain text can be read");
  return map;
}

bool EqualsPropertyText(const PropertyMap& map, std::string_view text) {
  if (HoldsSealedSecrets(text)) return DeepEqual(map, ReadPropertyText(text));
  JsonReader reader(text);
  return EqualsText(map, &reader);
}

}  // namespace kingpost
