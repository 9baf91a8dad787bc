// SPDX-License-Identifier: Apache-2.0
// Appends JSON to a string in the order the members are given, compact or indented, with Go's escapes.
//
//   JsonWriter json;                       // or JsonWriter json("    ") for four spaces
//   json.BeginObject();  json.Key("urn");  json.Text(urn);  json.EndObject();
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "model/urn.h"

namespace kingpost {

class JsonWriter {
 public:
  explicit JsonWriter(std::string indent = "") : indent_(std::move(indent)), out_(own_) {}
  // Appends to `out`, compact.
  explicit JsonWriter(std::string* out) : out_(*out) {}
  JsonWriter(const JsonWriter&) = delete;

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  void Key(std::string_view key);

  void Text(std::string_view text);
  void Int(int64_t number);
  void Bool(bool value) { Raw(value ? "true" : "false"); }
  void Null() { Raw("null"); }
  // A finished JSON value; it is indented anew if this writer indents.
  void Json(std::string_view json);

  // The caller appends the next value to it, whole and compact.
  std::string* Value();

  void Number(double number);
  // Writes strings or URNs.
  template <class Strings>
  void Texts(const Strings& texts) {
    BeginArray();
    for (const auto& text : texts) Text(TextOf(text));
    EndArray();
  }
  void TextMap(const std::map<std::string, std::string>& texts);
  void IntMap(const std::map<std::string, int>& numbers);

  // Members that are left out when empty, zero or false.
  void TextUnlessEmpty(std::string_view key, std::string_view text);
  template <class Strings>
  void TextsUnlessEmpty(std::string_view key, const Strings& texts) {
    if (texts.empty()) return;
    Key(key);
    Texts(texts);
  }
  void NumberUnlessZero(std::string_view key, double number);
  void BoolIfTrue(std::string_view key, bool value);
  void IntUnlessZero(std::string_view key, int64_t value);

  const std::string& str() const { return out_; }
  std::string Take() { return std::move(out_); }

 private:
  static const std::string& TextOf(const std::string& text) { return text; }
  static const std::string& TextOf(const Urn& urn) { return urn.str(); }
  void Open(char bracket);
  void Close(char bracket);
  void Raw(std::string_view text);
  void BeforeValue();
  void NewLine();

  const std::string indent_;
  std::string own_;
  std::string& out_;
  int depth_ = 0;
  bool first_ = true;  // nothing has been written in this object or array yet
  bool after_key_ = false;
};

}  // namespace kingpost
