// SPDX-License-Identifier: Apache-2.0
// See the header. Strings are written by the state file's writer, so both follow one rule.
#include "model/json_writer.h"

#include "model/deployment_json.h"

namespace kingpost {

void JsonWriter::NewLine() {
  if (indent_.empty()) return;
  out_ += '\n';
  for (int i = 0; i < depth_; ++i) out_ += indent_;
}

void JsonWriter::BeforeValue() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (depth_ == 0) return;
  if (!first_) out_ += ',';
  first_ = false;
  NewLine();
}

void JsonWriter::Open(char bracket) {
  BeforeValue();
  out_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::Close(char bracket) {
  --depth_;
  if (!first_) NewLine();
  out_ += bracket;
  first_ = false;
}

void JsonWriter::Raw(std::string_view text) {
  BeforeValue();
  out_ += text;
}

void JsonWriter::Key(std::string_view key) {
  if (!first_) out_ += ',';
  first_ = false;
  NewLine();
  AppendJsonString(key, &out_);
  out_ += indent_.empty() ? ":" : ": ";
  after_key_ = true;
}

void JsonWriter::Text(std::string_view text) {
  BeforeValue();
  AppendJsonString(text, &out_);
}

void JsonWriter::Int(int64_t number) { Raw(std::to_string(number)); }

void JsonWriter::Json(std::string_view json) {
  if (indent_.empty()) return Raw(json);
  BeforeValue();
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      out_ += c;
      if (c == '\\' && i + 1 < json.size()) out_ += json[++i];
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
      out_ += c;
    } else if (c == '{' || c == '[') {
      out_ += c;
      ++depth_;
      const bool empty = i + 1 < json.size() && (json[i + 1] == '}' || json[i + 1] == ']');
      if (!empty) NewLine();
    } else if (c == '}' || c == ']') {
      --depth_;
      if (out_.back() != '{' && out_.back() != '[') NewLine();
      out_ += c;
    } else if (c == ',') {
      out_ += c;
      NewLine();
    } else if (c == ':') {
      out_ += ": ";
    } else if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
      out_ += c;
    }
  }
}

std::string* JsonWriter::Value() {
  BeforeValue();
  return &out_;
}

void JsonWriter::Number(double number) { AppendJsonNumber(number, Value()); }

void JsonWriter::TextMap(const std::map<std::string, std::string>& texts) {
  BeginObject();
  for (const auto& [key, text] : texts) {
    Key(key);
    Text(text);
  }
  EndObject();
}

void JsonWriter::IntMap(const std::map<std::string, int>& numbers) {
  BeginObject();
  for (const auto& [key, number] : numbers) {
    Key(key);
    Int(number);
  }
  EndObject();
}

void JsonWriter::TextUnlessEmpty(std::string_view key, std::string_view text) {
  if (text.empty()) return;
  Key(key);
  Text(text);
}

void JsonWriter::NumberUnlessZero(std::string_view key, double number) {
  if (number == 0) return;
  Key(key);
  Number(number);
}

void JsonWriter::BoolIfTrue(std::string_view key, bool value) {
  if (!value) return;
  Key(key);
  Bool(true);
}

void JsonWriter::IntUnlessZero(std::string_view key, int64_t value) {
  if (value == 0) return;
  Key(key);
  Int(value);
}

}  // namespace kingpost
